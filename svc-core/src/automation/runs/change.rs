//! Starting, repeating and cancelling runs on request, and results that arrive later.

use svc_macros::boxed_futures;
use svc_model::harness::RunReport;
use svc_model::messages::MessageStatus;
use svc_model::runs::{NewRun, Run, RunCause, RunStatus};

use super::check::{self, Refusal, Snapshot, Verdict};
use super::lanes::Lanes;
use super::service::{Runs, scope};
use super::start::{self, NewStart};
use super::store::{self, AgentRow, RunState, Scope};
use super::view::existing;
use super::{event, gate, outcome};
use crate::automation::governance;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents;
use crate::identity::auth::{self, Caller, Credential};
use crate::ids::{AgentId, RunId};
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::work;
use crate::store::db::Tx;
use svc_model::auth::Permission;

/// The error of a run whose agent was deleted.
const AGENT_DELETED: &str = "agent_deleted";

#[boxed_futures]
impl Runs {
    /// Runs one of the caller's agents now, with the messages that wait for it and an optional prompt. The cooldown does
    /// not count; all other checks do, and are conflicts.
    pub async fn start(&self, caller: &Caller, agent: &str, new: NewRun) -> Result<Run> {
        caller.require_manager()?;
        let new = new.checked()?;
        let once = caller.idempotency("runs.start", &(agent, &new))?;
        let input = (self.lanes.clone(), caller.clone(), agent.to_owned(), new);
        let started = self.db.write_once(once, input, |tx, (lanes, caller, agent, new)| {
            Box::pin(start_now(tx, lanes, caller, agent, new))
        });
        Ok(started.await?.value)
    }

    /// Repeats a run that has ended, with the same message and the same prompt. Returns the new run.
    pub async fn retry(&self, caller: &Caller, id: RunId) -> Result<Run> {
        caller.require_manager()?;
        let scope = scope(caller, Permission::Write)?;
        let once = caller.idempotency("runs.retry", &id)?;
        let input = (self.lanes.clone(), scope, id);
        let retried = self.db.write_once(once, input, |tx, (lanes, scope, id)| Box::pin(retry(tx, lanes, scope, *id)));
        Ok(retried.await?.value)
    }

    /// Cancels a run. One that is queued ends at once; one that runs is asked to end, and ends within seconds. Repeating
    /// the call changes nothing; a run that has ended is a conflict.
    pub async fn cancel(&self, caller: &Caller, id: RunId) -> Result<Run> {
        caller.require_manager()?;
        let scope = scope(caller, Permission::Write)?;
        let input = (self.lanes.clone(), scope, id);
        let run = self.db.write(input, |tx, (lanes, scope, id)| Box::pin(cancel(tx, lanes, scope, *id))).await?;
        if run.status == RunStatus::Running
            && let Some(live) = self.live(id)
        {
            live.cancel.cancel();
        }
        Ok(run)
    }

    /// Delivers the result of a run whose backend answered that it comes later. Only the credential of the run can.
    pub async fn report(&self, caller: &Caller, id: RunId, report: RunReport) -> Result<Run> {
        let Credential::Run(own) = caller.credential() else {
            let message = "Only the credential of the run can deliver its result.";
            return Err(Error::new(ErrorKind::Forbidden, "run_credential_required", message));
        };
        if *own != id {
            return Err(Error::not_found("run"));
        }
        let text = serde_json::to_string(&bounded(report)?)
            .map_err(|error| Error::internal("a report cannot be written").with_source(error))?;
        let run = self
            .db
            .write((id, text), |tx, (id, text)| {
                Box::pin(async move {
                    if !store::put_report(tx, *id, text).await? {
                        return Err(Error::conflict(
                            "already_reported",
                            "This run has a result already, or has ended.",
                        ));
                    }
                    existing(tx, &Scope { owner: None, agent: None }, *id).await
                })
            })
            .await?;
        if let Some(live) = self.live(id) {
            live.reported.notify_one();
        }
        Ok(run)
    }
}

/// A report within its bounds.
fn bounded(report: RunReport) -> Result<RunReport> {
    for (field, text, most) in [
        ("response", &report.response, limits::RUN_REPORT_MAX),
        ("error", &report.error, limits::RUN_DETAIL_MAX),
        ("session_id", &report.session_id, limits::RUN_SESSION_MAX),
        ("trace_id", &report.trace_id, limits::RUN_SESSION_MAX),
    ] {
        if text.as_ref().is_some_and(|text| text.len() > most || text.contains('\0')) {
            return Err(Error::invalid(field, format!("must be at most {most} bytes, without NUL")));
        }
    }
    Ok(report)
}

async fn start_now(tx: &mut Tx, lanes: &Lanes, caller: &Caller, name: &str, new: &NewRun) -> Result<Run> {
    let agent = agents::store::held(tx, agents::reach(caller), name).await?;
    let agent = present(tx, agent.id).await?;
    let trigger = match work::waiting(tx, agent.id, agent.max_trigger_depth).await? {
        Some(waiting) => work::trigger(tx, waiting).await?,
        None => None,
    };
    let depth = trigger.as_ref().map_or(0, |trigger| trigger.depth);
    require_startable(tx, &agent, depth).await?;
    let start = NewStart {
        cause: RunCause::Request,
        trigger: trigger.as_ref().map(|trigger| trigger.id),
        conversation: trigger.as_ref().map(|trigger| trigger.conversation),
        depth,
        request: new.prompt.as_deref(),
        retry_of: None,
    };
    let id = start::enqueue(tx, lanes, &agent, &start).await?;
    existing(tx, &Scope { owner: None, agent: None }, id).await
}

/// Whether a run that the hub asks for was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestedStart {
    /// It was, as this run.
    Started(RunId),
    /// A check is against it, which may not be so later.
    Later,
    /// The hub does not run the agent.
    Never,
}

/// Runs an agent with a prompt, and without the messages that wait for it unless it claims them.
pub(crate) async fn start_requested(tx: &mut Tx, lanes: &Lanes, id: AgentId, prompt: &str) -> Result<RequestedStart> {
    let Some(agent) = start::held(tx, id).await? else { return Ok(RequestedStart::Never) };
    let snapshot = Snapshot { cooldown_until: None, ..gate::snapshot(tx, &agent).await? };
    match check::judge(&snapshot, 0) {
        Verdict::Start => {}
        Verdict::Ignored => return Ok(RequestedStart::Never),
        Verdict::Refused(_) => return Ok(RequestedStart::Later),
    }
    let request = Some(super::prompt::cut(prompt, limits::HARNESS_PROMPT_MAX).0);
    let start =
        NewStart { cause: RunCause::Request, trigger: None, conversation: None, depth: 0, request, retry_of: None };
    Ok(RequestedStart::Started(start::enqueue(tx, lanes, &agent, &start).await?))
}

async fn present(tx: &mut Tx, id: AgentId) -> Result<AgentRow> {
    start::held(tx, id).await?.ok_or_else(|| Error::not_found("agent"))
}

/// Fails when a check is against a run that somebody asks for.
async fn require_startable(tx: &mut Tx, agent: &AgentRow, depth: u32) -> Result<()> {
    let snapshot = Snapshot { cooldown_until: None, ..gate::snapshot(tx, agent).await? };
    let (code, message) = match check::judge(&snapshot, depth) {
        Verdict::Start => return Ok(()),
        Verdict::Ignored => {
            ("not_reactive", "The hub does not run this agent: set its trigger_mode to reactive first.")
        }
        Verdict::Refused(Refusal { status, .. }) => match status {
            RunStatus::Quarantined => ("quarantined", "This agent is in quarantine: lift that first."),
            RunStatus::Paused => ("paused", "This agent is paused: resume it first."),
            RunStatus::DepthExceeded => ("depth_exceeded", "This message is deeper in a chain than the agent allows."),
            RunStatus::BudgetExhausted => ("budget_exhausted", "The budget of this agent is spent: raise it, or wait."),
            _ => ("run_active", "This agent has a run that is queued or running: wait for it, or cancel it."),
        },
    };
    Err(Error::conflict(code, message))
}

/// The run with the row of its agent locked.
async fn held_run(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<(AgentRow, RunState)> {
    existing(tx, scope, id).await?;
    let missing = || Error::not_found("run");
    let run = store::state(tx, id).await?.ok_or_else(missing)?;
    let agent = present(tx, run.agent_id).await?;
    Ok((agent, store::state(tx, id).await?.ok_or_else(missing)?))
}

async fn retry(tx: &mut Tx, lanes: &Lanes, scope: &Scope, id: RunId) -> Result<Run> {
    let (agent, run) = held_run(tx, scope, id).await?;
    if !run.status.is_final() {
        let message = format!("Run {id} is {}: only a run that has ended can be repeated.", run.status);
        return Err(Error::conflict("run_open", message));
    }
    if run.is_event {
        let new = event::retry(tx, lanes, &agent, &run).await?;
        return existing(tx, scope, new).await;
    }
    let trigger = match run.trigger_message_id {
        Some(message) => work::trigger(tx, message).await?,
        None => None,
    };
    if trigger.is_none() && run.cause != RunCause::Request && run.request.is_none() {
        return Err(Error::conflict("message_gone", "The message that started this run was removed."));
    }
    let depth = trigger.as_ref().map_or(0, |trigger| trigger.depth);
    require_startable(tx, &agent, depth).await?;
    match trigger.as_ref().map(|trigger| (trigger.id, trigger.status)) {
        Some((_, MessageStatus::Processing)) => {
            let message = "Another worker of the agent works on the message of this run: wait for it.";
            return Err(Error::conflict("message_taken", message));
        }
        Some((message, MessageStatus::Failed)) => messages::revive(tx, message).await?,
        Some((_, MessageStatus::Pending | MessageStatus::Done)) | None => {}
    }
    let start = NewStart {
        cause: RunCause::Retry,
        trigger: trigger.as_ref().map(|trigger| trigger.id),
        conversation: trigger.as_ref().map(|trigger| trigger.conversation),
        depth,
        request: run.request.as_deref(),
        retry_of: Some(id),
    };
    let new = start::enqueue(tx, lanes, &agent, &start).await?;
    existing(tx, scope, new).await
}

async fn cancel(tx: &mut Tx, lanes: &Lanes, scope: &Scope, id: RunId) -> Result<Run> {
    let (agent, run) = held_run(tx, scope, id).await?;
    let is_waiting = match (run.status, run.item_id) {
        (RunStatus::Queued, Some(item)) => lanes.cancel_in(tx, item).await?,
        (RunStatus::Queued | RunStatus::Running, _) => false,
        (status, _) => {
            return Err(Error::conflict("run_ended", format!("Run {id} is {status}: it has ended already.")));
        }
    };
    if is_waiting {
        outcome::cancel_queued(tx, &agent, &run).await?;
    } else {
        // A worker that has just taken it sees the request before it begins.
        store::request_cancel(tx, id).await?;
    }
    existing(tx, scope, id).await
}

/// Ends what an agent that is deleted still runs. Its messages fail with it.
pub(crate) async fn end_all_of(tx: &mut Tx, agent: AgentId) -> Result<()> {
    store::set_pending(tx, agent, false, None).await?;
    let row = store::agent(tx, agent).await?;
    let mut open = store::open_events(tx, agent).await?;
    open.extend(store::active(tx, agent).await?);
    for active in open {
        // The node that runs it ends it at its next heartbeat.
        store::end(tx, active, RunStatus::Cancelled, Some(AGENT_DELETED), None).await?;
        governance::release(tx, active).await?;
        auth::remove_run(tx, active).await?;
        if let (Some(row), Some(run)) = (&row, store::state(tx, active).await?) {
            start::announce_state(tx, row, &run, RunStatus::Cancelled, Some(AGENT_DELETED)).await?;
        }
    }
    Ok(())
}
