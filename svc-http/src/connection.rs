//! Serves one connection.
//!
//! Invariants: an idle connection is closed, and so is one without a request in time or whose headers take too long,
//! however steadily their bytes arrive; a connection that is asked to close finishes the current request first; a
//! response that fails in the middle breaks its connection, because over HTTP/1.1 nothing else tells the client that
//! the response is incomplete.
//!
//! Thousands of live streams may be open, so the memory of a connection is kept small: state that is needed only for
//! a while is boxed, and the version of HTTP is detected by peeking at the first bytes, because a reader that
//! receives them separately doubles its buffer.

mod watch;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use poem::endpoint::BoxEndpoint;
use poem::http::uri::Scheme;
use poem::http::{HeaderValue, Method, Version, header};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint, IntoResponse, Request, Response, http};
use svc_core::limits;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::watch::{ActivityWatch, RequestGuard, TrackedStream};
use crate::admission::Slot;
use crate::area::Area;
use crate::config::Patience;
use crate::error::Problem;
use crate::middleware::body_limit::discard_body;

/// Time limit for the orderly shutdown of an idle connection.
const FAREWELL: Duration = Duration::from_secs(5);
/// Preface of an HTTP/2 connection.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Shared dependencies of connections.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) app: Arc<BoxEndpoint<'static, Response>>,
    pub(crate) address: SocketAddr,
    pub(crate) patience: Patience,
    /// Cancelled when connections must close.
    pub(crate) leaving: CancellationToken,
}

/// Serves a connection to its end.
pub(crate) async fn serve(mut site: Site, stream: TcpStream, peer: SocketAddr, slot: Slot) {
    if slot.is_reserve() {
        site.patience.headers = site.patience.headers.min(limits::RESERVE_HEADER_TIME);
        // A connection in the reserve answers one request.
        site.leaving = site.leaving.child_token();
        let slot = Arc::new(slot);
        // Boxed, because otherwise ordinary connections would reserve memory for it.
        let served = Box::pin(timeout(limits::RESERVE_TIME, run(site, stream, peer, slot.clone())));
        tokio::select! {
            // A timeout ends the connection as well.
            _ = served => {}
            () = slot.needed() => {}
        }
    } else {
        run(site, stream, peer, Arc::new(slot)).await;
    }
}

async fn run(site: Site, stream: TcpStream, peer: SocketAddr, slot: Arc<Slot>) {
    let (leaving, patience) = (site.leaving.clone(), site.patience);
    let Some(is_plainly_one) = begins_as_http1(&stream, patience, &leaving).await else { return };
    let watch = Arc::new(ActivityWatch::new(patience, is_plainly_one));
    let io = TokioIo::new(TrackedStream::new(stream, watch.clone()));
    let lasts = !slot.is_reserve();
    // Boxed, because the connection would keep memory for it between requests and under a stream.
    let service = {
        let watch = watch.clone();
        service_fn(move |request| Box::pin(answer(site.clone(), peer, slot.clone(), watch.begin(), request)))
    };
    if is_plainly_one {
        let connection = pin!(one(lasts).serve_connection(io, service).with_upgrades());
        until_end(connection, http1::UpgradeableConnection::graceful_shutdown, &watch, &leaving).await;
    } else {
        let either = async {
            let builder = either(lasts);
            let connection = pin!(builder.serve_connection_with_upgrades(io, service));
            until_end(connection, auto::UpgradeableConnection::graceful_shutdown, &watch, &leaving).await;
        };
        Box::pin(either).await;
    }
}

/// HTTP/1 with a limit on the size of headers. Their timeout is enforced by [`ActivityWatch`], which distinguishes a
/// waiting connection from one that is receiving bytes.
fn one(lasts: bool) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.keep_alive(lasts).header_read_timeout(None).max_header_size(limits::HTTP1_HEADERS_MAX);
    builder
}

/// HTTP/2, or HTTP/1 after all.
fn either(lasts: bool) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // A client that begins like HTTP/2 and continues with HTTP/1 is rare, and smaller buffers suffice for it.
    builder.http1().keep_alive(lasts).header_read_timeout(None).max_buf_size(limits::HTTP1_HEADERS_MAX);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(limits::HTTP2_HEADERS_MAX)
        .max_concurrent_streams(limits::HTTP2_STREAMS_MAX)
        .max_pending_accept_reset_streams(limits::HTTP2_RESETS_MAX)
        .initial_stream_window_size(limits::HTTP2_WINDOW)
        .initial_connection_window_size(limits::HTTP2_CONNECTION_WINDOW)
        .keep_alive_interval(limits::HTTP2_PING)
        .keep_alive_timeout(limits::HTTP2_PING);
    builder
}

/// Whether the first bytes rule out HTTP/2; `None` when none arrive.
async fn begins_as_http1(stream: &TcpStream, patience: Patience, leaving: &CancellationToken) -> Option<bool> {
    let mut first = [0; PREFACE.len()];
    let within = patience.headers.min(patience.connection);
    let count = tokio::select! {
        biased;
        seen = timeout(within, stream.peek(&mut first)) => seen.ok()?.ok()?,
        () = leaving.cancelled() => return None,
    };
    (count > 0).then(|| !PREFACE.starts_with(&first[..count]))
}

async fn answer(
    site: Site,
    peer: SocketAddr,
    slot: Arc<Slot>,
    guard: RequestGuard,
    request: http::Request<Incoming>,
) -> Result<http::Response<AnswerBody>, Infallible> {
    let (local, remote) = (LocalAddr(Addr::from(site.address)), RemoteAddr(Addr::from(peer)));
    let request: Request = (request, local, remote, Scheme::HTTP).into();
    let response = if slot.is_reserve() {
        slot.begin();
        let response = answer_in_reserve(&site, request).await;
        site.leaving.cancel();
        response
    } else {
        site.app.get_response(request).await
    };
    let response: http::Response<BoxBody<Bytes, io::Error>> = response.into();
    Ok(response.map(|body| AnswerBody { body, _guard: guard }))
}

/// Answers health checks; everything else gets 503 with `Retry-After`.
async fn answer_in_reserve(site: &Site, mut request: Request) -> Response {
    let is_health = Area::of(request.uri().path()).is_answered_in_reserve();
    let version = request.version();
    let mut response = if is_health && matches!(*request.method(), Method::GET | Method::HEAD) {
        site.app.get_response(request).await
    } else {
        // A client that is still sending would miss the response.
        discard_body(request.take_body()).await;
        Problem::too_many_connections().into_response()
    };
    if version < Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Response body that keeps its request marked as in progress until all of it was sent.
struct AnswerBody {
    body: BoxBody<Bytes, io::Error>,
    _guard: RequestGuard,
}

impl http_body::Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Drives a connection until it ends, times out or must close.
async fn until_end<C: Future>(
    mut connection: Pin<&mut C>,
    leave: impl FnOnce(Pin<&mut C>),
    watch: &ActivityWatch,
    leaving: &CancellationToken,
) {
    let is_overdue = tokio::select! {
        // A finished connection must not be polled again, also not after an error.
        _ = connection.as_mut() => return,
        () = watch.overdue() => true,
        () = leaving.cancelled() => false,
    };
    leave(connection.as_mut());
    if is_overdue {
        tracing::debug!(target: "svc::http", "closing an idle connection");
        // A client that neither reads nor writes does not take part in an orderly shutdown.
        drop(timeout(FAREWELL, connection).await);
    } else {
        connection.await;
    }
}
