//! Responses that a browser may cache: an entity tag, and 304 for clients that have it already.
//!
//! Invariants: a body is compressed at most once in each coding, however often it is requested. A precompressed body
//! is sent as it is to clients that accept its coding.

use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{Body, Response};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::middleware::compression::{self, Coding};

/// A body that does not change while the server runs.
pub(super) struct Cached {
    body: Bytes,
    brotli: Option<Bytes>,
    /// Compressed bodies, made on demand, in the order of [`compression::CODINGS`].
    compressed: [OnceCell<Bytes>; compression::CODINGS.len()],
    content_type: &'static str,
    cache_control: &'static str,
    tag: String,
}

impl Cached {
    /// A body with its content type and its cache policy.
    pub(super) fn new(body: impl Into<Bytes>, content_type: &'static str, cache_control: &'static str) -> Self {
        let body = body.into();
        // Half of the digest distinguishes files as well as all of it.
        let half = Sha256::digest(&body).iter().take(16).fold(0_u128, |word, byte| word << 8 | u128::from(*byte));
        // Weak, because the same tag covers the compressed forms too.
        let (tag, compressed) = (format!("W/\"{half:032x}\""), std::array::from_fn(|_| OnceCell::new()));
        Self { body, brotli: None, compressed, content_type, cache_control, tag }
    }

    /// Adds the body precompressed with brotli.
    pub(super) fn with_brotli(mut self, brotli: impl Into<Bytes>) -> Self {
        self.brotli = Some(brotli.into());
        self
    }

    /// Whether it is an HTML page, rather than a part of one.
    pub(super) fn is_page(&self) -> bool {
        self.content_type.starts_with("text/html")
    }

    /// The body, or 304 if the request's headers state that the client has it.
    pub(super) async fn answer(&self, headers: &HeaderMap) -> Response {
        let mut builder =
            Response::builder().header(header::CACHE_CONTROL, self.cache_control).header(header::ETAG, &self.tag);
        let shrinks = self.brotli.is_some() || compression::is_worth_it(self.content_type, self.body.len());
        if shrinks {
            builder = builder.header(header::VARY, "accept-encoding");
        }
        if headers.get_all(header::IF_NONE_MATCH).iter().any(|line| self.is_among(line)) {
            return builder.status(StatusCode::NOT_MODIFIED).finish();
        }
        let builder = builder.content_type(self.content_type);
        match &self.brotli {
            Some(brotli) if compression::prefers_brotli(headers) => {
                builder.header(header::CONTENT_ENCODING, "br").body(Body::from_bytes(brotli.clone()))
            }
            _ => match compression::negotiate(headers).filter(|_| shrinks) {
                Some(coding) => {
                    let body = self.compressed(coding).await;
                    builder.header(header::CONTENT_ENCODING, coding.name()).body(Body::from_bytes(body))
                }
                None => builder.body(Body::from_bytes(self.body.clone())),
            },
        }
    }

    /// The body in this coding, compressed at the first request.
    async fn compressed(&self, coding: Coding) -> Bytes {
        let made = self.compressed[coding.index()].get_or_init(|| coding.compress(self.body.clone()));
        made.await.clone()
    }

    /// Weak comparison: `W/` makes no difference.
    fn is_among(&self, line: &HeaderValue) -> bool {
        let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        let ours = bare(&self.tag);
        line.to_str().is_ok_and(|line| line.trim() == "*" || line.split(',').any(|tag| bare(tag) == ours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_known_tag_gets_304() {
        let cached = Cached::new("body", "text/plain", "no-cache");
        let status = async |tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, tag.parse().unwrap());
            cached.answer(&headers).await.status().as_u16()
        };
        assert_eq!(status(&cached.tag).await, 304);
        assert_eq!(status(cached.tag.trim_start_matches("W/")).await, 304);
        assert_eq!(status(&format!("\"other\", {}", cached.tag)).await, 304);
        assert_eq!(status("*").await, 304);
        assert_eq!(status("\"other\"").await, 200);
    }

    #[tokio::test]
    async fn a_body_is_compressed_once() {
        let cached = Cached::new("word ".repeat(1000), "text/plain", "no-cache");
        for coding in ["gzip", "br", "zstd"] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, coding.parse().unwrap())]);
            let sent = async || {
                let response = cached.answer(&headers).await;
                assert_eq!(response.headers()[header::CONTENT_ENCODING], coding);
                response.into_body().into_bytes().await.unwrap()
            };
            let (first, second) = (sent().await, sent().await);
            assert!(first.len() < 500 && first.as_ptr() == second.as_ptr(), "{coding}");
        }
        let small = Cached::new("small", "text/plain", "no-cache");
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, "gzip".parse().unwrap())]);
        assert!(!small.answer(&headers).await.headers().contains_key(header::CONTENT_ENCODING));
    }
}
