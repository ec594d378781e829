//! The requests to a collector.
//!
//! Invariants: a failure is logged when the collector stops answering, and again when it answers; rejected parts of
//! exports are logged when they begin. The log has the host of the collector, and neither its URL nor a header. No more
//! of an answer is read than a rejection needs.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response};
use svc_core::limits;

use super::answer::Rejected;
use super::meter::Meter;
use super::settings::Target;

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
    is_rejecting: AtomicBool,
}

impl Collector {
    pub(super) fn new(client: Client, target: Target, signal: &'static str, meter: Arc<Meter>) -> Self {
        let (is_failing, is_rejecting) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { client, target, signal, meter, is_failing, is_rejecting }
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Sends an export. Returns how many of its spans or data points the collector rejected.
    pub(super) async fn send(&self, body: Vec<u8>) -> Result<u64, Refusal> {
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
            return Ok(self.rejected(answer).await);
        }
        let wait = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let is_temporary = matches!(status.as_u16(), 429 | 502 | 503 | 504);
        let refusal = Refusal { is_temporary, wait: wait.map(Duration::from_secs) };
        Err(self.failed(refusal, &format!("status {}", status.as_u16())))
    }

    /// Reads an answer, and counts what the collector rejected.
    async fn rejected(&self, answer: Response) -> u64 {
        let rejected = Rejected::read(self.target.encoding, &beginning(answer).await);
        self.meter.rejected(self.signal, rejected.count);
        let is_rejecting = rejected != Rejected::default();
        if !self.is_rejecting.swap(is_rejecting, Ordering::Relaxed) && is_rejecting {
            let (signal, host) = (self.signal, self.target.url.host_str().unwrap_or_default());
            let (count, reason) = (rejected.count, rejected.reason.as_str());
            let sentence = "the collector took telemetry in part or with a warning";
            tracing::warn!(target: "svc::telemetry", signal, host, count, reason, "{sentence}");
        }
        rejected.count
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

/// The body of an answer, as far as it arrives and is not too long.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        if body.len() + chunk.len() > limits::TELEMETRY_ANSWER_BYTES {
            break;
        }
        body.extend_from_slice(&chunk);
    }
    body
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
