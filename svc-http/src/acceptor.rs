//! Takes connections from the listening socket.
//!
//! What always holds: small writes go out at once, which live events need, and a process that has
//! run out of file descriptors waits for some to come back instead of spinning.

use std::io;
use std::time::Duration;

use poem::http::uri::Scheme;
use poem::listener::{Acceptor, TcpAcceptor};
use poem::web::{LocalAddr, RemoteAddr};

use crate::breakable::{Breakable, Broken};

/// How long to wait after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// The server's acceptor.
pub(crate) struct PatientAcceptor {
    pub(crate) inner: TcpAcceptor,
    pub(crate) broken: Broken,
}

impl Acceptor for PatientAcceptor {
    type Io = Breakable;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.inner.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        loop {
            match self.inner.accept().await {
                Ok((stream, local, remote, scheme)) => {
                    // It fails only when the other side has gone already.
                    stream.set_nodelay(true).ok();
                    return Ok((Breakable::new(stream, self.broken.clone()), local, remote, scheme));
                }
                Err(error) => {
                    tracing::warn!(target: "svc::http", %error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}
