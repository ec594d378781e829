//! Compresses answers with zstd, br or gzip, whichever the caller likes best.
//!
//! What always holds: nothing is compressed twice, live streams and parts of files never are, and
//! a cache is told that the answer depends on what was accepted.

use std::sync::Arc;

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::web::{Compress, CompressionAlgo, CompressionLevel};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use super::body_size;

/// Below this the headers weigh more than what is saved.
const SMALLEST: u64 = 1024;

/// The fastest level of br, which is the default here, does worse than gzip.
const BROTLI_LEVEL: CompressionLevel = CompressionLevel::Precise(5);

/// In the order of our preference, for callers without one.
const CODINGS: [(&str, CompressionAlgo); 3] =
    [("zstd", CompressionAlgo::ZSTD), ("br", CompressionAlgo::BR), ("gzip", CompressionAlgo::GZIP)];

/// Compresses the answer where that is wanted and worth it.
pub(crate) async fn compress<E: Endpoint>(next: Arc<E>, request: Request) -> Result<Response> {
    let chosen = negotiate(request.headers());
    let mut response = next.call(request).await?.into_response();
    if !is_compressible(&response) || body_size::of(&mut response).is_some_and(|size| size < SMALLEST) {
        return Ok(response);
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
    Ok(match chosen {
        Some(CompressionAlgo::BR) => {
            Compress::new(response, CompressionAlgo::BR).with_quality(BROTLI_LEVEL).into_response()
        }
        Some(coding) => Compress::new(response, coding).into_response(),
        None => response,
    })
}

fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let whole =
        !matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED | StatusCode::PARTIAL_CONTENT);
    // What asks to be sent as it is may be resumed in the middle.
    let as_it_is = headers.get(header::CACHE_CONTROL).is_some_and(|rules| {
        rules.to_str().is_ok_and(|rules| rules.split(',').any(|rule| rule.trim() == "no-transform"))
    });
    whole
        && !as_it_is
        && !headers.contains_key(header::CONTENT_ENCODING)
        && response.content_type().is_some_and(is_wordy)
}

/// Whether bodies of this type shrink. Live streams do, but they must not wait in a buffer.
fn is_wordy(content_type: &str) -> bool {
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

/// The coding that the caller likes best; `None` when it likes plain bytes as much.
fn negotiate(headers: &HeaderMap) -> Option<CompressionAlgo> {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let accepted: Vec<(&str, f32)> = lines.flat_map(|line| line.split(',')).filter_map(weighted).collect();
    let weight = |name: &str| {
        let named = |wanted: &str| accepted.iter().find(|(coding, _)| coding.eq_ignore_ascii_case(wanted));
        named(name).or_else(|| named("*")).map_or(0.0, |(_, weight)| *weight)
    };
    let plain = accepted.iter().find(|(coding, _)| *coding == "identity").map_or(0.0, |(_, weight)| *weight);
    let mut best: Option<(CompressionAlgo, f32)> = None;
    for (name, coding) in CODINGS {
        let weight = weight(name);
        if weight > plain.max(best.map_or(0.0, |(_, weight)| weight)) {
            best = Some((coding, weight));
        }
    }
    best.map(|(coding, _)| coding)
}

/// `br;q=0.5` as a name and a weight; what cannot be read is left out.
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

    fn chosen(accept: &str) -> Option<CompressionAlgo> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        negotiate(&headers)
    }

    #[test]
    fn the_callers_preference_counts() {
        assert_eq!(chosen("gzip"), Some(CompressionAlgo::GZIP));
        assert_eq!(chosen("gzip, deflate, br, zstd"), Some(CompressionAlgo::ZSTD));
        assert_eq!(chosen("gzip;q=1.0, br;q=0.5"), Some(CompressionAlgo::GZIP));
        assert_eq!(chosen("GZIP ; q=0.2"), Some(CompressionAlgo::GZIP));
        assert_eq!(chosen("*"), Some(CompressionAlgo::ZSTD));
        assert_eq!(chosen("zstd;q=0, *"), Some(CompressionAlgo::BR));
    }

    #[test]
    fn plain_bytes_are_sent_to_everybody_else() {
        for accept in ["", "identity", "gzip;q=0", "deflate", "gzip;q=nonsense", "gzip;q=7", "identity, gzip;q=0.5"] {
            assert_eq!(chosen(accept), None, "{accept}");
        }
    }

    #[test]
    fn only_text_shrinks() {
        for content_type in ["text/html; charset=utf-8", "application/problem+json", "image/svg+xml", "text/css"] {
            assert!(is_wordy(content_type), "{content_type}");
        }
        for content_type in ["text/event-stream", "image/png", "font/woff2", "application/zip", ""] {
            assert!(!is_wordy(content_type), "{content_type}");
        }
    }
}
