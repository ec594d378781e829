//! A transport that overlooks what comes before a client has begun.
//!
//! The protocol begins with a request. A notification before it, as some clients send when they start
//! again, would end the connection; there is nothing it could be about, so it is passed over.

use std::future::Future;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// The transport around another.
pub(super) struct Patient<T> {
    inner: T,
    begun: bool,
}

impl<T> Patient<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner, begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
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

/// Looking around is no beginning.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    !matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}
