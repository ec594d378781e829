//! A transport through which one client is served, over a pipe: what it receives is put right before the
//! handler sees it.
//!
//! The protocol begins with a request. A notification before it, as some clients send when they start
//! again, would end the connection; there is nothing it could be about, so it is dropped. Before a
//! request for a stream is handed on, the event log is brought up to date (see `listen.rs`).

use std::future::Future;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use svc_core::Hub;

use crate::server::Mcp;

/// The transport around another one.
pub struct Pipe<T> {
    inner: T,
    hub: Hub,
    /// Received and not handed on yet: a call of `receive` may be given up at any await.
    received: Option<ClientJsonRpcMessage>,
    begun: bool,
}

impl<T> Pipe<T> {
    /// Receives through `inner` what is meant for the surface of this hub.
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
            tracing::debug!(target: "svc::mcp", "passed over a message before the first request");
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

/// Looking around is no beginning.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    !matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}
