//! From a message, or from work that waits, to a run.

use serde_json::json;
use svc_model::agents::TriggerMode;
use svc_model::events::{EventBody, RunChanged};
use svc_model::messages::MessageStatus;
use svc_model::runs::{RunCause, RunStatus};

use super::check::{self, Plan, Refusal, Snapshot, Until, Verdict};
use super::gate;
use super::lanes::Lanes;
use super::store::{self, AgentRow, RunRow};
use crate::automation::governance;
use crate::error::Result;
use crate::identity::agents;
use crate::ids::{AgentId, ConversationId, MessageId, QueueItemId, RunId};
use crate::limits;
use crate::messaging::messages::work::{self, Trigger};
use crate::store::db::Tx;
use crate::store::queue::{NewItem, Queue};
use crate::timestamp::Timestamp;

/// A run to be started.
#[derive(Debug, Clone)]
pub(super) struct NewStart<'a> {
    pub(super) cause: RunCause,
    pub(super) trigger: Option<MessageId>,
    pub(super) conversation: Option<ConversationId>,
    pub(super) depth: u32,
    pub(super) request: Option<&'a str>,
    pub(super) retry_of: Option<RunId>,
}

impl NewStart<'_> {
    pub(super) fn by(cause: RunCause, trigger: &Trigger) -> Self {
        let (id, conversation) = (Some(trigger.id), Some(trigger.conversation));
        Self { cause, trigger: id, conversation, depth: trigger.depth, request: None, retry_of: None }
    }
}

/// The agent with its row locked; none when it is gone.
pub(super) async fn held(tx: &mut Tx, id: AgentId) -> Result<Option<AgentRow>> {
    agents::store::hold(tx, id).await?;
    Ok(store::agent(tx, id).await?.filter(|agent| !agent.is_gone))
}

/// Evaluates a message as a trigger.
pub(super) async fn evaluate(tx: &mut Tx, lanes: &Lanes, message: MessageId) -> Result<()> {
    let Some(trigger) = work::trigger(tx, message).await? else { return Ok(()) };
    let Some(recipient) = trigger.recipient.filter(|recipient| *recipient != trigger.sender) else { return Ok(()) };
    // A message that another worker has taken already starts nothing.
    if trigger.is_system || trigger.status != MessageStatus::Pending {
        return Ok(());
    }
    let Some(agent) = held(tx, AgentId(recipient.0)).await? else { return Ok(()) };
    if store::is_evaluated(tx, message).await? {
        return Ok(());
    }
    let snapshot = gate::snapshot(tx, &agent).await?;
    let snapshot = held_by_loop(tx, &agent, &trigger, snapshot).await?;
    match check::judge(&snapshot, trigger.depth) {
        Verdict::Ignored => {}
        Verdict::Start => {
            enqueue(tx, lanes, &agent, &NewStart::by(RunCause::Message, &trigger)).await?;
        }
        Verdict::Refused(Refusal { status, kept }) => {
            let row = RunRow {
                agent: agent.id,
                owner: agent.owner_id,
                status,
                cause: RunCause::Message,
                trigger: Some(trigger.id),
                conversation: Some(trigger.conversation),
                depth: trigger.depth,
                request: None,
                retry_of: None,
                item: None,
            };
            let id = store::insert(tx, &row).await?;
            announce(tx, &agent, id, &row, None).await?;
            if kept.is_some() {
                wait(tx, &agent, check::plan(&snapshot)).await?;
            }
        }
    }
    Ok(())
}

/// An agent counts as paused for messages of a loop that is held.
async fn held_by_loop(tx: &mut Tx, agent: &AgentRow, trigger: &Trigger, snapshot: Snapshot) -> Result<Snapshot> {
    let held_until = held_until(tx, agent, trigger).await?;
    Ok(Snapshot { paused: snapshot.paused.or(held_until.map(Until::Time)), ..snapshot })
}

/// Until when the loop of the sender and the agent is held, if they are in one.
async fn held_until(tx: &mut Tx, agent: &AgentRow, trigger: &Trigger) -> Result<Option<Timestamp>> {
    governance::held_until(tx, trigger.sender, agent.id, trigger.conversation).await
}

/// A message that waits by a sender who is in no loop with the agent: these do not wait behind a loop.
async fn of_another(tx: &mut Tx, agent: &AgentRow) -> Result<Option<Trigger>> {
    for id in work::waiting_by_sender(tx, agent.id, agent.max_trigger_depth, limits::RUN_SENDERS).await? {
        if let Some(trigger) = work::trigger(tx, id).await?
            && held_until(tx, agent, &trigger).await?.is_none()
        {
            return Ok(Some(trigger));
        }
    }
    Ok(None)
}

/// Stores a run with an item in the queue. The row of the agent must be locked, and the agent must have no other run.
pub(super) async fn enqueue(tx: &mut Tx, lanes: &Lanes, agent: &AgentRow, new: &NewStart<'_>) -> Result<RunId> {
    let queue = lanes.of(tx, agent.id).await?;
    let item = item(tx, queue, agent).await?;
    let row = RunRow {
        agent: agent.id,
        owner: agent.owner_id,
        status: RunStatus::Queued,
        cause: new.cause,
        trigger: new.trigger,
        conversation: new.conversation,
        depth: new.depth,
        request: new.request,
        retry_of: new.retry_of,
        item: Some(item),
    };
    let id = store::insert(tx, &row).await?;
    announce(tx, agent, id, &row, None).await?;
    Ok(id)
}

/// Puts an item for a run into the queue. Owners take turns, so that one with many agents leaves room for others.
pub(super) async fn item(tx: &mut Tx, queue: &Queue, agent: &AgentRow) -> Result<QueueItemId> {
    Ok(queue.enqueue_in(tx, &NewItem::new(json!({})).key(agent.owner_id.to_string())).await?.id)
}

pub(super) async fn announce(
    tx: &mut Tx,
    agent: &AgentRow,
    id: RunId,
    row: &RunRow<'_>,
    error: Option<&str>,
) -> Result<()> {
    let changed = RunChanged {
        run_id: id,
        agent_id: agent.id,
        agent: agent.name.clone(),
        owner_id: agent.owner_id,
        status: row.status,
        cause: row.cause,
        trigger_message_id: row.trigger,
        depth: row.depth,
        error: error.map(ToOwned::to_owned),
    };
    tx.record(EventBody::RunChanged(changed)).await?;
    Ok(())
}

/// Records the new status of a run in the log.
pub(super) async fn announce_state(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &store::RunState,
    status: RunStatus,
    error: Option<&str>,
) -> Result<()> {
    let row = RunRow {
        agent: run.agent_id,
        owner: run.owner_id,
        status,
        cause: run.cause,
        trigger: run.trigger_message_id,
        conversation: None,
        depth: run.depth,
        request: None,
        retry_of: None,
        item: None,
    };
    announce(tx, agent, run.id, &row, error).await
}

/// Records that work waits for an agent, and when it is looked at.
async fn wait(tx: &mut Tx, agent: &AgentRow, plan: Plan) -> Result<()> {
    let wake_at = match plan {
        Plan::Start => Some(tx.now()),
        Plan::Wake(at) => Some(at),
        Plan::Wait => None,
    };
    store::set_pending(tx, agent.id, true, wake_at).await
}

/// Looks at what waits for an agent, and starts a run with it if nothing is against it.
pub(super) async fn look(tx: &mut Tx, lanes: &Lanes, id: AgentId) -> Result<()> {
    let Some(agent) = held(tx, id).await? else { return store::set_pending(tx, id, false, None).await };
    let Some(waiting) = work::waiting(tx, id, agent.max_trigger_depth).await? else {
        return store::set_pending(tx, id, false, None).await;
    };
    let Some(mut trigger) = work::trigger(tx, waiting).await? else { return Ok(()) };
    let mut snapshot = gate::snapshot(tx, &agent).await?;
    if snapshot.paused.is_none()
        && let Some(until) = held_until(tx, &agent, &trigger).await?
    {
        match of_another(tx, &agent).await? {
            Some(free) => trigger = free,
            None => snapshot.paused = Some(Until::Time(until)),
        }
    }
    match check::plan(&snapshot) {
        Plan::Start => {
            enqueue(tx, lanes, &agent, &NewStart::by(RunCause::Waiting, &trigger)).await?;
            store::set_pending(tx, id, false, None).await
        }
        plan => wait(tx, &agent, plan).await,
    }
}

/// After the end of a run: records whether work waits, and when it is looked at. Of a disabled agent nothing is recorded.
pub(super) async fn go_on(tx: &mut Tx, agent: &AgentRow) -> Result<()> {
    let is_disabled = agent.trigger_mode == TriggerMode::Disabled;
    if is_disabled || work::waiting(tx, agent.id, agent.max_trigger_depth).await?.is_none() {
        return store::set_pending(tx, agent.id, false, None).await;
    }
    let snapshot = gate::snapshot(tx, agent).await?;
    wait(tx, agent, check::plan(&snapshot)).await
}

/// A message waits again, because a worker released it or its lease ended, or somebody retries it: what waits is looked
/// at as after the end of a run.
pub(super) async fn come_back(tx: &mut Tx, id: AgentId) -> Result<()> {
    match held(tx, id).await? {
        Some(agent) => go_on(tx, &agent).await,
        None => Ok(()),
    }
}
