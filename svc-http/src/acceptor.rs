//! Takes connections from the listening socket.
//!
//! What always holds: small writes go out at once, which live events need, and a process that has
//! run out of file descriptors waits for some to come back instead of spinning.

use std::io;
use std::time::Duration;

use poem::http::uri::Scheme;
use poem::listener::{Acceptor, TcpAcceptor};
use poem::web::{LocalAddr, RemoteAddr};
use tokio::net::TcpStream;

/// How long to wait after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// The server's acceptor.
pub(crate) struct PatientAcceptor(pub(crate) TcpAcceptor);

impl Acceptor for PatientAcceptor {
    type Io = TcpStream;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.0.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        loop {
            match self.0.accept().await {
                Ok(accepted) => {
                    // It fails only when the other side has gone already.
                    accepted.0.set_nodelay(true).ok();
                    return Ok(accepted);
                }
                Err(error) => {
                    tracing::warn!(target: "svc::http", %error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}
