//! Accepts connections on the listening socket.
//!
//! Invariants: small writes are sent at once (`TCP_NODELAY`), which live events need; a process that has run out of
//! file descriptors waits until some are free instead of spinning.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// Delay after a failed `accept`.
const PAUSE: Duration = Duration::from_millis(100);

/// The next connection and the address of its peer.
pub(crate) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Fails only when the peer has already disconnected.
                stream.set_nodelay(true).ok();
                return (stream, peer);
            }
            Err(error) => {
                tracing::warn!(target: "svc::http", %error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
