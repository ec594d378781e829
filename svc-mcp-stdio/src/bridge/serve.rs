//! Serves one client through standard input and output by forwarding to a remote hub.

use std::future::Future;
use std::time::Duration;

use rmcp::transport::stdio_pipes;
use svc_core::Result;
use svc_mcp::Profile;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::address::Address;
use super::headers;
use super::listen;
use super::relay::Relay;
use super::remote::Remote;
use crate::key::{Key, unknown_key};

/// Longest line of a client.
const LINE_MAX: u64 = 16 * 1024 * 1024;
/// Lines for the client that wait to be written.
const BUFFER: usize = 256;
/// Time limit for requests in progress once the client has closed the pipe.
const FINISHING: Duration = Duration::from_secs(5);
/// Time limit for ending the session at the hub.
const PARTING: Duration = Duration::from_secs(2);

/// Forwards messages until the pipe ends or a signal arrives.
pub(crate) async fn serve(
    address: &Address,
    key: &Key,
    profile: Option<Profile>,
    stop: impl Future<Output = ()> + Send,
) -> Result<()> {
    let remote = Remote::new(address, key, profile)?;
    // A hub that is unreachable now may become reachable, and the client gets errors until then; an unknown key stays
    // unknown.
    if remote.refuses_key().await {
        return Err(unknown_key());
    }
    let (reader, writer) = stdio_pipes();
    let (out, lines) = mpsc::channel(BUFFER);
    let closed = CancellationToken::new();
    let writing = tokio::spawn(write(writer, lines, closed.clone()));
    let relay = Relay::new(remote, out);
    let listening = tokio::spawn(listen::follow(relay.clone()));
    tokio::select! {
        () = read(reader, &relay) => {
            relay.tasks.close();
            if tokio::time::timeout(FINISHING, relay.tasks.wait()).await.is_err() {
                tracing::info!(target: "svc::mcp", "some requests were not answered before the end");
            }
        }
        () = stop => {}
        () = closed.cancelled() => {}
    }
    listening.abort();
    let (known, _) = relay.session.known();
    if known.session.is_some() {
        tokio::time::timeout(PARTING, relay.remote.delete(headers::of_session(&known))).await.ok();
    }
    // The writer ends when all senders are dropped; a request in progress must not keep it alive.
    drop(relay);
    tokio::time::timeout(PARTING, writing).await.ok();
    Ok(())
}

/// Forwards line by line until the end.
async fn read(reader: impl AsyncRead + Unpin, relay: &std::sync::Arc<Relay>) {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(LINE_MAX).read_until(b'\n', &mut line).await {
            Ok(0) => return,
            Ok(_) if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") => {
                tracing::error!(target: "svc::mcp", "a line is too long to be carried; the connection ends");
                return;
            }
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !text.trim().is_empty() {
                    relay.take(&text).await;
                }
            }
            Err(error) => {
                tracing::error!(target: "svc::mcp", %error, "standard input cannot be read");
                return;
            }
        }
    }
}

/// Writes line by line, without buffering.
async fn write(mut writer: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>, closed: CancellationToken) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        let written = async {
            writer.write_all(line.as_bytes()).await?;
            writer.flush().await
        };
        if let Err(error) = written.await {
            tracing::info!(target: "svc::mcp", %error, "the client has closed the pipe");
            closed.cancel();
            return;
        }
    }
}
