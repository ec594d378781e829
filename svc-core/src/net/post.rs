//! Posting to a URL of untrusted origin, and reading the beginning of the answer.

use std::error::Error as StdError;
use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::guarded::{Bounds, GuardedClient, check_address};
use crate::error::Error;
use crate::timestamp::Timestamp;

/// An answer, with at most as many bytes of its body as the limits allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The header `Retry-After`.
    retry_after: Option<String>,
    pub(crate) excerpt: Vec<u8>,
}

impl Reply {
    /// The time that the receiver asks to wait for: seconds or a date; zero when it does not.
    pub(crate) fn retry_after(&self, now: Timestamp) -> Duration {
        self.retry_after.as_deref().map_or(Duration::ZERO, |text| retry_after(text, now))
    }
}

/// The reason why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PostError {
    /// The address is not allowed.
    Refused,
    /// The name was not found, or no connection could be made.
    Connect,
    /// There was no answer in time.
    Timeout,
    /// The connection broke, or the answer was not valid HTTP.
    Protocol,
}

impl GuardedClient {
    /// Posts a body. The time limit covers everything, from the name lookup to the last byte of the answer. After the
    /// status has arrived, the answer's body is read for `reading` at most; the rest is ignored.
    pub(crate) async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        bounds: Bounds,
        reading: Duration,
    ) -> Result<Reply, PostError> {
        check_address(url, self.allowed()).map_err(|_| PostError::Refused)?;
        let deadline = Instant::now() + bounds.time;
        let client = self.client().await.map_err(|_| PostError::Connect)?;
        let sent = client.post(url.clone()).headers(headers).body(body).send();
        let answer = timeout_at(deadline, sent).await.map_err(|_| PostError::Timeout)?;
        let mut answer = answer.map_err(|error| class(&error))?;
        let retry_after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        // The status decides, so a slow body must not hold a place.
        let deadline = deadline.min(Instant::now() + reading);
        let mut excerpt = Vec::new();
        while excerpt.len() < bounds.bytes {
            // Ended, broken or too late: the status has arrived, and that decides.
            let Ok(Ok(Some(chunk))) = timeout_at(deadline, answer.chunk()).await else { break };
            excerpt.extend_from_slice(&chunk);
        }
        excerpt.truncate(bounds.bytes);
        Ok(Reply { status: answer.status().as_u16(), retry_after, excerpt })
    }
}

fn class(error: &reqwest::Error) -> PostError {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<Error>().is_some_and(|error| error.code() == "address_refused") {
            return PostError::Refused;
        }
        cause = error.source();
    }
    if error.is_timeout() {
        PostError::Timeout
    } else if error.is_connect() {
        PostError::Connect
    } else {
        PostError::Protocol
    }
}

fn retry_after(text: &str, now: Timestamp) -> Duration {
    match text.trim().parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => match jiff::fmt::rfc2822::parse(text.trim()) {
            Ok(date) => Timestamp::from_micros(date.timestamp().as_microsecond()).since(now),
            Err(_) => Duration::ZERO,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_can_ask_for_a_pause() {
        let now = Timestamp::from_micros(1_767_225_600_000_000);
        for (text, seconds) in [
            ("7", 7),
            ("0", 0),
            ("99999999999", 99_999_999_999),
            ("Thu, 01 Jan 2026 00:00:30 GMT", 30),
            ("Thu, 01 Jan 2026 05:00:00 GMT", 18_000),
            ("Wed, 31 Dec 2025 23:59:00 GMT", 0),
            ("-3", 0),
            ("soon", 0),
        ] {
            assert_eq!(retry_after(text, now).as_secs(), seconds, "{text}");
        }
    }
}
