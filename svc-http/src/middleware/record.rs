//! Leaves a trace of every action: of each change that somebody known asks for, and of each request
//! that an agent or a key makes. What a human's browser reads leaves none, nor does a live stream.
//!
//! What always holds: a trace names the operation, the pattern of its path, the status and the code
//! of the problem, and nothing that the caller wrote besides the request's id. A caller that goes away
//! before the answer leaves its trace all the same. Requests that the rate limit turns away did nothing
//! and leave none, so that a flood of them writes nothing.

use std::sync::Arc;
use std::time::Instant;

use poem::http::{Method, StatusCode};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use serde::Serialize;
use svc_core::{Actor, Caller, Credential, NewTrace};

use crate::error::{ProblemCode, code_of};
use crate::identity;
use crate::operations::{Operation, Operations};
use crate::state::AppState;

/// What recording works with.
pub(crate) struct Recorder {
    pub(crate) state: AppState,
    pub(crate) operations: Operations,
}

/// Records the request, if it is one to be recorded.
pub(crate) async fn record<E: Endpoint>(recorder: Arc<Recorder>, next: Arc<E>, request: Request) -> Result<Response> {
    let Some(action) = Action::of(&recorder, &request) else {
        return next.call(request).await.map(IntoResponse::into_response);
    };
    let response = next.call(request).await?.into_response();
    action.ended(&response).await;
    Ok(response)
}

/// An action under way.
struct Action<'r> {
    state: &'r AppState,
    operation: &'r Operation,
    caller: Arc<Caller>,
    method: Method,
    started: Instant,
    is_recorded: bool,
}

/// What a trace of the REST surface tells besides.
#[derive(Serialize)]
struct Details<'a> {
    method: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

impl<'r> Action<'r> {
    /// `None` for what leaves no trace.
    fn of(recorder: &'r Recorder, request: &Request) -> Option<Self> {
        let caller = identity::known(request)?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if reads && matches!(caller.credential(), Credential::Session(_)) {
            return None;
        }
        let operation = recorder.operations.find(request.method(), request.uri().path())?;
        let method = request.method().clone();
        let started = Instant::now();
        Some(Self { state: &recorder.state, operation, caller, method, started, is_recorded: false })
    }

    /// Queues the trace; waits while the queue is full.
    async fn ended(mut self, response: &Response) {
        self.is_recorded = true;
        if response.content_type().is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return;
        }
        let status = response.status();
        let trace = self.trace(Some(status), error(response));
        let traces = self.state.hub().traces();
        if let Err(trace) = traces.offer(trace) {
            let traces = traces.clone();
            // In a task of its own, so that a caller who goes away now does not take the trace along.
            let queued = tokio::spawn(async move { traces.record(*trace).await });
            // What could not be queued is counted and logged by then.
            drop(queued.await);
        }
    }

    fn trace(&self, status: Option<StatusCode>, error: Option<&str>) -> NewTrace {
        let visit = self.caller.visit();
        let details = Details {
            method: self.method.as_str(),
            path: &self.operation.path,
            status: status.map(|status| status.as_u16()),
        };
        NewTrace {
            owner: self.caller.owner(),
            agent: match self.caller.actor() {
                Actor::Agent(agent) => Some(agent.name.to_string()),
                Actor::User(_) | Actor::Root => None,
            },
            request_id: visit.request_id.clone(),
            duration: self.started.elapsed(),
            details: serde_json::value::to_raw_value(&details).ok(),
            error: error.map(ToOwned::to_owned),
            ..NewTrace::new(self.operation.id, visit.surface)
        }
    }
}

impl Drop for Action<'_> {
    fn drop(&mut self) {
        if self.is_recorded {
            return;
        }
        let trace = self.trace(None, Some("caller_gone"));
        let traces = self.state.hub().traces().clone();
        if let (Err(trace), Ok(runtime)) = (traces.offer(trace), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { traces.record(*trace).await });
        }
    }
}

/// Why the request failed, if it did.
fn error(response: &Response) -> Option<&str> {
    let status = response.status();
    let failed = status.is_client_error() || status.is_server_error();
    failed.then(|| response.extensions().get::<ProblemCode>().map_or_else(|| code_of(status), |code| code.0))
}
