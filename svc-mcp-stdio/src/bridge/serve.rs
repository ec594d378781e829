//! Serving one client through standard input and output by asking a hub elsewhere.

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

/// The longest line of a client.
const LINE_MAX: u64 = 16 * 1024 * 1024;
/// Lines for the client that wait to be written.
const BUFFER: usize = 256;
/// How long requests under way may take once the client has closed the pipe.
const FINISHING: Duration = Duration::from_secs(5);
/// How long the hub may take to hear of the end.
const PARTING: Duration = Duration::from_secs(2);

/// Carries messages until the pipe ends or a signal comes.
pub(crate) async fn serve(
    address: &Address,
    key: &Key,
    profile: Option<Profile>,
    stop: impl Future<Output = ()> + Send,
) -> Result<()> {
    let remote = Remote::new(address, key, profile)?;
    // A hub that cannot be reached now may come later, and the client is told until then; a key does not get better.
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
    // The writer ends when nobody can write any more; a request that goes on must not keep it.
    drop(relay);
    tokio::time::timeout(PARTING, writing).await.ok();
    Ok(())
}

/// Hands on line after line, until there are no more.
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

/// Writes line after line, each at once.
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
