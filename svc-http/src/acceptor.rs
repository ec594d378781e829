//! Takes connections from the listening socket.
//!
//! What always holds: small writes go out at once, which live events need, and a process that has
//! run out of file descriptors waits for some to come back instead of spinning.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// How long to wait after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// The next connection, and who is at its other end.
pub(crate) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // It fails only when the other side has gone already.
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
