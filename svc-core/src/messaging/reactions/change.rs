//! Setting and removing reactions.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;
use svc_model::reactions::{ReactionAction, ReactionChange, ReactionKind, WorkflowState};

use super::announce::{self, ReactionEdit};
use super::service::{Judgements, Reactions};
use super::store::{self, Mark, Subject};
use super::workflow;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{AgentId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::{self, Party};
use crate::messaging::trust::{self, Judgement};
use crate::store::db::Tx;
use crate::text::holds_nul;

/// A request to change a reaction.
struct Request {
    by: Party,
    viewer: Viewer,
    message: MessageId,
    reaction: ReactionKind,
    metadata: Value,
    /// The depth that the caller was told.
    depth: u32,
    /// Who learns how humans judge messages: none for agents, which judge nobody.
    judgements: Option<Arc<dyn Judgements>>,
}

#[boxed_futures]
impl Reactions {
    /// Sets the caller's reaction on a message, or removes it if it is set.
    ///
    /// ```
    /// # use svc_core::{Caller, Hub, Result, ids::MessageId};
    /// # async fn example(hub: Hub, ann: Caller, plan: MessageId) -> Result<()> {
    /// use svc_core::prelude::*;
    /// use svc_core::reactions::ReactionAction;
    ///
    /// let change = hub.reactions().toggle(&ann, plan, ReactionKind::Approve, None).await?;
    /// if change.action == ReactionAction::Added {
    ///     println!("The plan is approved; its state is {:?}.", change.workflow_state);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn toggle(
        &self,
        caller: &Caller,
        message: MessageId,
        reaction: ReactionKind,
        metadata: Option<Value>,
    ) -> Result<ReactionChange> {
        let key = caller.idempotency("reactions.toggle", &(message, reaction, &metadata))?;
        let metadata = metadata.unwrap_or_else(|| json!({}));
        let request = Request {
            by: reactor(caller)?,
            viewer: Viewer::of(caller),
            message,
            reaction,
            metadata,
            depth: caller.depth(),
            judgements: Some(self.judgements.clone()),
        };
        check_metadata(&request.metadata)?;
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(toggle(tx, request))).await?.value)
    }

    /// Sets the caller's reaction on a message; an existing one is left unchanged.
    pub async fn set(
        &self,
        caller: &Caller,
        message: MessageId,
        reaction: ReactionKind,
        metadata: Option<Value>,
    ) -> Result<ReactionChange> {
        let key = caller.idempotency("reactions.set", &(message, reaction, &metadata))?;
        let metadata = metadata.unwrap_or_else(|| json!({}));
        let request = Request {
            by: reactor(caller)?,
            viewer: Viewer::of(caller),
            message,
            reaction,
            metadata,
            depth: caller.depth(),
            judgements: Some(self.judgements.clone()),
        };
        check_metadata(&request.metadata)?;
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(set(tx, request))).await?.value)
    }

    /// Removes the caller's reaction. The author of the message and the channel owner can also
    /// remove an `in_progress` of somebody else, and humans can act for their agents.
    pub async fn remove(&self, caller: &Caller, message: MessageId, reaction: ReactionKind) -> Result<ReactionChange> {
        let key = caller.idempotency("reactions.remove", &(message, reaction))?;
        let (by, viewer, metadata) = (reactor(caller)?, Viewer::of(caller), json!({}));
        let (depth, judgements) = (caller.depth(), Some(self.judgements.clone()));
        let request = Request { by, viewer, message, reaction, metadata, depth, judgements };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(remove(tx, request))).await?.value)
    }
}

/// The participant that reacts.
fn reactor(caller: &Caller) -> Result<Party> {
    caller.require(Permission::Write)?;
    Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "The admin socket cannot set reactions. React as a user or as an agent.",
        )
    })
}

fn check_metadata(metadata: &Value) -> Result<()> {
    let text = metadata.to_string();
    if metadata.is_object() && text.len() <= limits::REACTION_METADATA_MAX && !holds_nul(metadata) {
        return Ok(());
    }
    let rule = format!("must be a JSON object of at most {} bytes, without NUL", limits::REACTION_METADATA_MAX);
    Err(Error::invalid("metadata", rule))
}

async fn toggle(tx: &mut Tx, request: &Request) -> Result<ReactionChange> {
    let subject = locked_subject(tx, request).await?;
    let marks = store::marks(tx, subject.id).await?;
    if marks.iter().any(|mark| is(mark, request.by.id, request.reaction)) {
        return remove_reaction(tx, request, &subject, &marks, (request.by.id, &request.by.handle)).await;
    }
    check_trust(tx, request, &subject).await?;
    add(tx, request, &subject, &marks).await
}

async fn set(tx: &mut Tx, request: &Request) -> Result<ReactionChange> {
    let subject = locked_subject(tx, request).await?;
    let marks = store::marks(tx, subject.id).await?;
    if marks.iter().any(|mark| is(mark, request.by.id, request.reaction)) {
        let workflow_state = subject.workflow_state.filter(|_| subject.in_workflow());
        let reactions = store::of_message(tx, subject.id).await?;
        return Ok(ReactionChange { action: ReactionAction::Already, reactions, workflow_state });
    }
    check_trust(tx, request, &subject).await?;
    add(tx, request, &subject, &marks).await
}

async fn remove(tx: &mut Tx, request: &Request) -> Result<ReactionChange> {
    let subject = locked_subject(tx, request).await?;
    let marks = store::marks(tx, subject.id).await?;
    let own = marks.iter().find(|mark| is(mark, request.by.id, request.reaction));
    let found = own.or_else(|| claim(&marks).filter(|_| request.reaction == ReactionKind::InProgress));
    let Some(mark) = found else { return Err(Error::not_found("reaction")) };
    if !may_remove(&request.by, &subject, mark) {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "claim_of_another",
            format!("Claimed by {}: only they, the author or the channel owner can remove it.", mark.handle),
        )
        .with_detail("holder", mark.handle.as_str()));
    }
    remove_reaction(tx, request, &subject, &marks, (mark.participant_id, &mark.handle)).await
}

/// Sets a reaction of an agent as part of a larger operation of the hub; an existing one is left unchanged. Returns
/// `false`, and changes nothing, when the agent cannot see the message, when it is deleted or its channel is archived,
/// and when somebody else has the `in_progress`.
pub(crate) async fn mark(
    tx: &mut Tx,
    agent: &Party,
    message: MessageId,
    reaction: ReactionKind,
    depth: u32,
) -> Result<bool> {
    let viewer = Viewer::agent(AgentId(agent.id.0));
    if messages::store::find(tx, &viewer, message).await?.is_none() {
        return Ok(false);
    }
    store::hold(tx, message).await?;
    let subject = store::subject(tx, message).await?;
    let marks = store::marks(tx, message).await?;
    if marks.iter().any(|mark| is(mark, agent.id, reaction)) {
        return Ok(true);
    }
    let is_taken = reaction == ReactionKind::InProgress && claim(&marks).is_some();
    if subject.archived_at.is_some() || subject.deleted_at.is_some() || is_taken {
        return Ok(false);
    }
    let by = agent.clone();
    let request = Request { by, viewer, message, reaction, metadata: json!({}), depth, judgements: None };
    add(tx, &request, &subject, &marks).await?;
    Ok(true)
}

/// Locks the message for this transaction.
async fn locked_subject(tx: &mut Tx, request: &Request) -> Result<Subject> {
    let seen = messages::store::visible(tx, &request.viewer, request.message).await?;
    store::hold(tx, seen.id).await?;
    let subject = store::subject(tx, seen.id).await?;
    if subject.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: reactions cannot be changed."));
    }
    if let Some(deleted_at) = subject.deleted_at {
        return Err(messages::lifecycle::message_deleted(deleted_at));
    }
    Ok(subject)
}

fn is(mark: &Mark, by: ParticipantId, reaction: ReactionKind) -> bool {
    mark.participant_id == by && mark.reaction == reaction
}

/// The `in_progress` reaction; there is at most one.
fn claim(marks: &[Mark]) -> Option<&Mark> {
    marks.iter().find(|mark| mark.reaction == ReactionKind::InProgress)
}

/// Whether a participant set the reaction, wrote the message or owns the channel, or is the human
/// of one that did.
fn may_remove(by: &Party, subject: &Subject, mark: &Mark) -> bool {
    let themselves = [Some(mark.participant_id), Some(subject.sender_id), subject.channel_owner_id];
    let their_humans = [mark.human, subject.sender_owner_id, subject.channel_owner_human];
    let human = |id: UserId| by.kind == ParticipantKind::Human && by.id.0 == id.0;
    themselves.contains(&Some(by.id)) || their_humans.into_iter().flatten().any(human)
}

/// In a workflow channel, an agent needs enough trust to approve or publish.
async fn check_trust(tx: &mut Tx, request: &Request, subject: &Subject) -> Result<()> {
    if !subject.in_workflow() || request.by.kind != ParticipantKind::Agent {
        return Ok(());
    }
    let (action, threshold) = match request.reaction {
        ReactionKind::Approve => ("approve", subject.approve_threshold),
        ReactionKind::Published => ("publish", subject.publish_threshold),
        ReactionKind::Reject | ReactionKind::InProgress | ReactionKind::Done => return Ok(()),
    };
    trust::require(tx, AgentId(request.by.id.0), action, threshold.unwrap_or(0)).await
}

async fn add(tx: &mut Tx, request: &Request, subject: &Subject, marks: &[Mark]) -> Result<ReactionChange> {
    if request.reaction == ReactionKind::InProgress
        && let Some(holder) = claim(marks)
    {
        return Err(already_claimed(Some(holder)));
    }
    if !store::insert(tx, subject.id, request.by.id, request.reaction, &request.metadata).await? {
        // Only a transaction that did not lock the message first can have inserted it meanwhile.
        let marks = store::marks(tx, subject.id).await?;
        return Err(already_claimed(claim(&marks)));
    }
    let mut after = marks.to_vec();
    after.push(Mark {
        participant_id: request.by.id,
        handle: request.by.handle.clone(),
        human: None,
        reaction: request.reaction,
    });
    let (by, of) = (&request.by, &request.by.handle);
    let edit = ReactionEdit { by, reaction: request.reaction, action: ReactionAction::Added, of, depth: request.depth };
    write_change(tx, request, subject, &edit, (marks, &after)).await
}

/// The error for a claimed message. It names the holder, unless they have just released the claim.
fn already_claimed(holder: Option<&Mark>) -> Error {
    let name = holder.map_or("somebody else", |holder| &holder.handle);
    let refusal = Error::conflict(
        "already_claimed",
        format!("This message is already claimed by {name}. It can be claimed again after they remove in_progress."),
    );
    match holder {
        Some(holder) => refusal.with_detail("holder", holder.handle.as_str()),
        None => refusal,
    }
}

async fn remove_reaction(
    tx: &mut Tx,
    request: &Request,
    subject: &Subject,
    marks: &[Mark],
    (of_id, of): (ParticipantId, &str),
) -> Result<ReactionChange> {
    store::delete(tx, subject.id, of_id, request.reaction).await?;
    let after: Vec<_> = marks.iter().filter(|mark| !is(mark, of_id, request.reaction)).cloned().collect();
    let edit = ReactionEdit {
        by: &request.by,
        reaction: request.reaction,
        action: ReactionAction::Removed,
        of,
        depth: request.depth,
    };
    write_change(tx, request, subject, &edit, (marks, &after)).await
}

/// Writes the consequences of a change: count, state, trust and events.
async fn write_change(
    tx: &mut Tx,
    request: &Request,
    subject: &Subject,
    edit: &ReactionEdit<'_>,
    (before, after): (&[Mark], &[Mark]),
) -> Result<ReactionChange> {
    store::set_count(tx, subject.id, after.len()).await?;
    let state = state(subject, after);
    let shown = state.filter(|_| subject.in_workflow());
    if let Some(state) = state.filter(|_| state != subject.workflow_state) {
        store::set_state(tx, subject.id, state).await?;
        if subject.in_workflow() {
            announce::state_changed(tx, subject, edit, state).await?;
        }
    }
    announce::changed(tx, subject, edit, shown).await?;
    judge(tx, request, subject, before, after).await?;
    let reactions = store::of_message(tx, subject.id).await?;
    Ok(ReactionChange { action: edit.action, reactions, workflow_state: shown })
}

/// The workflow state that follows from the reactions, if a workflow runs or has run.
fn state(subject: &Subject, marks: &[Mark]) -> Option<WorkflowState> {
    if !subject.in_workflow() && subject.workflow_state.is_none() {
        return None;
    }
    let beginning = workflow::beginning(subject.auto_approve == Some(true));
    Some(workflow::state(beginning, marks.iter().map(|mark| mark.reaction)))
}

/// Adjusts the trust in an agent, and its reputation, after a human's reaction to its message.
async fn judge(tx: &mut Tx, request: &Request, subject: &Subject, before: &[Mark], after: &[Mark]) -> Result<()> {
    let by = &request.by;
    if by.kind != ParticipantKind::Human || subject.sender_kind != ParticipantKind::Agent {
        return Ok(());
    }
    let verdict = |marks: &[Mark]| {
        trust::verdict(marks.iter().filter(|mark| mark.participant_id == by.id).map(|mark| mark.reaction))
    };
    let judgement = Judgement {
        message: subject.id,
        human: by.id,
        agent: AgentId(subject.sender_id.0),
        agent_name: &subject.sender,
        owner: subject.sender_owner_id,
        metadata: &subject.metadata,
        before: verdict(before),
        after: verdict(after),
    };
    trust::judge(tx, &judgement).await?;
    match &request.judgements {
        Some(judgements) => judgements.judged(tx, &judgement).await,
        None => Ok(()),
    }
}
