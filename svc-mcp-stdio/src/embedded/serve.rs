//! Serves one client through standard input and output, until the pipe ends or a signal arrives.

use std::future::Future;

use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use svc_core::{Error, Hub, HubConfig, Result};
use svc_mcp::{Door, Mcp, Pipe, Profile};
use tokio_util::sync::CancellationToken;

use super::chores::Chores;
use super::open::open;
use crate::key::Key;

/// Opens the hub, serves, closes the hub.
pub(crate) async fn serve(
    config: HubConfig,
    key: &Key,
    profile: Option<Profile>,
    stop: impl Future<Output = ()> + Send,
) -> Result<()> {
    let (hub, caller) = open(config, key).await?;
    tracing::info!(target: "svc::mcp", identity = ?caller.actor(), "serving on the store");
    let chores = Chores::start(&hub);
    let mcp = Mcp::new(hub.clone(), Door::key(key.reveal()), profile);
    let outcome = serve_client(mcp, &hub, stop).await;
    drop(chores);
    close(&hub).await;
    outcome
}

async fn close(hub: &Hub) {
    hub.close().await;
    tracing::info!(target: "svc::mcp", "the hub is closed");
}

async fn serve_client(mcp: Mcp, hub: &Hub, stop: impl Future<Output = ()> + Send) -> Result<()> {
    let ending = CancellationToken::new();
    let session = run_session(mcp, hub, ending.clone());
    tokio::pin!(session);
    tokio::select! {
        outcome = &mut session => outcome,
        () = stop => {
            ending.cancel();
            session.await
        }
    }
}

/// From the first request to the end of the pipe. Pending responses are written first.
async fn run_session(mcp: Mcp, hub: &Hub, ending: CancellationToken) -> Result<()> {
    let (reader, writer) = stdio_pipes();
    let transport = Pipe::new(AsyncRwTransport::new_server(reader, writer), hub.clone());
    match serve_server_with_ct(mcp, transport, ending).await {
        Ok(running) => match running.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => {
                Err(Error::internal("the session with the client failed").with_source(error))
            }
            Ok(_) => Ok(()),
        },
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(error) => {
            Err(Error::unavailable("client", format!("The client did not start with an initialization: {error}.")))
        }
    }
}
