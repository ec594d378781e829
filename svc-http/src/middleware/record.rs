//! Records a trace of every action: of each change by an authenticated caller, and of each request by an agent, a key
//! or a machine. Reads by a human's browser and live streams are not recorded.
//!
//! Invariants: a trace contains the operation, the pattern of its path, the status and the code of the problem, and
//! no input of the caller except the request id. A caller that disconnects before the response is recorded as well.
//! Rate-limited requests are not recorded, so that a flood of them writes nothing.

use std::sync::Arc;
use std::time::Instant;

use poem::http::{Method, StatusCode};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use serde::Serialize;
use svc_core::Caller;
use svc_core::auth::{Actor, Credential, Visit};
use svc_core::ids::UserId;
use svc_core::traces::NewTrace;

use crate::error::{ProblemCode, code_of};
use crate::identity::{self, Signatory};
use crate::operations::{Operation, Operations};
use crate::state::AppState;

/// Operations that count as reads, although their method may change something. Web pages repeat them by themselves.
const LOOKS: &[&str] = &["set_presence", "test_agent_connection"];

/// Dependencies of recording.
pub(crate) struct Recorder {
    pub(crate) state: AppState,
    pub(crate) operations: Operations,
}

/// Records the request, if its kind is recorded.
pub(crate) async fn record<E: Endpoint>(recorder: Arc<Recorder>, next: Arc<E>, request: Request) -> Result<Response> {
    let Some(action) = Action::of(&recorder, &request) else {
        return next.call(request).await.map(IntoResponse::into_response);
    };
    let response = next.call(request).await?.into_response();
    action.ended(&response).await;
    Ok(response)
}

/// An action in progress.
struct Action<'r> {
    state: &'r AppState,
    operation: &'r Operation,
    actor: Requester,
    method: Method,
    started: Instant,
    is_recorded: bool,
}

/// The actor.
enum Requester {
    Caller(Arc<Caller>),
    /// A machine, which is known once its signature is verified; an unverified one has done nothing.
    Machine(Signatory, Visit),
}

impl Requester {
    /// `None` for a request that is not recorded.
    fn of(request: &Request, operation: &Operation) -> Option<Self> {
        if let Some(signatory) = request.extensions().get::<Signatory>() {
            return Some(Self::Machine(signatory.clone(), identity::visit(request)));
        }
        let caller = identity::known(request)?;
        let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        let reads = safe || LOOKS.contains(&operation.id);
        let shown = !(reads && matches!(caller.credential(), Credential::Session(_)));
        shown.then_some(Self::Caller(caller))
    }

    /// Whether the actor is known.
    fn is_known(&self) -> bool {
        match self {
            Self::Caller(_) => true,
            Self::Machine(signatory, _) => signatory.get().is_some(),
        }
    }

    fn visit(&self) -> &Visit {
        match self {
            Self::Caller(caller) => caller.visit(),
            Self::Machine(_, visit) => visit,
        }
    }

    fn owner(&self) -> Option<UserId> {
        match self {
            Self::Caller(caller) => caller.owner(),
            Self::Machine(..) => None,
        }
    }

    fn agent(&self) -> Option<String> {
        match self {
            Self::Caller(caller) => match caller.actor() {
                Actor::Agent(agent) => Some(agent.name.to_string()),
                Actor::User(_) | Actor::Root => None,
            },
            Self::Machine(..) => None,
        }
    }
}

/// Additional details of traces of the REST surface.
#[derive(Serialize)]
struct Details<'a> {
    method: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// The machine principal, and the key that it signed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    principal_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kid: Option<&'a str>,
    /// Identifies the data that the machine sent, whatever it used as its request id.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_id: Option<&'a str>,
}

impl<'r> Action<'r> {
    /// `None` for a request that is not recorded.
    fn of(recorder: &'r Recorder, request: &Request) -> Option<Self> {
        let operation = recorder.operations.find(request.method(), request.uri().path())?;
        let actor = Requester::of(request, operation)?;
        let method = request.method().clone();
        let started = Instant::now();
        Some(Self { state: &recorder.state, operation, actor, method, started, is_recorded: false })
    }

    /// Queues the trace; waits while the queue is full.
    async fn ended(mut self, response: &Response) {
        self.is_recorded = true;
        let is_stream = response.content_type().is_some_and(|kind| kind.starts_with("text/event-stream"));
        if is_stream || !self.actor.is_known() {
            return;
        }
        let status = response.status();
        let trace = self.trace(Some(status), error(response));
        let traces = self.state.hub().traces();
        if let Err(trace) = traces.offer(trace) {
            let traces = traces.clone();
            // In a separate task, so that a caller that disconnects now does not cancel it.
            let queued = tokio::spawn(async move { traces.record(*trace).await });
            // A trace that could not be queued is counted and logged by then.
            drop(queued.await);
        }
    }

    fn trace(&self, status: Option<StatusCode>, error: Option<&str>) -> NewTrace {
        let visit = self.actor.visit();
        let signed = match &self.actor {
            Requester::Machine(signatory, _) => signatory.get(),
            Requester::Caller(_) => None,
        };
        let details = Details {
            method: self.method.as_str(),
            path: &self.operation.path,
            status: status.map(|status| status.as_u16()),
            principal_id: signed.map(|signed| signed.principal_id.as_str()),
            kid: signed.map(|signed| signed.kid.as_str()),
            signature_id: signed.map(|signed| signed.signature_id.as_str()),
        };
        NewTrace {
            owner: self.actor.owner(),
            agent: self.actor.agent(),
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
        if self.is_recorded || !self.actor.is_known() {
            return;
        }
        let trace = self.trace(None, Some("caller_gone"));
        let traces = self.state.hub().traces().clone();
        if let (Err(trace), Ok(runtime)) = (traces.offer(trace), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { traces.record(*trace).await });
        }
    }
}

/// The code of the error, if the request failed.
fn error(response: &Response) -> Option<&str> {
    let status = response.status();
    let failed = status.is_client_error() || status.is_server_error();
    failed.then(|| response.extensions().get::<ProblemCode>().map_or_else(|| code_of(status), |code| code.0))
}
