//! Transport that serves one client over a pipe, and corrects what it receives before the handler sees it.
//!
//! The protocol begins with a request. A notification before the first request, as some clients send after a restart,
//! would end the connection; it refers to nothing, so it is dropped. Before a request for a stream is passed on, the
//! event log is brought up to date (see `listen.rs`).

use std::future::Future;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use svc_core::Hub;

use crate::server::Mcp;

/// Wraps another transport.
pub struct Pipe<T> {
    inner: T,
    hub: Hub,
    /// Received and not passed on yet: a call of `receive` may be cancelled at any await.
    received: Option<ClientJsonRpcMessage>,
    begun: bool,
}

impl<T> Pipe<T> {
    /// Receives messages for this hub through `inner`.
    pub fn new(inner: T, hub: Hub) -> Self {
        Self { inner, hub, received: None, begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Pipe<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.received.is_none() {
                self.received = Some(self.inner.receive().await?);
            }
            if self.received.as_ref().is_some_and(listens) {
                Mcp::before_listening(&self.hub).await;
            }
            let message = self.received.take()?;
            if self.begun {
                return Some(message);
            }
            if let JsonRpcMessage::Request(_) = &message {
                self.begun = begins(&message);
                return Some(message);
            }
            tracing::debug!(target: "svc::mcp", "dropped a message before the first request");
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

fn listens(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    matches!(request.request, ClientRequest::SubscriptionsListenRequest(_))
}

/// Whether a message starts the connection; a request for discovery does not.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    !matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}
