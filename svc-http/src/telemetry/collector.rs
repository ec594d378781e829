//! The requests to a collector.
//!
//! Invariants: a failure is logged when the collector stops answering, and again when it answers; the log has the host
//! of the collector, and neither its URL nor a header.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::Client;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use svc_core::{Error, Result};

use super::meter::Meter;
use super::settings::Target;

/// The name of this program in requests.
const AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// A failed export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Whether the same export may succeed later.
    pub(super) is_temporary: bool,
    /// The time that the collector asks to wait.
    pub(super) wait: Option<Duration>,
}

/// The collector of a signal.
pub(super) struct Collector {
    client: Client,
    target: Target,
    signal: &'static str,
    meter: Arc<Meter>,
    is_failing: AtomicBool,
}

/// The client of all exports. Its addresses are those that the operator has set.
#[expect(
    clippy::disallowed_methods,
    reason = "the operator names the collector, which is usually in a private network"
)]
pub(super) fn client() -> Result<Client> {
    // Fails only when there is one already.
    rustls::crypto::ring::default_provider().install_default().ok();
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .user_agent(AGENT)
        .build()
        .map_err(|error| Error::internal("the HTTP client cannot be created").with_source(error))
}

impl Collector {
    pub(super) fn new(client: Client, target: Target, signal: &'static str, meter: Arc<Meter>) -> Self {
        Self { client, target, signal, meter, is_failing: AtomicBool::new(false) }
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Sends an export.
    pub(super) async fn send(&self, body: Vec<u8>) -> Result<(), Refusal> {
        let (body, coding) = if self.target.is_compressed { compressed(body) } else { (body, None) };
        let mut request = self.client.post(self.target.url.clone()).timeout(self.target.timeout);
        request = request.headers(self.target.headers.clone());
        request = request.header(CONTENT_TYPE, self.target.encoding.content_type());
        if let Some(coding) = coding {
            request = request.header(CONTENT_ENCODING, coding);
        }
        let answer = match request.body(body).send().await {
            Ok(answer) => answer,
            Err(error) => return Err(self.failed(Refusal { is_temporary: true, wait: None }, &cause(error))),
        };
        let status = answer.status();
        if status.is_success() {
            self.answered();
            return Ok(());
        }
        let wait = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let is_temporary = matches!(status.as_u16(), 429 | 502 | 503 | 504);
        let refusal = Refusal { is_temporary, wait: wait.map(Duration::from_secs) };
        Err(self.failed(refusal, &format!("status {}", status.as_u16())))
    }

    fn failed(&self, refusal: Refusal, cause: &str) -> Refusal {
        self.meter.failed(self.signal);
        if !self.is_failing.swap(true, Ordering::Relaxed) {
            let (signal, host) = (self.signal, self.target.url.host_str().unwrap_or_default());
            tracing::warn!(target: "svc::telemetry", signal, host, cause, "the collector does not take telemetry");
        }
        refusal
    }

    fn answered(&self) {
        if self.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!(target: "svc::telemetry", signal = self.signal, "the collector takes telemetry again");
        }
    }
}

/// The reason of a failure, without the URL.
fn cause(error: reqwest::Error) -> String {
    let kind = if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "no connection"
    } else {
        "a broken connection"
    };
    let error = error.without_url();
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    format!("{kind}: {deepest}")
}

/// The body with gzip, or as it is if that fails.
fn compressed(body: Vec<u8>) -> (Vec<u8>, Option<&'static str>) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    match encoder.write_all(&body).and_then(|()| encoder.finish()) {
        Ok(small) => (small, Some("gzip")),
        Err(_) => (body, None),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_compressed_body_is_that_of_gzip() {
        let (small, coding) = compressed(b"telemetry".repeat(100));
        let mut whole = Vec::new();
        GzDecoder::new(small.as_slice()).read_to_end(&mut whole).unwrap();
        assert_eq!((whole, coding), (b"telemetry".repeat(100), Some("gzip")));
    }
}
