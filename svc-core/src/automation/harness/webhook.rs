//! Runs behind a URL: the job is posted as a signed request, and the answer is the result, or 202 and the result
//! later.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use serde_json::json;
use svc_model::harness::RunFailure;
use tokio_util::sync::CancellationToken;

use super::log::LogSink;
use super::{Harness, RunEnd, RunJob, report};
use crate::automation::webhooks::{Secret, parse_address, signature_header};
use crate::clock::Clock;
use crate::limits;
use crate::net::{Bounds, GuardedClient, PostError, Reply};

/// The secret of the agent or its owner that signs requests.
const SECRET: &str = "WEBHOOK_SECRET";
/// The name of the event.
const EVENT: &str = "run.requested";

pub(super) struct Webhook {
    client: Arc<GuardedClient>,
    clock: Arc<dyn Clock>,
    allow_http: bool,
}

impl Webhook {
    pub(super) fn new(client: Arc<GuardedClient>, clock: Arc<dyn Clock>, allow_http: bool) -> Self {
        Self { client, clock, allow_http }
    }

    async fn post(&self, job: &RunJob) -> Result<Reply, (RunFailure, String)> {
        let secret = job.secrets.get(SECRET).map(|text| Secret::parse(text));
        let Some(Ok(secret)) = secret else {
            let detail = format!(
                "The request cannot be signed: set the secret {SECRET} of the agent to whsec_ and the base64 of 24 to 64 bytes."
            );
            return Err((RunFailure::Secret, detail));
        };
        let text = job.settings.url.as_deref().unwrap_or_default();
        let url = parse_address(text, self.allow_http).map_err(|error| (RunFailure::Settings, error.to_string()))?;
        let body = self.body(job);
        let headers = self.headers(job, &secret, &body);
        let time = Duration::from_secs(job.settings.timeout_seconds.into());
        let bounds = Bounds { bytes: limits::RUN_REPORT_MAX + 1, time };
        self.client.post(&url, headers, body.into_bytes(), bounds, time).await.map_err(|error| match error {
            PostError::Refused => {
                (RunFailure::Unreachable, "The address is not allowed: it is not on the public internet.".to_owned())
            }
            PostError::Connect => (RunFailure::Unreachable, "No connection could be made.".to_owned()),
            PostError::Timeout => {
                (RunFailure::Timeout, format!("There was no answer in {} seconds.", job.settings.timeout_seconds))
            }
            PostError::Protocol => {
                (RunFailure::Unreachable, "The connection broke, or the answer was not HTTP.".to_owned())
            }
        })
    }

    fn body(&self, job: &RunJob) -> String {
        let result_url =
            job.hub_url.as_ref().map(|url| format!("{}/api/runs/{}/result", url.trim_end_matches('/'), job.run));
        let body = json!({
            "type": EVENT,
            "timestamp": self.clock.now(),
            "data": {
                "run_id": job.run,
                "agent": job.agent,
                "prompt": job.prompt,
                "messages": job.messages["messages"],
                "instructions": job.instructions,
                "session_id": job.session_id,
                "depth": job.depth,
                "timeout_seconds": job.settings.timeout_seconds,
                "hub_url": job.hub_url,
                "result_url": result_url,
                "credential": job.credential,
            }
        });
        body.to_string()
    }

    fn headers(&self, job: &RunJob, secret: &Secret, body: &str) -> HeaderMap {
        let id = format!("run_{}", job.run);
        let seconds = self.clock.now().as_micros().div_euclid(1_000_000);
        let signature = signature_header(std::slice::from_ref(secret), &id, seconds, body);
        let mut all = vec![
            ("webhook-id", id),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", signature),
            ("svc-event", EVENT.to_owned()),
            ("svc-depth", job.depth.to_string()),
        ];
        all.extend(job.traceparent.clone().map(|context| ("traceparent", context)));
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("svc/", env!("CARGO_PKG_VERSION"))));
        for (name, value) in all {
            // A trace context that is not visible ASCII is left out.
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        headers
    }
}

#[async_trait]
impl Harness for Webhook {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        let reply = tokio::select! {
            reply = self.post(job) => reply,
            () = cancel.cancelled() => return RunEnd::Cancelled,
        };
        match reply {
            Ok(reply) => judge(job, &reply, log),
            Err((reason, detail)) => RunEnd::failed(reason, detail),
        }
    }
}

fn judge(job: &RunJob, reply: &Reply, log: &LogSink) -> RunEnd {
    log.note(&format!("the endpoint answered with the status {}", reply.status));
    log.write(&reply.excerpt);
    match reply.status {
        202 => return RunEnd::Accepted,
        200..=299 => {}
        status => {
            let said = String::from_utf8_lossy(&reply.excerpt);
            let end = said.floor_char_boundary(limits::RUN_DETAIL_MAX / 2);
            let detail = format!("The endpoint answered with the status {status}.\n\n{}", said[..end].trim());
            return RunEnd::failed(RunFailure::Status, detail.trim_end());
        }
    }
    if reply.excerpt.len() > limits::RUN_REPORT_MAX {
        return RunEnd::failed(RunFailure::Report, "The answer is larger than a report may be.");
    }
    if reply.excerpt.trim_ascii().is_empty() {
        // It may have answered with messages of its own.
        return RunEnd::Succeeded(super::RunResult::default());
    }
    match report::parse(&reply.excerpt) {
        Ok(report) => {
            let error = report.error.clone();
            let result = report::result(report, &job.settings);
            match error {
                Some(error) => RunEnd::Failed { reason: RunFailure::Report, detail: error, result },
                None => RunEnd::Succeeded(result),
            }
        }
        Err(reason) => RunEnd::failed(RunFailure::Report, format!("The answer is no report: {reason}.")),
    }
}
