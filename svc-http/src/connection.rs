//! Serves one connection.
//!
//! What always holds: a connection on which nothing moves is closed; one that is asked to leave
//! answers what was asked on it and then closes; an answer that fails in the middle breaks its
//! connection, because over HTTP/1.1 nothing else tells the reader that something is missing.
//!
//! Thousands of live streams may be open, so what a connection holds is kept small: what is needed
//! for a while only is boxed, and the version of HTTP is found out by looking at the first bytes
//! where they are, because a reader that is handed them apart from the rest doubles its buffer.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use poem::endpoint::BoxEndpoint;
use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint, Response, http};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::config::Patience;

/// How long a connection that is closed because nothing moves may take to end.
const FAREWELL: Duration = Duration::from_secs(5);
/// What a connection of HTTP/2 begins with.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The longest headers of a request over HTTP/2, in bytes.
const HEADERS_MAX: u32 = 16 * 1024;
/// The same over HTTP/1, with the address; longer ones are answered with 431.
const HTTP1_HEADERS_MAX: usize = 64 * 1024;

type Answer = http::Response<BoxBody<Bytes, io::Error>>;

/// What connections need.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) app: Arc<BoxEndpoint<'static, Response>>,
    pub(crate) address: SocketAddr,
    pub(crate) patience: Patience,
    /// Cancelled when connections are to leave.
    pub(crate) leaving: CancellationToken,
}

/// Serves a connection to its end.
pub(crate) async fn serve(site: Site, stream: TcpStream, peer: SocketAddr) {
    let (leaving, patience) = (site.leaving.clone(), site.patience);
    let Some(is_plainly_one) = begins_as_http1(&stream, patience.connection, &leaving).await else { return };
    let activity = Arc::new(Activity::new(patience.connection));
    let io = TokioIo::new(Watched { stream, activity: activity.clone() });
    // Boxed, because the connection would keep the room for it between requests and under a stream.
    let service = service_fn(move |request| Box::pin(answer(site.clone(), peer, request)));
    if is_plainly_one {
        let connection = pin!(one(patience.headers).serve_connection(io, service).with_upgrades());
        converse(connection, http1::UpgradeableConnection::graceful_shutdown, &activity, &leaving).await;
    } else {
        let either = async {
            let mut builder = auto::Builder::new(TokioExecutor::new());
            builder.http1().timer(TokioTimer::new()).header_read_timeout(patience.headers);
            // Whoever begins like this and goes on with HTTP/1 is rare, and can do with smaller buffers.
            builder.http1().max_buf_size(HTTP1_HEADERS_MAX);
            builder.http2().max_header_list_size(HEADERS_MAX);
            let connection = pin!(builder.serve_connection_with_upgrades(io, service));
            converse(connection, auto::UpgradeableConnection::graceful_shutdown, &activity, &leaving).await;
        };
        Box::pin(either).await;
    }
}

/// HTTP/1, for whoever sends headers of a reasonable length in a reasonable time.
fn one(headers_within: Duration) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(headers_within).max_header_size(HTTP1_HEADERS_MAX);
    builder
}

/// Whether the first bytes rule out HTTP/2; `None` when none come.
async fn begins_as_http1(stream: &TcpStream, within: Duration, leaving: &CancellationToken) -> Option<bool> {
    let mut first = [0; PREFACE.len()];
    let count = tokio::select! {
        biased;
        seen = timeout(within, stream.peek(&mut first)) => seen.ok()?.ok()?,
        () = leaving.cancelled() => return None,
    };
    (count > 0).then(|| !PREFACE.starts_with(&first[..count]))
}

async fn answer(site: Site, peer: SocketAddr, request: http::Request<Incoming>) -> Result<Answer, Infallible> {
    let (local, remote) = (LocalAddr(Addr::from(site.address)), RemoteAddr(Addr::from(peer)));
    Ok(site.app.get_response((request, local, remote, Scheme::HTTP).into()).await.into())
}

/// Lets a connection go on until it ends, is idle or has to leave.
async fn converse<C: Future>(
    mut connection: Pin<&mut C>,
    leave: impl FnOnce(Pin<&mut C>),
    activity: &Activity,
    leaving: &CancellationToken,
) {
    let is_idle = tokio::select! {
        // However it ended, it must not be touched again: it would go on behind a failure.
        _ = connection.as_mut() => return,
        () = activity.ceased() => true,
        () = leaving.cancelled() => false,
    };
    leave(connection.as_mut());
    if is_idle {
        tracing::debug!(target: "svc::http", "a connection is closed, because nothing moves");
        // Whoever neither reads nor writes does not take part in a farewell.
        drop(timeout(FAREWELL, connection).await);
    } else {
        connection.await;
    }
}

/// When something moved last.
struct Activity {
    opened: Instant,
    /// Milliseconds since then.
    last: AtomicU64,
    /// How long nothing may move.
    patience: Duration,
}

impl Activity {
    fn new(patience: Duration) -> Self {
        Self { opened: Instant::now(), last: AtomicU64::new(0), patience }
    }

    fn note(&self) {
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(now, Ordering::Relaxed);
    }

    /// Ready once nothing has moved for too long.
    async fn ceased(&self) {
        loop {
            let end = self.opened + Duration::from_millis(self.last.load(Ordering::Relaxed)) + self.patience;
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// A socket whose use is noted.
struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl Watched {
    /// Notes that something came of it.
    fn noted<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.activity.note();
        }
        polled
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, into);
        self.noted(polled)
    }
}

impl AsyncWrite for Watched {
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
