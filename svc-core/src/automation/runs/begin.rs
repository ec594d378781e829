//! The beginning of a run: the last checks, the claims of its messages, the reactions and the credential, in one
//! transaction.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_model::messages::{Message, MessageStatus};
use svc_model::reactions::ReactionKind;
use svc_model::runs::{RunCause, RunStatus};

use super::check::{self, Refusal, Snapshot, Verdict};
use super::event::{self, HANDLER_DELETED};
use super::job::PromptSource;
use super::lanes::Lane;
use super::store::{self, AgentRow, Beginning, JobRow, JobSettings, RunState};
use super::{gate, outcome, preview, start};
use crate::automation::governance;
use crate::column::Json;
use crate::error::{Error, Result};
use crate::identity::auth::CallerRun;
use crate::identity::{agents, auth};
use crate::ids::{HandlerId, MessageId, ParticipantId};
use crate::limits;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::work::{self, RunClaim, Trigger};
use crate::messaging::{messages, reactions};
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Queue};

/// The error of a run whose trigger another worker had taken.
const TAKEN: &str = "message_taken";
/// The error of a run whose agent is not run by the hub any more.
const NOT_REACTIVE: &str = "not_reactive";

/// What the beginning of a run needs.
pub(super) struct Input {
    pub(super) lane: Lane,
    pub(super) queue: Queue,
    pub(super) claimed: ClaimedItem,
    /// The beginning of the claim tokens of its messages.
    pub(super) claim_token: String,
    /// The hash of its credential.
    pub(super) credential: Vec<u8>,
}

/// A run that has begun, with what its harness is given.
#[derive(Debug, Clone)]
pub(super) struct Begun {
    pub(super) run: RunState,
    pub(super) prompt: PromptSource,
    pub(super) session_id: Option<String>,
    pub(super) traceparent: Option<String>,
    /// The event that it handles.
    pub(super) event: Option<EventWork>,
    /// Another node began it, and it goes on in the cluster. Whether its Job was created is known.
    pub(super) taken_up: Option<TakenUp>,
}

/// The settings and the content of the Job of an event.
#[derive(Debug, Clone)]
pub(super) struct EventWork {
    pub(super) settings: JobSettings,
    pub(super) body: String,
}

/// The state of a run that another node began.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenUp {
    /// The Job was created, or may have been and was removed since. It is not created again.
    pub(super) is_created: bool,
}

/// Begins the run of an item. Returns nothing when there is nothing to run; the item is finished then.
pub(super) async fn begin(tx: &mut Tx, input: &Input) -> Result<Option<Begun>> {
    let Some(found) = store::of_item(tx, input.claimed.item.id).await? else {
        input.queue.finish_in(tx, &input.claimed).await?;
        return Ok(None);
    };
    let agent = start::held(tx, found.agent_id).await?;
    let Some(run) = store::of_item(tx, input.claimed.item.id).await? else {
        input.queue.finish_in(tx, &input.claimed).await?;
        return Ok(None);
    };
    let Some(agent) = agent else {
        input.queue.finish_in(tx, &input.claimed).await?;
        store::end(tx, run.id, RunStatus::Cancelled, Some(NOT_REACTIVE), None).await?;
        auth::remove_run(tx, run.id).await?;
        return Ok(None);
    };
    if run.status == RunStatus::Running {
        // Another node had it, and its lease ended.
        if input.lane == Lane::Remote {
            return go_on(tx, input, &agent, run).await;
        }
        input.queue.finish_in(tx, &input.claimed).await?;
        outcome::interrupt(tx, &agent, &run).await?;
        return Ok(None);
    }
    if run.cancel_requested_at.is_some() {
        input.queue.finish_in(tx, &input.claimed).await?;
        outcome::cancel_queued(tx, &agent, &run).await?;
        return Ok(None);
    }
    if run.is_event {
        return begin_event(tx, input, &agent, run).await;
    }
    if let Some((status, error)) = refused(tx, &agent, &run).await? {
        input.queue.finish_in(tx, &input.claimed).await?;
        give_up(tx, &agent, &run, status, error).await?;
        return Ok(None);
    }
    let Some(taken) = claim(tx, input, &agent, &run).await? else {
        input.queue.finish_in(tx, &input.claimed).await?;
        give_up(tx, &agent, &run, RunStatus::Cancelled, Some(TAKEN)).await?;
        return Ok(None);
    };
    take_up(tx, input, &agent, run, &taken).await.map(Some)
}

/// Begins the run of an event. It claims the message that the event is about, unless another worker has it.
async fn begin_event(tx: &mut Tx, input: &Input, agent: &AgentRow, run: RunState) -> Result<Option<Begun>> {
    let Some(event) = event_work(tx, &run).await? else {
        input.queue.finish_in(tx, &input.claimed).await?;
        give_up(tx, agent, &run, RunStatus::Cancelled, Some(HANDLER_DELETED)).await?;
        return Ok(None);
    };
    // The agent may have changed while its run waited in the queue. The run itself is one of those that are open.
    if let Some((status, error)) = event::refusal(tx, agent, run.depth).await?.filter(|(_, error)| error.is_none()) {
        input.queue.finish_in(tx, &input.claimed).await?;
        give_up(tx, agent, &run, status, error).await?;
        return Ok(None);
    }
    let taken = claim_one(tx, agent, &run, &input.claim_token).await?;
    let begun = take_up(tx, input, agent, run, &taken).await?;
    Ok(Some(Begun { event: Some(event), ..begun }))
}

/// The settings and the content of the Job of an event; none when its handler was deleted.
async fn event_work(tx: &mut Tx, run: &RunState) -> Result<Option<EventWork>> {
    let Some(JobRow { handler_id: Some(handler), body: Some(body), .. }) = store::job(tx, run.id).await? else {
        return Ok(None);
    };
    Ok(store::job_settings(tx, handler).await?.map(|settings| EventWork { settings, body }))
}

/// Claims the trigger of a run and nothing else, if it waits.
async fn claim_one(tx: &mut Tx, agent: &AgentRow, run: &RunState, token: &str) -> Result<Taken> {
    let Some(id) = run.trigger_message_id else { return Ok(Taken { trigger: None, claimed: Vec::new() }) };
    let request = RunClaim {
        agent: agent.id,
        trigger: Some(id),
        limit: 1,
        max_depth: agent.max_trigger_depth,
        lease: limits::RUN_LEASE,
        token: token.to_owned(),
    };
    let claimed = work::claim(tx, &request).await?;
    let trigger = if claimed.is_empty() { None } else { work::trigger(tx, id).await? };
    Ok(Taken { trigger, claimed })
}

/// Goes on with a run that another node began, and whose Job goes on in the cluster.
async fn go_on(tx: &mut Tx, input: &Input, agent: &AgentRow, run: RunState) -> Result<Option<Begun>> {
    if !run.is_event && !store::is_remote(tx, agent.id).await? {
        // The agent has another harness now, and the Job belongs to nobody.
        input.queue.finish_in(tx, &input.claimed).await?;
        outcome::interrupt(tx, agent, &run).await?;
        return Ok(None);
    }
    let job = store::job(tx, run.id).await?;
    let event = if run.is_event { event_work(tx, &run).await? } else { None };
    // The handler is gone, so nothing more is known of its settings than the Job, which is not created again.
    let is_orphan = run.is_event && event.is_none();
    let event = event.or_else(|| is_orphan.then(|| EventWork::of_deleted(job.as_ref())));
    // A Job that ended long ago may have been removed by the cluster, so it is not created again after that time.
    let ttl = Duration::from_secs(u64::from(limits::CLUSTER_TTL_SECONDS.unsigned_abs()));
    let now = tx.now();
    let is_old = run.started_at.is_none_or(|begun| now.since(begun) >= ttl);
    let is_created = is_old || is_orphan || job.as_ref().is_some_and(|job| job.created_at.is_some());
    let token = run.claim_token.clone().unwrap_or_else(|| input.claim_token.clone());
    let mut claimed = work::still_claimed(tx, agent.id, &token).await?;
    if claimed.is_empty() && (!run.is_event || run.message_count > 0) {
        // The lease of the message ended as well.
        claimed = claim_one(tx, agent, &run, &token).await?.claimed;
    }
    let trigger = match run.trigger_message_id {
        Some(id) => work::trigger(tx, id).await?,
        None => None,
    };
    let begun = describe(tx, agent, run, &Taken { trigger, claimed }, token).await?;
    Ok(Some(Begun { event, taken_up: Some(TakenUp { is_created }), ..begun }))
}

impl EventWork {
    /// The work of an event whose handler was deleted. Its Job was created before, or is never.
    fn of_deleted(job: Option<&JobRow>) -> Self {
        let image = job.map(|job| job.image.clone()).unwrap_or_default();
        let settings = JobSettings {
            id: HandlerId(0),
            image,
            namespace: None,
            env: Json(BTreeMap::new()),
            memory: None,
            cpu: None,
            timeout_seconds: *limits::HANDLER_SECONDS_RANGE.end(),
            service_account: None,
        };
        Self { settings, body: String::new() }
    }
}

/// The checks again: the agent may have changed while its run waited in the queue.
async fn refused(tx: &mut Tx, agent: &AgentRow, run: &RunState) -> Result<Option<(RunStatus, Option<&'static str>)>> {
    let snapshot = gate::snapshot(tx, agent).await?;
    // The run itself is the active one, and its start has passed the cooldown or was exempt from it.
    let snapshot = Snapshot { is_active: false, cooldown_until: None, ..snapshot };
    Ok(match check::judge(&snapshot, run.depth) {
        Verdict::Start => gate::reserve(tx, agent, run.id).await?.map(|status| (status, None)),
        Verdict::Ignored => Some((RunStatus::Cancelled, Some(NOT_REACTIVE))),
        Verdict::Refused(Refusal { status, .. }) => Some((status, None)),
    })
}

/// Ends a run that was never begun. Its message waits.
async fn give_up(tx: &mut Tx, agent: &AgentRow, run: &RunState, status: RunStatus, error: Option<&str>) -> Result<()> {
    governance::release(tx, run.id).await?;
    store::end(tx, run.id, status, error, None).await?;
    start::announce_state(tx, agent, run, status, error).await?;
    if run.is_event { Ok(()) } else { start::go_on(tx, agent).await }
}

/// The messages that a run has claimed, with their tokens.
struct Taken {
    trigger: Option<Trigger>,
    claimed: Vec<(MessageId, String)>,
}

/// Claims the messages of a run. Returns nothing when another worker has the trigger.
async fn claim(tx: &mut Tx, input: &Input, agent: &AgentRow, run: &RunState) -> Result<Option<Taken>> {
    let trigger = match run.trigger_message_id {
        Some(id) => work::trigger(tx, id).await?,
        None => None,
    };
    if matches!(run.cause, RunCause::Message | RunCause::Waiting) && trigger.is_none() {
        // The message was removed.
        return Ok(None);
    }
    // A message that was finished before can be run again, but not claimed.
    let is_again = run.cause == RunCause::Retry
        && trigger
            .as_ref()
            .is_some_and(|trigger| matches!(trigger.status, MessageStatus::Done | MessageStatus::Failed));
    let request = RunClaim {
        agent: agent.id,
        trigger: run.trigger_message_id.filter(|_| !is_again),
        limit: limits::RUN_MESSAGES,
        max_depth: agent.max_trigger_depth,
        lease: limits::RUN_LEASE,
        token: input.claim_token.clone(),
    };
    let claimed = work::claim(tx, &request).await?;
    if request.trigger.is_none() || !claimed.is_empty() {
        return Ok(Some(Taken { trigger, claimed }));
    }
    if run.cause != RunCause::Request {
        return Ok(None);
    }
    // Its owner wants a run, with whatever waits.
    let claimed = work::claim(tx, &RunClaim { trigger: None, ..request }).await?;
    Ok(Some(Taken { trigger: None, claimed }))
}

async fn take_up(tx: &mut Tx, input: &Input, agent: &AgentRow, mut run: RunState, taken: &Taken) -> Result<Begun> {
    let viewer = Viewer::agent(agent.id);
    let messages = read(tx, &viewer, taken).await?;
    run.depth = messages.iter().map(|(message, _)| message.depth).max().unwrap_or(0).max(run.depth);
    run.channel_message_id = react(tx, agent, &run, taken.trigger.as_ref()).await?;
    if !run.is_event {
        run.trigger_message_id = taken.trigger.as_ref().map(|trigger| trigger.id);
    }
    let count = u32::try_from(taken.claimed.len()).unwrap_or(u32::MAX);
    let beginning = Beginning {
        trigger: run.trigger_message_id,
        claim_token: &input.claim_token,
        messages: count,
        depth: run.depth,
        after: work::newest(tx).await?,
        channel_message: run.channel_message_id,
    };
    store::begin(tx, run.id, &beginning).await?;
    auth::insert_run(tx, run.id, &input.credential).await?;
    start::announce_state(tx, agent, &run, RunStatus::Running, None).await?;
    describe(tx, agent, run, taken, input.claim_token.clone()).await
}

/// Describes a run that has begun, for its harness.
async fn describe(tx: &mut Tx, agent: &AgentRow, mut run: RunState, taken: &Taken, claim: String) -> Result<Begun> {
    let viewer = Viewer::agent(agent.id);
    let messages = read(tx, &viewer, taken).await?;
    let session_id = match run.conversation_id {
        Some(conversation) => store::last_session(tx, agent.id, conversation).await?,
        None => None,
    };
    let thread = preview::thread(tx, &viewer, taken.trigger.as_ref()).await?;
    let begun_today = gate::runs_today(tx, agent).await?;
    let shown = agents::store::find_any(tx, &agent.name).await?.ok_or_else(|| Error::not_found("agent"))?;
    run.status = RunStatus::Running;
    run.claim_token = Some(claim);
    let prompt = PromptSource {
        agent: shown,
        owner_id: agent.owner_id,
        run: Some(CallerRun { id: run.id, depth: run.depth }),
        messages,
        thread,
        request: run.request.clone(),
        runs_left: agent.daily_run_budget.saturating_sub(begun_today),
    };
    let traceparent = taken.trigger.as_ref().and_then(|trigger| trigger.traceparent.clone());
    Ok(Begun { run, prompt, session_id, traceparent, event: None, taken_up: None })
}

/// The messages of a run, the trigger first.
async fn read(tx: &mut Tx, viewer: &Viewer, taken: &Taken) -> Result<Vec<(Message, Option<String>)>> {
    let mut ids: Vec<_> = taken.claimed.iter().map(|(id, _)| *id).collect();
    if let Some(trigger) = &taken.trigger
        && !ids.contains(&trigger.id)
    {
        ids.insert(0, trigger.id);
    }
    let found = preview::read(tx, viewer, &ids).await?;
    let claim =
        |id: MessageId| taken.claimed.iter().find(|(claimed, _)| *claimed == id).map(|(_, token)| token.clone());
    Ok(found.into_iter().map(|message| (message.clone(), claim(message.id))).collect())
}

/// Marks the trigger as in progress, and the message in a channel that it notifies of if nobody else has. Returns the
/// latter.
async fn react(tx: &mut Tx, agent: &AgentRow, run: &RunState, trigger: Option<&Trigger>) -> Result<Option<MessageId>> {
    let Some(trigger) = trigger else { return Ok(None) };
    let party = messages::store::party_by_id(tx, ParticipantId(agent.id.0)).await?;
    reactions::mark(tx, &party, trigger.id, ReactionKind::InProgress, run.depth).await?;
    let Some(mention) = trigger.mention_of else { return Ok(None) };
    let is_marked = reactions::mark(tx, &party, mention, ReactionKind::InProgress, run.depth).await?;
    Ok(is_marked.then_some(mention))
}
