//! From an event that a handler wants to a run that is a Job.

use svc_model::messages::MessageStatus;
use svc_model::runs::{RunCause, RunStatus};
use svc_model::webhooks::WebhookEvent;

use super::lanes::{Lane, Lanes};
use super::start::{self, announce};
use super::store::{self, AgentRow, NewJob, RunRow, RunState};
use crate::automation::governance::{self, RefusedFor};
use crate::error::{Error, Result};
use crate::ids::{AgentId, EventSeq, HandlerId, MessageId, RunId};
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::work;
use crate::store::db::Tx;

/// The error of a run whose owner has too many others that are queued or running.
const BACKLOG: &str = "backlog";
/// The error of a run whose handler was deleted before it began.
pub(super) const HANDLER_DELETED: &str = "handler_deleted";

/// An event that becomes a run of a handler.
#[derive(Debug, Clone)]
pub(crate) struct EventStart<'a> {
    pub(crate) agent: AgentId,
    pub(crate) handler: HandlerId,
    pub(crate) image: &'a str,
    pub(crate) event: WebhookEvent,
    pub(crate) seq: EventSeq,
    /// The text of the event that the Job gets.
    pub(crate) body: &'a str,
    /// The direct message that it is about. The run claims it.
    pub(crate) trigger: Option<MessageId>,
    pub(crate) depth: u32,
    /// The agent and the participant that caused it are in a loop that is held.
    pub(crate) is_held: bool,
}

/// Makes the run of an event, unless there is one.
pub(crate) async fn start_event(tx: &mut Tx, lanes: &Lanes, new: &EventStart<'_>) -> Result<()> {
    let Some(agent) = start::held(tx, new.agent).await? else { return Ok(()) };
    if store::is_handled(tx, new.handler, new.seq).await? {
        return Ok(());
    }
    let refusal = match refusal(tx, &agent, new.depth).await? {
        None if new.is_held => Some((RunStatus::Paused, None)),
        refusal => refusal,
    };
    insert(tx, lanes, &agent, new, refusal, None).await?;
    Ok(())
}

/// Why no run of an event of this depth starts now.
pub(super) async fn refusal(
    tx: &mut Tx,
    agent: &AgentRow,
    depth: u32,
) -> Result<Option<(RunStatus, Option<&'static str>)>> {
    if let Some(reason) = governance::refusal(tx, agent.id).await? {
        let status = match reason {
            RefusedFor::Quarantined => RunStatus::Quarantined,
            RefusedFor::Paused(_) => RunStatus::Paused,
            RefusedFor::Exhausted(_) => RunStatus::BudgetExhausted,
        };
        return Ok(Some((status, None)));
    }
    if depth > agent.max_trigger_depth {
        return Ok(Some((RunStatus::DepthExceeded, None)));
    }
    let open = store::count_open_events(tx, agent.owner_id, limits::CLUSTER_OPEN_MAX).await?;
    Ok((open >= i64::from(limits::CLUSTER_OPEN_MAX)).then_some((RunStatus::Cancelled, Some(BACKLOG))))
}

async fn insert(
    tx: &mut Tx,
    lanes: &Lanes,
    agent: &AgentRow,
    new: &EventStart<'_>,
    refusal: Option<(RunStatus, Option<&str>)>,
    retry_of: Option<RunId>,
) -> Result<RunId> {
    let conversation = match new.trigger {
        Some(message) => work::trigger(tx, message).await?.map(|trigger| trigger.conversation),
        None => None,
    };
    let item = match refusal {
        Some(_) => None,
        None => Some(start::item(tx, lanes.queue(Lane::Remote), agent).await?),
    };
    let (status, error) = refusal.unwrap_or((RunStatus::Queued, None));
    let row = RunRow {
        agent: agent.id,
        owner: agent.owner_id,
        status,
        cause: RunCause::Event,
        trigger: new.trigger,
        conversation,
        depth: new.depth,
        request: None,
        retry_of,
        item,
    };
    let run = store::insert(tx, &row).await?;
    if let Some(error) = error {
        store::end(tx, run, status, Some(error), None).await?;
    }
    let job = NewJob {
        run,
        agent: agent.id,
        owner: agent.owner_id,
        handler: new.handler,
        event: new.event,
        seq: new.seq,
        body: new.body,
        is_retry: retry_of.is_some(),
        image: new.image,
    };
    store::insert_job(tx, &job).await?;
    announce(tx, agent, run, &row, error).await?;
    Ok(run)
}

/// Handles the event of a run again.
pub(super) async fn retry(tx: &mut Tx, lanes: &Lanes, agent: &AgentRow, run: &RunState) -> Result<RunId> {
    let gone = || Error::conflict("handler_deleted", "The handler of this run was deleted: register it again.");
    let job = store::job(tx, run.id).await?.ok_or_else(gone)?;
    let (Some(handler), Some(event), Some(seq), Some(body)) = (job.handler_id, job.event, job.event_seq, job.body)
    else {
        return Err(gone());
    };
    let settings = store::job_settings(tx, handler).await?.ok_or_else(gone)?;
    if let Some((status, _)) = refusal(tx, agent, run.depth).await? {
        return Err(match status {
            RunStatus::Quarantined => Error::conflict("quarantined", "This agent is in quarantine: lift that first."),
            RunStatus::Paused => Error::conflict("paused", "This agent is paused: resume it first."),
            RunStatus::BudgetExhausted => {
                Error::conflict("budget_exhausted", "The budget of this agent is spent: raise it, or wait.")
            }
            RunStatus::DepthExceeded => {
                Error::conflict("depth_exceeded", "This message is deeper in a chain than the agent allows.")
            }
            _ => Error::conflict("backlog", "Too many Jobs of this owner are queued or running: wait for some."),
        });
    }
    let trigger = match run.trigger_message_id {
        Some(message) => work::trigger(tx, message).await?,
        None => None,
    };
    if let Some(trigger) = trigger.as_ref().filter(|trigger| trigger.status == MessageStatus::Failed) {
        messages::revive(tx, trigger.id).await?;
    }
    let new = EventStart {
        agent: agent.id,
        handler,
        image: &settings.image,
        event,
        seq,
        body: &body,
        trigger: trigger.map(|trigger| trigger.id),
        depth: run.depth,
        is_held: false,
    };
    insert(tx, lanes, agent, &new, None, Some(run.id)).await
}

/// Those of the runs that are queued or running.
pub(crate) async fn open_among(tx: &mut Tx, runs: &[RunId]) -> Result<Vec<RunId>> {
    store::open_among(tx, runs).await
}
