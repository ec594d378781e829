//! The request id: the client's own if it is valid, else a new one; on every response and, through a span, on every
//! log line.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::clock::Entropy;
use tracing::Instrument;

use crate::state::AppState;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST: usize = 128;

/// The id of the current request; handlers find it in the request's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn given(header: &HeaderValue) -> Option<Self> {
        let sane = (1..=LONGEST).contains(&header.len()) && header.as_bytes().iter().all(u8::is_ascii_graphic);
        if sane { header.to_str().ok().map(|text| Self(text.into())) } else { None }
    }

    fn new(entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; 16];
        entropy.fill(&mut bytes);
        Self(format!("{:032x}", u128::from_be_bytes(bytes)).into())
    }
}

/// Assigns the request id.
pub(crate) async fn identify<E: Endpoint>(state: AppState, next: Arc<E>, mut request: Request) -> Result<Response> {
    let given = request.headers().get(HEADER).and_then(RequestId::given);
    let id = given.unwrap_or_else(|| RequestId::new(state.hub().entropy()));
    request.extensions_mut().insert(id.clone());
    // A span of the error level exists whatever level the log is set to.
    let span = tracing::error_span!(target: "svc::http", "request", id = id.as_str());
    let mut response = next.call(request).instrument(span).await?.into_response();
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(HEADER, value);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use svc_core::clock::SystemEntropy;

    use super::*;

    fn taken(bytes: &[u8]) -> bool {
        RequestId::given(&HeaderValue::from_bytes(bytes).unwrap()).is_some()
    }

    #[test]
    fn visible_ascii_within_the_length_limit_is_accepted() {
        assert!(taken(b"a"));
        assert!(taken(b"req-42/{x}~!"));
        assert!(taken(&[b'x'; 128]));
    }

    #[test]
    fn anything_else_is_replaced() {
        for bytes in [&b""[..], b"two words", b"tab\there", "caf\u{e9}".as_bytes(), &[b'x'; 129]] {
            assert!(!taken(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn a_new_id_is_valid_itself() {
        let id = RequestId::new(&SystemEntropy);
        assert_eq!(id.as_str().len(), 32);
        assert!(taken(id.as_str().as_bytes()));
        assert_ne!(id, RequestId::new(&SystemEntropy));
    }
}
