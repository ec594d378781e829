//! Connections that a response can break.
//!
//! The server under us ends the body of a response whose stream failed as if it were complete, because
//! it goes on with the connection once more after the failure. Over HTTP/1.1 only a connection that
//! breaks tells the reader that something is missing, so the socket itself refuses to write from then on.

use std::collections::HashSet;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The connections that are to break, by the address of the other side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Broken(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// How many there are, so that everybody else need not look.
    count: AtomicUsize,
    peers: Mutex<HashSet<SocketAddr>>,
}

impl Broken {
    /// Lets nothing more be written to this connection.
    pub(crate) fn add(&self, peer: SocketAddr) {
        self.change(|peers| {
            peers.insert(peer);
        });
    }

    fn remove(&self, peer: SocketAddr) {
        if self.0.count.load(Ordering::Acquire) > 0 {
            self.change(|peers| {
                peers.remove(&peer);
            });
        }
    }

    fn change(&self, change: impl FnOnce(&mut HashSet<SocketAddr>)) {
        let mut peers = self.0.peers.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut peers);
        self.0.count.store(peers.len(), Ordering::Release);
    }

    fn check(&self, peer: Option<SocketAddr>) -> io::Result<()> {
        let holds = |peer| self.0.peers.lock().unwrap_or_else(PoisonError::into_inner).contains(&peer);
        if self.0.count.load(Ordering::Acquire) > 0 && peer.is_some_and(holds) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }
}

/// A connection that can be broken.
pub(crate) struct Breakable {
    stream: TcpStream,
    peer: Option<SocketAddr>,
    broken: Broken,
}

impl Breakable {
    pub(crate) fn new(stream: TcpStream, broken: Broken) -> Self {
        Self { peer: stream.peer_addr().ok(), stream, broken }
    }
}

impl Drop for Breakable {
    fn drop(&mut self) {
        if let Some(peer) = self.peer {
            self.broken.remove(peer);
        }
    }
}

impl AsyncRead for Breakable {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Breakable {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.broken.check(self.peer)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.broken.check(self.peer)?;
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.broken.check(self.peer)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
