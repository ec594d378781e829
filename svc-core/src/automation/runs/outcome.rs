//! Recording how a run ended: the run, its messages, the reactions, the answer and the notice to the owner, in one
//! transaction with the item in the queue.

use serde_json::json;
use svc_model::agents::TriggerMode;
use svc_model::governance::RunOutcome;
use svc_model::harness::{ReplyMode, RunFailure, Usage};
use svc_model::messages::NewMessage;
use svc_model::reactions::ReactionKind;
use svc_model::runs::RunStatus;

use super::store::{self, AgentRow, Output, RunState};
use super::{gate, prompt, start};
use crate::automation::harness::{RunEnd, RunResult};
use crate::error::Result;
use crate::identity::auth::{self, Actor, AgentActor, Caller, CallerRun, Credential};
use crate::ids::{MessageId, ParticipantId, RunId};
use crate::limits;
use crate::messaging::messages::work::{self, Fate, Trigger};
use crate::messaging::messages::{self, Statement};
use crate::messaging::reactions;
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Queue};

/// The error of a run that its owner cancelled.
pub(super) const CANCELLED: &str = "cancelled";
/// Why the trigger of a cancelled run has failed.
pub(super) const CANCELLED_REASON: &str = "the run of the agent was cancelled";

/// The end of a run, as its node saw it.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    pub(super) end: RunEnd,
    pub(super) reply: ReplyMode,
    pub(super) log: String,
    pub(super) excerpt: String,
    /// The server stops: the run is interrupted, however its harness ended it.
    pub(super) is_stopping: bool,
}

/// Records the end of a run. Fails with `lease_lost`, and changes nothing, when another node may have it.
pub(super) async fn record(
    tx: &mut Tx,
    queue: &Queue,
    claimed: &ClaimedItem,
    id: RunId,
    ending: &Ending,
) -> Result<Option<RunStatus>> {
    let Some(run) = store::state(tx, id).await? else {
        queue.finish_in(tx, claimed).await?;
        return Ok(None);
    };
    let agent = start::held(tx, run.agent_id).await?;
    queue.finish_in(tx, claimed).await?;
    let (Some(agent), Some(run)) = (agent, store::state(tx, id).await?) else { return Ok(None) };
    if run.status != RunStatus::Running {
        return Ok(None);
    }
    if !ending.log.is_empty() {
        store::put_log(tx, id, &ending.log).await?;
    }
    let is_cancelled = run.cancel_requested_at.is_some();
    match &ending.end {
        RunEnd::Succeeded(result) => succeed(tx, &agent, &run, ending, result).await.map(Some),
        // Whatever a run said when it was asked to end, it ended because of that.
        RunEnd::Failed { result, .. } if is_cancelled => cancel(tx, &agent, &run, ending, result).await.map(Some),
        RunEnd::Cancelled if is_cancelled => cancel(tx, &agent, &run, ending, &RunResult::default()).await.map(Some),
        RunEnd::Failed { .. } | RunEnd::Cancelled | RunEnd::Accepted if ending.is_stopping => {
            store::set_output(tx, id, &output(ending, &RunResult::default(), None)).await?;
            interrupt(tx, &agent, &run).await?;
            Ok(Some(RunStatus::Failed))
        }
        RunEnd::Failed { reason, detail, result } => {
            fail(tx, &agent, &run, ending, (*reason, detail.as_str()), result).await.map(Some)
        }
        RunEnd::Cancelled | RunEnd::Accepted => {
            let failure = (RunFailure::Internal, "the run ended without a result");
            fail(tx, &agent, &run, ending, failure, &RunResult::default()).await.map(Some)
        }
    }
}

async fn succeed(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &RunState,
    ending: &Ending,
    result: &RunResult,
) -> Result<RunStatus> {
    store::set_output(tx, run.id, &output(ending, result, None)).await?;
    let trigger = trigger(tx, run).await?;
    let mut outgoing = first_sent(tx, run).await?;
    if outgoing.is_none() && ending.reply == ReplyMode::Auto {
        outgoing = reply(tx, agent, run, trigger.as_ref(), result.response.as_deref()).await?;
    }
    end_claims(tx, agent, run, Fate::Done).await?;
    react(tx, agent, run, ReactionKind::Done).await?;
    settle(tx, agent, run, result.usage, RunOutcome::Succeeded).await?;
    close(tx, agent, run, RunStatus::Succeeded, None, outgoing).await?;
    Ok(RunStatus::Succeeded)
}

async fn fail(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &RunState,
    ending: &Ending,
    (reason, detail): (RunFailure, &str),
    result: &RunResult,
) -> Result<RunStatus> {
    store::set_output(tx, run.id, &output(ending, result, Some(detail))).await?;
    let words = format!("the run of the agent failed: {reason}");
    end_claims(tx, agent, run, Fate::Failed { trigger: run.trigger_message_id, reason: &words }).await?;
    react(tx, agent, run, ReactionKind::Reject).await?;
    let outgoing = first_sent(tx, run).await?;
    settle(tx, agent, run, result.usage, RunOutcome::Failed).await?;
    close(tx, agent, run, RunStatus::Failed, Some(reason.as_str()), outgoing).await?;
    tell_owner(tx, agent, run, reason, detail).await?;
    Ok(RunStatus::Failed)
}

async fn cancel(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &RunState,
    ending: &Ending,
    result: &RunResult,
) -> Result<RunStatus> {
    store::set_output(tx, run.id, &output(ending, result, None)).await?;
    end_claims(tx, agent, run, Fate::Failed { trigger: run.trigger_message_id, reason: CANCELLED_REASON }).await?;
    react(tx, agent, run, ReactionKind::Reject).await?;
    let outgoing = first_sent(tx, run).await?;
    settle(tx, agent, run, result.usage, RunOutcome::Cancelled).await?;
    close(tx, agent, run, RunStatus::Cancelled, Some(CANCELLED), outgoing).await?;
    Ok(RunStatus::Cancelled)
}

/// Ends a run whose node stopped. Its messages wait again.
pub(super) async fn interrupt(tx: &mut Tx, agent: &AgentRow, run: &RunState) -> Result<()> {
    end_claims(tx, agent, run, Fate::Interrupted).await?;
    settle(tx, agent, run, Usage::default(), RunOutcome::Interrupted).await?;
    let outgoing = first_sent(tx, run).await?;
    close(tx, agent, run, RunStatus::Failed, Some(RunFailure::Interrupted.as_str()), outgoing).await
}

/// Ends a run that is queued, because its owner cancelled it. The trigger must not start the next one at once, so it
/// fails.
pub(super) async fn cancel_queued(tx: &mut Tx, agent: &AgentRow, run: &RunState) -> Result<()> {
    if let Some(trigger) = run.trigger_message_id {
        work::fail_waiting(tx, trigger, CANCELLED_REASON).await?;
    }
    close(tx, agent, run, RunStatus::Cancelled, Some(CANCELLED), None).await
}

async fn close(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &RunState,
    status: RunStatus,
    error: Option<&str>,
    outgoing: Option<MessageId>,
) -> Result<()> {
    store::end(tx, run.id, status, error, outgoing).await?;
    auth::remove_run(tx, run.id).await?;
    start::announce_state(tx, agent, run, status, error).await?;
    if run.is_event && agent.trigger_mode != TriggerMode::Reactive {
        return Ok(());
    }
    start::go_on(tx, agent).await
}

async fn settle(tx: &mut Tx, agent: &AgentRow, run: &RunState, usage: Usage, outcome: RunOutcome) -> Result<()> {
    if run.is_event {
        return gate::book(tx, agent, run.id, usage, outcome).await;
    }
    gate::settle(tx, run.id, usage, outcome).await
}

async fn trigger(tx: &mut Tx, run: &RunState) -> Result<Option<Trigger>> {
    match run.trigger_message_id {
        Some(id) => work::trigger(tx, id).await,
        None => Ok(None),
    }
}

/// The first message that the agent sent after the run had begun.
pub(super) async fn first_sent(tx: &mut Tx, run: &RunState) -> Result<Option<MessageId>> {
    match (run.outgoing_message_id, run.after_message_id) {
        (Some(known), _) => Ok(Some(known)),
        (None, Some(after)) => work::sent_after(tx, run.agent_id, after).await,
        (None, None) => Ok(None),
    }
}

async fn end_claims(tx: &mut Tx, agent: &AgentRow, run: &RunState, fate: Fate<'_>) -> Result<()> {
    if let Some(token) = &run.claim_token {
        work::end(tx, agent.id, token, fate).await?;
    }
    Ok(())
}

/// Reacts to the trigger, and to the message in a channel whose `in_progress` the run has.
async fn react(tx: &mut Tx, agent: &AgentRow, run: &RunState, reaction: ReactionKind) -> Result<()> {
    // Another worker has the message of the event.
    if run.is_event && run.message_count == 0 {
        return Ok(());
    }
    let party = messages::store::party_by_id(tx, ParticipantId(agent.id.0)).await?;
    for message in run.trigger_message_id.into_iter().chain(run.channel_message_id) {
        reactions::mark(tx, &party, message, reaction, run.depth).await?;
    }
    Ok(())
}

/// Posts the answer of a run as the agent's reply: where the trigger was written, or to the owner who asked for the run.
async fn reply(
    tx: &mut Tx,
    agent: &AgentRow,
    run: &RunState,
    trigger: Option<&Trigger>,
    response: Option<&str>,
) -> Result<Option<MessageId>> {
    let Some(body) = response.map(body).filter(|body| !body.is_empty()) else { return Ok(None) };
    let caller = acting(agent, run);
    for message in destinations(tx, agent, trigger, &body).await? {
        match messages::answer(tx, &caller, message).await {
            Ok(sent) => return Ok(Some(sent)),
            // A channel that was archived, or a participant who is gone. The answer is in the record of the run.
            Err(error) if !tx.has_failed() => {
                tracing::info!(run = run.id.0, error = error.log_line(), "the answer of a run was not posted there");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Where the answer of a run can be posted, the best place first.
async fn destinations(tx: &mut Tx, agent: &AgentRow, trigger: Option<&Trigger>, body: &str) -> Result<Vec<NewMessage>> {
    let Some(trigger) = trigger else { return Ok(vec![NewMessage::to(agent.owner.clone(), body)]) };
    let mut found = Vec::new();
    let ids: Vec<_> = std::iter::once(trigger.id).chain(trigger.mention_of).collect();
    let rows = messages::store::by_ids(tx, &ids).await?;
    if let Some((mention, channel)) =
        rows.iter().find(|row| Some(row.id) == trigger.mention_of).and_then(|row| Some((row.id, row.channel.clone()?)))
    {
        found.push(NewMessage::in_channel(channel, body).replying_to(mention));
    }
    if let Some(row) = rows.iter().find(|row| row.id == trigger.id) {
        let subject = Some(row.subject.clone()).filter(|subject| !subject.is_empty());
        found.push(NewMessage { subject, ..NewMessage::to(row.sender.clone(), body) }.replying_to(row.id));
    }
    Ok(found)
}

/// The agent, as the credential of its run lets it act.
fn acting(agent: &AgentRow, run: &RunState) -> Caller {
    let actor = AgentActor {
        id: agent.id,
        name: agent.name.as_str().into(),
        owner: agent.owner_id,
        owner_name: agent.owner.as_str().into(),
    };
    Caller::new(Actor::Agent(actor), Credential::Run(run.id)).in_run(CallerRun { id: run.id, depth: run.depth })
}

/// An answer as the text of a message.
fn body(response: &str) -> String {
    let text = response.replace('\0', "\u{fffd}");
    prompt::cut(text.trim(), limits::BODY_MAX).0.to_owned()
}

fn output(ending: &Ending, result: &RunResult, error: Option<&str>) -> Output {
    let response = result.response.as_ref().map(|response| response.replace('\0', "\u{fffd}"));
    let kept = response.as_deref().map(|response| prompt::marked(response, limits::RUN_TEXT_MAX));
    Output {
        is_cut: kept.as_ref().is_some_and(|(_, is_cut)| *is_cut),
        response: kept.map(|(text, _)| text),
        session_id: result.session_id.clone().filter(|id| id.len() <= limits::RUN_SESSION_MAX && !id.contains('\0')),
        usage: result.usage,
        exit_code: result.exit_code.map(i64::from),
        trace_id: result.trace_id.clone().filter(|id| id.len() <= limits::RUN_SESSION_MAX && !id.contains('\0')),
        logs_excerpt: Some(ending.excerpt.replace('\0', "\u{fffd}")).filter(|excerpt| !excerpt.is_empty()),
        error_log: error
            .map(|error| prompt::tail(&error.replace('\0', "\u{fffd}"), limits::RUN_EXCERPT_MAX).to_owned()),
    }
}

/// Tells the owner of an agent that a run failed, with the end of its error.
async fn tell_owner(tx: &mut Tx, agent: &AgentRow, run: &RunState, reason: RunFailure, detail: &str) -> Result<()> {
    let (id, name) = (run.id, &agent.name);
    let words =
        format!("Run {id} of @{name} failed ({reason}). Its page shows the prompt and the log; retry it there.");
    let mut statement = Statement::default().say(words);
    let end = prompt::tail(detail.trim(), limits::RUN_ERROR_TOLD);
    if !end.is_empty() {
        statement = statement.quote_code(name, "", end);
    }
    let metadata = json!({ "run": { "id": id, "agent": name, "error": reason } });
    messages::notify(tx, ParticipantId(agent.owner_id.0), &statement, metadata).await?;
    Ok(())
}
