//! The SQL of runs.

use svc_model::runs::{Run, RunCause, RunStatus};

use crate::error::Result;
use crate::ids::{AgentId, ConversationId, MessageId, QueueItemId, RunId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The columns of [`Run`] and what follows.
macro_rules! select_runs {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, p.handle AS agent, r.status,
                    CASE WHEN r.is_event THEN 'event' ELSE r.cause END AS cause, r.trigger_message_id, r.depth,
                    r.message_count AS messages, r.retry_of, r.error, r.cancel_requested_at, r.created_at,
                    r.started_at, r.ended_at
               FROM reactive_runs r
               JOIN participants p ON p.id = r.agent_id ",
            $rest
        )
    };
}

pub(super) const LIST: &str = select_runs!("WHERE r.id < $1 ORDER BY r.id DESC LIMIT $2");
pub(super) const LIST_BY_STATUS: &str = select_runs!("WHERE r.id < $1 AND r.status = $3 ORDER BY r.id DESC LIMIT $2");
pub(super) const LIST_OF_OWNER: &str = select_runs!("WHERE r.id < $1 AND r.owner_id = $3 ORDER BY r.id DESC LIMIT $2");
pub(super) const LIST_OF_OWNER_BY_STATUS: &str =
    select_runs!("WHERE r.id < $1 AND r.owner_id = $3 AND r.status = $4 ORDER BY r.id DESC LIMIT $2");
pub(super) const LIST_OF_AGENT: &str = select_runs!("WHERE r.id < $1 AND r.agent_id = $3 ORDER BY r.id DESC LIMIT $2");
pub(super) const LIST_OF_AGENT_BY_STATUS: &str =
    select_runs!("WHERE r.id < $1 AND r.agent_id = $3 AND r.status = $4 ORDER BY r.id DESC LIMIT $2");
pub(super) const FIND: &str =
    select_runs!("WHERE r.id = $1 AND ($2 IS NULL OR r.owner_id = $2) AND ($3 IS NULL OR r.agent_id = $3)");
pub(super) const ACTIVE: &str = "
    SELECT id FROM reactive_runs WHERE agent_id = $1 AND status IN ('queued', 'running') AND NOT is_event";
pub(super) const OPEN_EVENTS: &str = "
    SELECT id FROM reactive_runs WHERE agent_id = $1 AND status IN ('queued', 'running') AND is_event ORDER BY id";
pub(super) const COUNT_OPEN_EVENTS: &str = "
    SELECT count(*)
      FROM (SELECT 1 FROM reactive_runs WHERE owner_id = $1 AND status IN ('queued', 'running') AND is_event LIMIT $2) o";
pub(super) const IS_EVALUATED: &str = "
    SELECT id FROM reactive_runs WHERE trigger_message_id = $1 AND cause = 'message'";
pub(super) const LAST_END: &str = "
    SELECT ended_at FROM reactive_runs
     WHERE agent_id = $1 AND started_at IS NOT NULL AND ended_at IS NOT NULL AND NOT is_event
     ORDER BY ended_at DESC
     LIMIT 1";
pub(super) const LAST_SESSION: &str = "
    SELECT h.session_id
      FROM reactive_runs r
      JOIN harness_runs h ON h.reactive_run_id = r.id
     WHERE r.agent_id = $1 AND r.conversation_id = $2 AND r.started_at IS NOT NULL AND h.session_id IS NOT NULL
     ORDER BY r.id DESC
     LIMIT 1";
/// Runs whose items in the queue are dead or gone: no worker will report them.
pub(super) const STRANDED: &str = "
    SELECT r.id, r.agent_id
      FROM reactive_runs r
      LEFT JOIN queue_items q ON q.id = r.item_id
     WHERE r.status IN ('queued', 'running') AND (q.id IS NULL OR q.status IN ('done', 'dead'))
     ORDER BY r.id
     LIMIT $1";
pub(super) const OLDEST_QUEUED: &str =
    "SELECT created_at FROM reactive_runs WHERE status = 'queued' ORDER BY id LIMIT 1";
pub(super) const SWEEP: &str = "
    DELETE FROM reactive_runs
     WHERE id IN (SELECT id FROM reactive_runs WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT $2)";

macro_rules! select_states {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.agent_id, r.owner_id, r.status, CASE WHEN r.is_event THEN 'event' ELSE r.cause END AS cause,
                    r.is_event, r.message_count, r.started_at, r.trigger_message_id, r.channel_message_id,
                    r.conversation_id, r.depth, r.request, r.item_id, r.claim_token, r.after_message_id,
                    r.outgoing_message_id, r.report, r.cancel_requested_at
               FROM reactive_runs r ",
            $rest
        )
    };
}

pub(super) const OF_ITEM: &str = select_states!("WHERE r.item_id = $1 AND r.status IN ('queued', 'running')");

crate::row! {
    /// Everything that the hub knows of a run while it works on it.
    #[derive(Debug, Clone)]
    pub(in crate::automation::runs) struct RunState {
        pub(in crate::automation::runs) id: RunId,
        pub(in crate::automation::runs) agent_id: AgentId,
        pub(in crate::automation::runs) owner_id: UserId,
        pub(in crate::automation::runs) status: RunStatus,
        pub(in crate::automation::runs) cause: RunCause,
        /// It handles an event.
        pub(in crate::automation::runs) is_event: bool,
        pub(in crate::automation::runs) message_count: u32,
        pub(in crate::automation::runs) started_at: Option<Timestamp>,
        pub(in crate::automation::runs) trigger_message_id: Option<MessageId>,
        pub(in crate::automation::runs) channel_message_id: Option<MessageId>,
        pub(in crate::automation::runs) conversation_id: Option<ConversationId>,
        pub(in crate::automation::runs) depth: u32,
        pub(in crate::automation::runs) request: Option<String>,
        pub(in crate::automation::runs) item_id: Option<QueueItemId>,
        pub(in crate::automation::runs) claim_token: Option<String>,
        pub(in crate::automation::runs) after_message_id: Option<MessageId>,
        pub(in crate::automation::runs) outgoing_message_id: Option<MessageId>,
        pub(in crate::automation::runs) report: Option<String>,
        pub(in crate::automation::runs) cancel_requested_at: Option<Timestamp>,
    }
}

/// The runs that a caller can access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::automation::runs) struct Scope {
    pub(in crate::automation::runs) owner: Option<UserId>,
    pub(in crate::automation::runs) agent: Option<AgentId>,
}

/// A run to be stored.
#[derive(Debug, Clone)]
pub(in crate::automation::runs) struct RunRow<'a> {
    pub(in crate::automation::runs) agent: AgentId,
    pub(in crate::automation::runs) owner: UserId,
    pub(in crate::automation::runs) status: RunStatus,
    pub(in crate::automation::runs) cause: RunCause,
    pub(in crate::automation::runs) trigger: Option<MessageId>,
    pub(in crate::automation::runs) conversation: Option<ConversationId>,
    pub(in crate::automation::runs) depth: u32,
    pub(in crate::automation::runs) request: Option<&'a str>,
    pub(in crate::automation::runs) retry_of: Option<RunId>,
    /// The item in the queue; none for a trigger that starts no run.
    pub(in crate::automation::runs) item: Option<QueueItemId>,
}

/// Stores a run, or a trigger that started none.
pub(in crate::automation::runs) async fn insert(tx: &mut Tx, run: &RunRow<'_>) -> Result<RunId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO reactive_runs
            (agent_id, owner_id, status, cause, trigger_message_id, conversation_id, depth, request, retry_of, item_id,
             message_count, created_at, updated_at, ended_at, is_event)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $11, $12, $13)",
    )
    .bind(run.agent)
    .bind(run.owner)
    .bind(run.status)
    .bind(stored_cause(run.cause))
    .bind(run.trigger)
    .bind(run.conversation)
    .bind(run.depth)
    .bind(run.request)
    .bind(run.retry_of)
    .bind(run.item)
    .bind(now)
    .bind(run.status.is_final().then_some(now))
    .bind(run.cause == RunCause::Event)
    .insert("id")
    .await
}

/// The cause in the column of it, which has no value for an event: `is_event` says so.
fn stored_cause(cause: RunCause) -> RunCause {
    if cause == RunCause::Event { RunCause::Request } else { cause }
}

/// The state of a run, if it exists.
pub(in crate::automation::runs) async fn state(tx: &mut Tx, id: RunId) -> Result<Option<RunState>> {
    tx.query(select_states!("WHERE r.id = $1")).bind(id).fetch_optional().await
}

/// The open run of an item in the queue.
pub(in crate::automation::runs) async fn of_item(tx: &mut Tx, item: QueueItemId) -> Result<Option<RunState>> {
    tx.query(OF_ITEM).bind(item).fetch_optional().await
}

/// The run of an agent that is queued or running.
pub(in crate::automation::runs) async fn active(tx: &mut Tx, agent: AgentId) -> Result<Option<RunId>> {
    let found: Option<(RunId,)> = tx.query(ACTIVE).bind(agent).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The runs of events of an agent that are queued or running.
pub(in crate::automation::runs) async fn open_events(tx: &mut Tx, agent: AgentId) -> Result<Vec<RunId>> {
    let found: Vec<(RunId,)> = tx.query(OPEN_EVENTS).bind(agent).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The number of runs of events of an owner that are queued or running, up to a limit.
pub(in crate::automation::runs) async fn count_open_events(tx: &mut Tx, owner: UserId, limit: u32) -> Result<i64> {
    tx.query(COUNT_OPEN_EVENTS).bind(owner).bind(limit).fetch_value().await
}

/// Whether a message has been evaluated as a trigger.
pub(in crate::automation::runs) async fn is_evaluated(tx: &mut Tx, message: MessageId) -> Result<bool> {
    let found: Option<(RunId,)> = tx.query(IS_EVALUATED).bind(message).fetch_optional().await?;
    Ok(found.is_some())
}

/// When the last run of an agent ended that had been begun.
pub(in crate::automation::runs) async fn last_end(tx: &mut Tx, agent: AgentId) -> Result<Option<Timestamp>> {
    let found: Option<(Timestamp,)> = tx.query(LAST_END).bind(agent).fetch_optional().await?;
    Ok(found.map(|(at,)| at))
}

/// The session of the last run of an agent in a conversation.
pub(in crate::automation::runs) async fn last_session(
    tx: &mut Tx,
    agent: AgentId,
    conversation: ConversationId,
) -> Result<Option<String>> {
    let found: Option<(String,)> = tx.query(LAST_SESSION).bind(agent).bind(conversation).fetch_optional().await?;
    Ok(found.map(|(session,)| session))
}

/// What a run is when it begins.
#[derive(Debug, Clone, Copy)]
pub(in crate::automation::runs) struct Beginning<'a> {
    pub(in crate::automation::runs) trigger: Option<MessageId>,
    pub(in crate::automation::runs) claim_token: &'a str,
    pub(in crate::automation::runs) messages: u32,
    pub(in crate::automation::runs) depth: u32,
    pub(in crate::automation::runs) after: MessageId,
    pub(in crate::automation::runs) channel_message: Option<MessageId>,
}

/// Begins a run.
pub(in crate::automation::runs) async fn begin(tx: &mut Tx, id: RunId, begun: &Beginning<'_>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE reactive_runs
            SET status = 'running', claim_token = $2, message_count = $3, depth = $4, after_message_id = $5,
                channel_message_id = $6, trigger_message_id = $8, started_at = $7, updated_at = $7
          WHERE id = $1",
    )
    .bind(id)
    .bind(begun.claim_token)
    .bind(begun.messages)
    .bind(begun.depth)
    .bind(begun.after)
    .bind(begun.channel_message)
    .bind(now)
    .bind(begun.trigger)
    .execute()
    .await?;
    Ok(())
}

/// Ends a run.
pub(in crate::automation::runs) async fn end(
    tx: &mut Tx,
    id: RunId,
    status: RunStatus,
    error: Option<&str>,
    outgoing: Option<MessageId>,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE reactive_runs
            SET status = $2, error = $3, outgoing_message_id = $4, report = NULL, ended_at = $5, updated_at = $5
          WHERE id = $1",
    )
    .bind(id)
    .bind(status)
    .bind(error)
    .bind(outgoing)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Asks for the end of a run.
pub(in crate::automation::runs) async fn request_cancel(tx: &mut Tx, id: RunId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE reactive_runs SET cancel_requested_at = coalesce(cancel_requested_at, $2), updated_at = $2 WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Stores the result of a run that its backend delivered later. Returns whether it is the first one.
pub(in crate::automation::runs) async fn put_report(tx: &mut Tx, id: RunId, report: &str) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE reactive_runs SET report = $2, updated_at = $3
              WHERE id = $1 AND status = 'running' AND report IS NULL",
        )
        .bind(id)
        .bind(report)
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}

/// Gives a queued run a new item in the queue.
pub(in crate::automation::runs) async fn set_item(tx: &mut Tx, id: RunId, item: QueueItemId) -> Result<()> {
    tx.query("UPDATE reactive_runs SET item_id = $2 WHERE id = $1").bind(id).bind(item).execute().await?;
    Ok(())
}

/// Runs that no worker will report, with their agents.
pub(in crate::automation::runs) async fn stranded(tx: &mut Tx, limit: u32) -> Result<Vec<(RunId, AgentId)>> {
    tx.query(STRANDED).bind(limit).fetch_all().await
}

pub(in crate::automation::runs) async fn list(
    tx: &mut Tx,
    scope: &Scope,
    status: Option<RunStatus>,
    before: RunId,
    limit: u32,
) -> Result<Vec<Run>> {
    match (scope.agent, scope.owner, status) {
        (Some(agent), _, Some(status)) => {
            let query = tx.query(LIST_OF_AGENT_BY_STATUS).bind(before).bind(limit).bind(agent).bind(status);
            query.fetch_all().await
        }
        (Some(agent), _, None) => tx.query(LIST_OF_AGENT).bind(before).bind(limit).bind(agent).fetch_all().await,
        (None, Some(owner), Some(status)) => {
            let query = tx.query(LIST_OF_OWNER_BY_STATUS).bind(before).bind(limit).bind(owner).bind(status);
            query.fetch_all().await
        }
        (None, Some(owner), None) => tx.query(LIST_OF_OWNER).bind(before).bind(limit).bind(owner).fetch_all().await,
        (None, None, Some(status)) => tx.query(LIST_BY_STATUS).bind(before).bind(limit).bind(status).fetch_all().await,
        (None, None, None) => tx.query(LIST).bind(before).bind(limit).fetch_all().await,
    }
}

pub(in crate::automation::runs) async fn find(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<Option<Run>> {
    tx.query(FIND).bind(id).bind(scope.owner).bind(scope.agent).fetch_optional().await
}

/// When the oldest run was started that is queued.
pub(in crate::automation::runs) async fn oldest_queued(tx: &mut Tx) -> Result<Option<Timestamp>> {
    let found: Option<(Timestamp,)> = tx.query(OLDEST_QUEUED).fetch_optional().await?;
    Ok(found.map(|(at,)| at))
}

/// Whether there is a run that ended before a time.
pub(in crate::automation::runs) async fn is_any_before(tx: &mut Tx, before: Timestamp) -> Result<bool> {
    let query =
        tx.query("SELECT id FROM reactive_runs WHERE ended_at IS NOT NULL AND ended_at < $1 LIMIT 1").bind(before);
    let found: Option<(RunId,)> = query.fetch_optional().await?;
    Ok(found.is_some())
}

/// Removes old runs with everything that belongs to them. Returns their number.
pub(in crate::automation::runs) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
