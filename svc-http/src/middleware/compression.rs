//! Compresses responses with zstd, br or gzip, by the client's preference.
//!
//! Invariants: nothing is compressed twice; live streams and partial content are never compressed; caches are told
//! that the response depends on `Accept-Encoding`.

use std::sync::Arc;

use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::web::{Compress, CompressionAlgo, CompressionLevel};
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::body_size;

/// Minimum size: below it the headers outweigh the savings.
const SMALLEST: u64 = 1024;

/// The fastest level of br, which is the default of the library, compresses worse than gzip.
const BROTLI_LEVEL: CompressionLevel = CompressionLevel::Precise(5);

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Zstd,
    Brotli,
    Gzip,
}

/// In order of preference, for clients without one.
pub(crate) const CODINGS: [Coding; 3] = [Coding::Zstd, Coding::Brotli, Coding::Gzip];

impl Coding {
    /// Its name in headers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Its index in [`CODINGS`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Compresses bytes in memory, which cannot fail.
    pub(crate) async fn compress(self, body: Bytes) -> Bytes {
        let response = self.applied(Response::builder().body(Body::from_bytes(body)));
        response.into_body().into_bytes().await.unwrap_or_default()
    }

    fn applied(self, response: Response) -> Response {
        match self {
            Self::Zstd => Compress::new(response, CompressionAlgo::ZSTD).into_response(),
            Self::Brotli => Compress::new(response, CompressionAlgo::BR).with_quality(BROTLI_LEVEL).into_response(),
            Self::Gzip => Compress::new(response, CompressionAlgo::GZIP).into_response(),
        }
    }
}

/// Compresses the response where the client accepts it and it saves bytes.
pub(crate) async fn compress<E: Endpoint>(next: Arc<E>, request: Request) -> Result<Response> {
    let chosen = negotiate(request.headers());
    let mut response = next.call(request).await?.into_response();
    if !is_compressible(&response) || body_size::of(&mut response).is_some_and(|size| size < SMALLEST) {
        return Ok(response);
    }
    let varies = HeaderValue::from_static("accept-encoding");
    if !response.headers().get_all(header::VARY).iter().any(|line| *line == varies) {
        response.headers_mut().append(header::VARY, varies);
    }
    Ok(match chosen {
        Some(coding) => coding.applied(response),
        None => response,
    })
}

/// Whether compression makes a body of this type and size smaller.
pub(crate) fn is_worth_it(content_type: &str, size: usize) -> bool {
    is_compressible_type(content_type) && u64::try_from(size).unwrap_or(u64::MAX) >= SMALLEST
}

fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let whole =
        !matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED | StatusCode::PARTIAL_CONTENT);
    // `no-transform` responses may be resumed in the middle.
    let as_it_is = headers.get(header::CACHE_CONTROL).is_some_and(|rules| {
        rules.to_str().is_ok_and(|rules| rules.split(',').any(|rule| rule.trim() == "no-transform"))
    });
    whole
        && !as_it_is
        && !headers.contains_key(header::CONTENT_ENCODING)
        && response.content_type().is_some_and(is_compressible_type)
}

/// Whether bodies of this type are compressible. Live streams are, but must not wait in a buffer.
fn is_compressible_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/event-stream" => false,
        "application/json"
        | "application/javascript"
        | "application/x-ndjson"
        | "application/xml"
        | "application/openmetrics-text"
        | "application/wasm"
        | "image/svg+xml" => true,
        other => other.starts_with("text/") || other.ends_with("+json") || other.ends_with("+xml"),
    }
}

/// Whether the client accepts br with at least the weight of any other coding. A precompressed br body is smaller
/// than in any other coding and costs nothing to send, so it also wins against codings of equal weight.
pub(crate) fn prefers_brotli(headers: &HeaderMap) -> bool {
    let accepted = Accepted::read(headers);
    let brotli = accepted.weight("br");
    let others = CODINGS.iter().map(|coding| accepted.weight(coding.name()));
    brotli > 0.0 && others.fold(accepted.plain(), f32::max) <= brotli
}

/// The coding that the client prefers; `None` when it prefers uncompressed bytes as much.
pub(crate) fn negotiate(headers: &HeaderMap) -> Option<Coding> {
    let accepted = Accepted::read(headers);
    let mut best: Option<(Coding, f32)> = None;
    for coding in CODINGS {
        let weight = accepted.weight(coding.name());
        if weight > accepted.plain().max(best.map_or(0.0, |(_, weight)| weight)) {
            best = Some((coding, weight));
        }
    }
    best.map(|(coding, _)| coding)
}

/// The accepted codings with their weights.
struct Accepted<'a>(Vec<(&'a str, f32)>);

impl<'a> Accepted<'a> {
    fn read(headers: &'a HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
        Self(lines.flat_map(|line| line.split(',')).filter_map(weighted).collect())
    }

    fn weight(&self, coding: &str) -> f32 {
        self.named(coding).or_else(|| self.named("*")).unwrap_or(0.0)
    }

    /// Weight of `identity`. Every client accepts it; this counts only for those that ask for it.
    fn plain(&self) -> f32 {
        self.named("identity").unwrap_or(0.0)
    }

    fn named(&self, wanted: &str) -> Option<f32> {
        self.0.iter().find(|(coding, _)| coding.eq_ignore_ascii_case(wanted)).map(|(_, weight)| *weight)
    }
}

/// Parses `br;q=0.5` to a name and a weight; malformed entries are ignored.
fn weighted(entry: &str) -> Option<(&str, f32)> {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let weight = match parts.next() {
        None => 1.0,
        Some(parameter) => parameter.strip_prefix("q=").or(parameter.strip_prefix("Q="))?.trim().parse().ok()?,
    };
    (0.0..=1.0).contains(&weight).then_some((name, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(accept: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, accept.parse().unwrap())])
    }

    fn chosen(accept: &str) -> Option<Coding> {
        negotiate(&accepting(accept))
    }

    #[test]
    fn the_callers_preference_counts() {
        assert_eq!(chosen("gzip"), Some(Coding::Gzip));
        assert_eq!(chosen("gzip, deflate, br, zstd"), Some(Coding::Zstd));
        assert_eq!(chosen("gzip;q=1.0, br;q=0.5"), Some(Coding::Gzip));
        assert_eq!(chosen("GZIP ; q=0.2"), Some(Coding::Gzip));
        assert_eq!(chosen("*"), Some(Coding::Zstd));
        assert_eq!(chosen("zstd;q=0, *"), Some(Coding::Brotli));
    }

    #[test]
    fn plain_bytes_are_sent_to_everybody_else() {
        for accept in ["", "identity", "gzip;q=0", "deflate", "gzip;q=nonsense", "gzip;q=7", "identity, gzip;q=0.5"] {
            assert_eq!(chosen(accept), None, "{accept}");
        }
    }

    #[test]
    fn precompressed_br_is_sent_unless_another_coding_is_preferred() {
        let liked = ["br", "gzip, deflate, br, zstd", "BR;q=0.5, gzip;q=0.5", "*", "deflate, br;q=0.9", "br, identity"];
        for accept in liked {
            assert!(prefers_brotli(&accepting(accept)), "{accept}");
        }
        let unwanted =
            ["", "gzip, zstd", "identity", "br;q=0", "br;q=0, *", "br;q=0, gzip;q=0", "br;q=nonsense", "brr"];
        let liked_less = ["br;q=0.9, gzip", "zstd, br;q=0.5", "br;q=0.5, *", "br;q=0.5, identity"];
        for accept in unwanted.into_iter().chain(liked_less) {
            assert!(!prefers_brotli(&accepting(accept)), "{accept}");
        }
    }

    #[test]
    fn only_text_shrinks() {
        for content_type in ["text/html; charset=utf-8", "application/problem+json", "image/svg+xml", "text/css"] {
            assert!(is_compressible_type(content_type), "{content_type}");
        }
        for content_type in ["text/event-stream", "image/png", "font/woff2", "application/zip", ""] {
            assert!(!is_compressible_type(content_type), "{content_type}");
        }
    }
}
