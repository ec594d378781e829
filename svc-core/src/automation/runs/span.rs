//! The span of a run, by the conventions of OpenTelemetry for agents.
//!
//! A run that this node gives up, because another one has it or goes on with it, has no span here.

use std::borrow::Cow;

use svc_model::harness::{HarnessPreset, RunFailure};
use svc_model::runs::RunStatus;

use super::begin::Begun;
use super::outcome::Ending;
use crate::automation::harness::{RunEnd, RunJob, RunResult};
use crate::limits;
use crate::telemetry::{Attribute, Attributes, OpenSpan, SpanKind, TraceContext, Tracer};
use crate::timestamp::Timestamp;

/// The span of a run, if spans are wanted.
pub(super) struct RunSpan(Option<Work>);

struct Work {
    span: OpenSpan,
    agent: String,
    /// When it began, if another node began it.
    started_at: Option<Timestamp>,
    attributes: Attributes,
    failure: Option<RunFailure>,
}

impl RunSpan {
    /// Begins the span of a run, in the trace of its trigger.
    pub(super) fn start(tracer: &Tracer, begun: &Begun) -> Self {
        let parent = begun.traceparent.as_deref().and_then(TraceContext::parse);
        Self(tracer.start(parent).map(|span| {
            let (run, agent) = (&begun.run, &begun.prompt.agent);
            let attributes = vec![
                ("gen_ai.operation.name", "invoke_agent".into()),
                ("gen_ai.agent.name", agent.name.clone().into()),
                ("gen_ai.agent.id", run.agent_id.to_string().into()),
                ("svc.run.id", run.id.0.into()),
                ("svc.run.cause", run.cause.as_str().into()),
                ("svc.run.depth", i64::from(run.depth).into()),
            ];
            let started_at = run.started_at.filter(|_| begun.taken_up.is_some());
            Work { span, agent: agent.name.clone(), started_at, attributes, failure: None }
        }))
    }

    /// Makes the spans of the run's own program children of this one.
    pub(super) fn follow(&mut self, mut job: RunJob) -> RunJob {
        if let Some(work) = &mut self.0 {
            job.traceparent = Some(work.span.context().to_string());
            work.attributes.push(("svc.run.backend", job.settings.backend.as_str().into()));
            if let Some(provider) = job.settings.preset.and_then(provider) {
                work.attributes.push(("gen_ai.provider.name", provider.into()));
            }
        }
        job
    }

    /// Adds what the run reported: tokens, money and the session, and no text.
    pub(super) fn note(&mut self, ending: &Ending) {
        let Some(work) = &mut self.0 else { return };
        match &ending.end {
            RunEnd::Succeeded(result) => work.report(result),
            RunEnd::Failed { reason, result, .. } => {
                work.report(result);
                work.failure = Some(if ending.is_stopping { RunFailure::Interrupted } else { *reason });
            }
            RunEnd::Cancelled | RunEnd::Accepted if ending.is_stopping => {
                work.failure = Some(RunFailure::Interrupted);
            }
            RunEnd::Cancelled | RunEnd::Accepted => work.failure = Some(RunFailure::Internal),
        }
    }

    /// Passes the span on.
    pub(super) fn end(self, status: RunStatus) {
        let Some(mut work) = self.0 else { return };
        work.attributes.push(("svc.run.status", status.as_str().into()));
        let error = work.failure.filter(|_| status == RunStatus::Failed).map(|failure| Cow::from(failure.as_str()));
        let name = format!("invoke_agent {}", work.agent);
        work.span.end(name, SpanKind::Internal, work.attributes, error, work.started_at);
    }
}

impl Work {
    fn report(&mut self, result: &RunResult) {
        let usage = result.usage;
        if usage.tokens() > 0 {
            self.attributes.push(("gen_ai.usage.input_tokens", usage.tokens_in.into()));
            self.attributes.push(("gen_ai.usage.output_tokens", usage.tokens_out.into()));
        }
        if usage.tokens_cached > 0 {
            self.attributes.push(("gen_ai.usage.cache_read.input_tokens", usage.tokens_cached.into()));
        }
        if let Some(micros) = usage.cost_micros {
            self.attributes.push(("svc.run.cost_usd", Attribute::Real(dollars(micros))));
        }
        if let Some(session) = result.session_id.clone().filter(|id| id.len() <= limits::RUN_SESSION_MAX) {
            self.attributes.push(("gen_ai.conversation.id", session.into()));
        }
    }
}

/// The provider of the models that a program uses, as the conventions name it; none where that is a setting of the
/// program.
fn provider(preset: HarnessPreset) -> Option<&'static str> {
    match preset {
        HarnessPreset::Claude => Some("anthropic"),
        HarnessPreset::Codex => Some("openai"),
        HarnessPreset::Gemini => Some("gcp.gemini"),
        HarnessPreset::Opencode => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "costs are far below 2^53 millionths of a dollar")]
fn dollars(micros: i64) -> f64 {
    micros as f64 / 1_000_000.0
}
