//! Limits on the size and the speed of request bodies.
//!
//! Invariants: a body that is too large or too slow never reaches a route as complete, whether its size was announced
//! or not; a path has the limit of its [`Area`], or of the endpoint that an embedding program has mounted there. The
//! rest of a rejected body is discarded for a moment instead of closing the connection at once, because a client that
//! is still sending would miss the response.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::http::header;
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::body_pace::{Pace, TooSlow, paced};
use crate::area::Area;
use crate::config::Patience;
use crate::error::Problem;
use crate::traffic::Traffic;

/// Amount of a rejected body that is discarded so that the client can receive the response, and time limits for it.
const DISCARD_MAX: usize = 16 * 1024 * 1024;
const DISCARD_TIME: Duration = Duration::from_secs(2);
const DISCARD_FILES_TIME: Duration = Duration::from_secs(20);

/// Rules for bodies.
pub(crate) struct Bodies {
    pub(crate) limits: BodyLimits,
    pub(crate) patience: Patience,
    pub(crate) traffic: Arc<Traffic>,
}

/// The limits of all paths: those of their areas, with exceptions.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyLimits {
    exceptions: Vec<(String, usize)>,
}

impl BodyLimits {
    /// Sets another limit for a path and everything below it in the same area.
    #[must_use]
    pub(crate) fn except(mut self, prefix: &str, max: usize) -> Self {
        self.exceptions.push((prefix.trim_end_matches('/').to_owned(), max));
        // The longest matching prefix decides, so it must come first.
        self.exceptions.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        self
    }

    fn at(&self, path: &str) -> usize {
        let area = Area::of(path);
        let below =
            |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let exception = self.exceptions.iter().find(|(prefix, _)| below(prefix) && Area::of(prefix) == area);
        exception.map_or_else(|| area.body_max(), |(_, max)| *max)
    }
}

/// Rejects bodies that are too large or too slow.
pub(crate) async fn limit<E: Endpoint>(bodies: Arc<Bodies>, next: Arc<E>, mut request: Request) -> Result<Response> {
    let max = bodies.limits.at(request.uri().path());
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()).and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > max) {
        // A client that sent `Expect` has not begun to send.
        if !request.headers().contains_key(header::EXPECT) {
            discard(&mut request.take_body().into_bytes_stream(), max).await;
        }
        return Err(Problem::body_too_large(max).into());
    }
    let body = request.take_body();
    if body.is_empty() {
        request.set_body(body);
        return next.call(request).await.map(IntoResponse::into_response);
    }
    let (exceeded, too_slow) = (Arc::new(AtomicBool::new(false)), TooSlow::default());
    let pace = Pace::of(bodies.patience, announced.unwrap_or(max));
    let body = paced(body, pace, too_slow.clone());
    request.set_body(if announced.is_some() {
        // HTTP enforces the announced length.
        body
    } else {
        Body::from_bytes_stream(counted(body.into_bytes_stream(), max, exceeded.clone()))
    });
    let outcome = next.call(request).await;
    // Reported whatever the route made of the truncated body.
    if exceeded.load(Ordering::Relaxed) {
        return Err(Problem::body_too_large(max).into());
    }
    if too_slow.get() {
        bodies.traffic.slow_bodies.inc();
        return Err(pace.problem().into());
    }
    outcome.map(IntoResponse::into_response)
}

/// The bytes up to the limit, then an error.
fn counted(
    body: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    max: usize,
    exceeded: Arc<AtomicBool>,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let state = (Box::pin(body), 0_usize, exceeded);
    futures_util::stream::try_unfold(state, move |(mut body, mut seen, exceeded)| async move {
        let Some(chunk) = body.next().await.transpose()? else {
            return Ok(None);
        };
        seen = seen.saturating_add(chunk.len());
        if seen > max {
            exceeded.store(true, Ordering::Relaxed);
            discard(&mut body, max).await;
            return Err(io::Error::other("the body is larger than the limit"));
        }
        Ok(Some((chunk, (body, seen, exceeded))))
    })
}

/// Discards the body of a rejected request.
pub(crate) async fn discard_body(body: Body) {
    discard(&mut body.into_bytes_stream(), 0).await;
}

/// Reads and discards, within bounds.
async fn discard(body: &mut (impl Stream<Item = io::Result<Bytes>> + Unpin), max: usize) {
    // Where attachments are uploaded, clients often send somewhat more than the limit.
    let most = DISCARD_MAX.max(max.saturating_mul(2));
    let patience = if most > DISCARD_MAX { DISCARD_FILES_TIME } else { DISCARD_TIME };
    let reading = async {
        let mut thrown_away = 0_usize;
        while let Some(Ok(chunk)) = body.next().await {
            thrown_away = thrown_away.saturating_add(chunk.len());
            if thrown_away > most {
                return;
            }
        }
    };
    // A timeout ends it like reaching the maximum.
    drop(tokio::time::timeout(patience, reading).await);
}

#[cfg(test)]
mod tests {
    use poem::EndpointExt;
    use poem::endpoint::make;
    use svc_core::limits;

    use super::*;

    #[test]
    fn the_longest_listed_path_decides() {
        let limits = BodyLimits::default().except("/api/attachments", 50).except("/api/attachments/small", 5);
        assert_eq!(limits.at("/api/attachments"), 50);
        assert_eq!(limits.at("/api/attachments/7"), 50);
        assert_eq!(limits.at("/api/attachments/small/7"), 5);
        assert_eq!(limits.at("/api/attachmentsx"), limits::JSON_BODY_MAX);
        assert_eq!(limits.at("/"), limits::JSON_BODY_MAX);
    }

    #[test]
    fn a_mounted_endpoint_does_not_change_the_limit_of_an_area() {
        let limits = BodyLimits::default().except("/api", 50).except("/own", 7);
        assert_eq!([limits.at("/api"), limits.at("/api/own"), limits.at("/own/x")], [50, 50, 7]);
        assert_eq!(limits.at("/api/machine/events"), limits::MACHINE_EVENTS_BODY_MAX);
        assert_eq!(limits.at("/api/wiki/articles/deploy"), limits::ARTICLE_REQUEST_MAX);
        assert_eq!(limits.at("/oauth/token"), limits::AUTH_BODY_MAX);
        assert_eq!(limits.at("/mcp"), limits::MCP_BODY_MAX);
        assert!(limits.at("/api/attachments") > limits::MCP_BODY_MAX);
    }

    async fn code(request: Request) -> String {
        let limits = BodyLimits::default().except("/", 5);
        let bodies = Arc::new(Bodies { limits, patience: Patience::default(), traffic: Arc::default() });
        let reads = make(|mut request: Request| async move {
            request.take_body().into_bytes().await?;
            Ok::<_, poem::Error>("read")
        });
        let limited = reads.around(move |next, request| limit(bodies.clone(), next, request));
        match limited.call(request).await {
            Ok(response) => response.into_body().into_string().await.unwrap(),
            Err(error) => error.downcast::<Problem>().unwrap().code().to_owned(),
        }
    }

    #[tokio::test]
    async fn large_bodies_are_rejected_announced_or_not() {
        let chunks = |text: &'static str| {
            let twice = [text; 2].map(Ok::<_, io::Error>);
            Body::from_bytes_stream(futures_util::stream::iter(twice))
        };
        assert_eq!(code(Request::builder().header("content-length", "6").body("123456")).await, "body_too_large");
        assert_eq!(code(Request::builder().header("content-length", "5").body("12345")).await, "read");
        assert_eq!(code(Request::builder().body(chunks("123"))).await, "body_too_large");
        assert_eq!(code(Request::builder().body(chunks("12"))).await, "read");
    }
}
