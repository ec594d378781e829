//! Timeouts of a connection.
//!
//! Invariants: while a request is in progress, any transferred byte counts as activity, because live streams have no
//! other sign of life. While none is, bytes do not count: the first request must arrive in time, each further one
//! within the header timeout from its first byte, and a connection that is only kept open is closed in the end.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::config::Patience;

/// No timestamp.
const NEVER: u64 = u64::MAX;

/// Activity of a connection. Times are milliseconds since it was opened.
pub(super) struct ActivityWatch {
    opened: Instant,
    /// Timeout for the headers of a request.
    headers: Duration,
    /// Timeout for any activity, and for the next request.
    patience: Duration,
    /// Over HTTP/1 every byte that arrives while no request is in progress belongs to the next request.
    is_http1: bool,
    in_progress: AtomicU32,
    has_asked: AtomicBool,
    /// Time of the last transferred byte.
    moved: AtomicU64,
    /// Time of the end of the last request.
    ended: AtomicU64,
    /// Time of the first byte of the next request, if it has arrived.
    begun: AtomicU64,
    /// Notified when the remaining time becomes shorter.
    shorter: Notify,
}

impl ActivityWatch {
    pub(super) fn new(patience: Patience, is_http1: bool) -> Self {
        Self {
            opened: Instant::now(),
            headers: patience.headers,
            patience: patience.connection,
            is_http1,
            in_progress: AtomicU32::new(0),
            has_asked: AtomicBool::new(false),
            moved: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            begun: AtomicU64::new(NEVER),
            shorter: Notify::new(),
        }
    }

    /// Marks a request as in progress until the returned guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> RequestGuard {
        self.in_progress.fetch_add(1, Ordering::AcqRel);
        self.has_asked.store(true, Ordering::Release);
        self.begun.store(NEVER, Ordering::Release);
        self.note_moved();
        RequestGuard(self.clone())
    }

    /// Completes once the connection has timed out.
    pub(super) async fn overdue(&self) {
        loop {
            let end = self.end();
            if end <= Instant::now() {
                return;
            }
            tokio::select! {
                () = sleep_until(end) => {}
                () = self.shorter.notified() => {}
            }
        }
    }

    /// The current deadline.
    fn end(&self) -> Instant {
        let at = |time: &AtomicU64| self.opened + Duration::from_millis(time.load(Ordering::Acquire));
        if self.in_progress.load(Ordering::Acquire) > 0 {
            return at(&self.moved) + self.patience;
        }
        if !self.has_asked.load(Ordering::Acquire) {
            return self.opened + self.headers.min(self.patience);
        }
        if !self.is_http1 {
            return at(&self.ended) + self.patience;
        }
        // Bytes that are transferred before a request has begun are the end of the last response.
        let quiet = at(&self.moved) + self.patience;
        match self.begun.load(Ordering::Acquire) {
            NEVER => quiet,
            begun => quiet.min(self.opened + Duration::from_millis(begun) + self.headers),
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(NEVER - 1)
    }

    fn note_moved(&self) {
        self.moved.store(self.now(), Ordering::Release);
    }

    fn note_read(&self) {
        self.note_moved();
        if self.is_http1 && self.in_progress.load(Ordering::Acquire) == 0 {
            let first = self.begun.compare_exchange(NEVER, self.now(), Ordering::AcqRel, Ordering::Acquire);
            if first.is_ok() {
                self.shorter.notify_one();
            }
        }
    }
}

/// Guard of a request in progress.
pub(super) struct RequestGuard(Arc<ActivityWatch>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let watch = &self.0;
        watch.ended.store(watch.now(), Ordering::Release);
        watch.in_progress.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A socket that records its activity.
pub(super) struct TrackedStream {
    stream: TcpStream,
    watch: Arc<ActivityWatch>,
}

impl TrackedStream {
    pub(super) fn new(stream: TcpStream, watch: Arc<ActivityWatch>) -> Self {
        Self { stream, watch }
    }

    /// Records that bytes were written.
    fn noted<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.watch.note_moved();
        }
        polled
    }
}

impl AsyncRead for TrackedStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, into);
        if into.filled().len() > before {
            self.watch.note_read();
        }
        polled
    }
}

impl AsyncWrite for TrackedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.noted(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
