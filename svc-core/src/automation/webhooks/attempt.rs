//! One attempt: a signed request to the endpoint, and what came of it.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use svc_model::webhooks::{DeliveryAttempt, DeliveryError};
use tokio::time::Instant;
use url::Url;

use super::secret::Secret;
use super::service::Webhooks;
use super::{address, signature};
use crate::error::Result;
use crate::ids::{AgentId, WebhookId};
use crate::limits;
use crate::net::{Bounds, PostError, Reply};
use crate::telemetry::{Attributes, OpenSpan, SpanKind, TraceContext};
use crate::timestamp::Timestamp;

/// The name of this program in requests.
pub(super) const AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// A request to be signed and sent.
pub(super) struct Request<'a> {
    pub(super) url: &'a str,
    pub(super) id: String,
    pub(super) event: &'a str,
    pub(super) depth: u32,
    pub(super) traceparent: Option<&'a str>,
    pub(super) body: &'a str,
    pub(super) secrets: Result<Vec<Secret>>,
}

/// An attempt, and how long the receiver asks to wait before the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) attempt: DeliveryAttempt,
    pub(super) retry_after: Duration,
}

impl Request<'_> {
    /// The headers that are the same in every attempt.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("user-agent", AGENT.to_owned()),
            ("webhook-id", self.id.clone()),
            ("svc-event", self.event.to_owned()),
            ("svc-depth", self.depth.to_string()),
        ];
        if let Some(traceparent) = self.traceparent {
            headers.push(("traceparent", traceparent.to_owned()));
        }
        headers
    }

    /// All headers, with the signature. An attempt with a span of its own says so to the receiver.
    fn signed(&self, secrets: &[Secret], now: Timestamp, own: Option<TraceContext>) -> HeaderMap {
        let seconds = now.as_micros().div_euclid(1_000_000);
        let signature = signature::header(secrets, &self.id, seconds, self.body);
        let mut all = self.headers();
        all.extend(own.map(|context| ("traceparent", context.to_string())));
        all.extend([("webhook-timestamp", seconds.to_string()), ("webhook-signature", signature)]);
        let mut headers = HeaderMap::new();
        for (name, value) in all {
            let name = match name {
                "content-type" => CONTENT_TYPE,
                "user-agent" => USER_AGENT,
                name => HeaderName::from_static(name),
            };
            // All values are visible ASCII; a traceparent that is not is left out.
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        headers
    }
}

impl Request<'_> {
    /// The attributes of the span of an attempt. Of the URL only the host: the rest may be a secret.
    fn attributes(&self, number: u32, status: Option<u32>) -> Attributes {
        let mut attributes: Attributes = vec![
            ("http.request.method", "POST".into()),
            ("http.request.resend_count", i64::from(number.saturating_sub(1)).into()),
            ("svc.webhook.event", self.event.to_owned().into()),
            ("svc.webhook.delivery.id", self.id.clone().into()),
        ];
        if let Ok(url) = self.url.parse::<Url>() {
            attributes.extend(url.host_str().map(|host| ("server.address", host.to_owned().into())));
            attributes.extend(url.port_or_known_default().map(|port| ("server.port", i64::from(port).into())));
        }
        attributes.extend(status.map(|status| ("http.response.status_code", i64::from(status).into())));
        attributes
    }
}

/// The id of a delivery for its receiver. The time makes it unique even if a store is restored and numbers are used
/// again.
pub(super) fn wire_id(delivery: i64, created_at: Timestamp) -> String {
    format!("dlv_{delivery}_{}", created_at.as_micros())
}

impl Webhooks {
    /// The secrets that sign a request now, the newest first. A previous one that cannot be opened is left out, because
    /// the current one signs.
    pub(super) fn open_secrets(
        &self,
        agent: AgentId,
        webhook: WebhookId,
        secret: &[u8],
        old: &[Vec<u8>],
    ) -> Result<Vec<Secret>> {
        let current = self.unseal(agent, webhook, secret)?;
        let old = old.iter().filter_map(|old| self.unseal(agent, webhook, old).ok());
        Ok(std::iter::once(current).chain(old).collect())
    }

    /// Makes an attempt.
    pub(super) async fn attempt(&self, request: &Request<'_>, number: u32) -> Attempt {
        let started_at = self.clock.now();
        let begun = Instant::now();
        let span = self.tracer.start(request.traceparent.and_then(TraceContext::parse));
        let answer = self.send(request, started_at, span.as_ref().map(OpenSpan::context)).await;
        let took = begun.elapsed();
        let duration_ms = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
        let (status, error, excerpt, retry_after) = match answer {
            Ok(reply) => {
                let wait = reply.retry_after(started_at).min(limits::WEBHOOK_RETRY_AFTER_MAX);
                (Some(u32::from(reply.status)), judged(reply.status), Some(excerpt(&reply.excerpt)), wait)
            }
            Err(error) => (None, Some(error), None, Duration::ZERO),
        };
        if let Some(span) = span {
            let error = error.map(|error| error.as_str().into());
            span.end("POST", SpanKind::Client, request.attributes(number, status), error, None);
        }
        Attempt { attempt: DeliveryAttempt { number, started_at, duration_ms, status, error, excerpt }, retry_after }
    }

    async fn send(
        &self,
        request: &Request<'_>,
        now: Timestamp,
        own: Option<TraceContext>,
    ) -> Result<Reply, DeliveryError> {
        let secrets = request.secrets.as_ref().map_err(|_| DeliveryError::Secret)?;
        // The settings may have changed since the URL was registered.
        let url: Url =
            address::parse(request.url, self.settings.allow_http).map_err(|_| DeliveryError::AddressRefused)?;
        let headers = request.signed(secrets, now, own);
        let bounds = Bounds { bytes: limits::WEBHOOK_EXCERPT_MAX, time: self.settings.attempt };
        self.client
            .post(&url, headers, request.body.as_bytes().to_vec(), bounds, limits::WEBHOOK_EXCERPT_TIME)
            .await
            .map_err(|error| match error {
                PostError::Refused => DeliveryError::AddressRefused,
                PostError::Connect => DeliveryError::Connect,
                PostError::Timeout => DeliveryError::Timeout,
                PostError::Protocol => DeliveryError::Protocol,
            })
    }
}

/// The failure that a status means; none for success.
fn judged(status: u16) -> Option<DeliveryError> {
    match status {
        200..=299 => None,
        300..=399 => Some(DeliveryError::Redirect),
        _ => Some(DeliveryError::Status),
    }
}

/// The beginning of an answer as text. It may be anything, so what is not text is replaced, and NUL, which the store
/// does not take, too.
fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_status_of_2xx_is_a_success() {
        for status in [200, 202, 204, 299] {
            assert_eq!(judged(status), None);
        }
        assert_eq!(judged(302), Some(DeliveryError::Redirect));
        for status in [100, 400, 410, 500] {
            assert_eq!(judged(status), Some(DeliveryError::Status));
        }
    }

    #[test]
    fn an_excerpt_is_text_whatever_was_sent() {
        assert_eq!(excerpt(b"ok\0\xff"), "ok\u{fffd}\u{fffd}");
    }
}
