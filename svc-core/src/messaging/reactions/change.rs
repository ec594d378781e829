//! Setting and taking back reactions.

use serde_json::{Value, json};
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;
use svc_model::reactions::{ReactionAction, ReactionChange, ReactionKind, WorkflowState};

use super::announce::{self, Deed};
use super::service::Reactions;
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

/// What somebody wants to do with a reaction.
struct Wish {
    by: Party,
    viewer: Viewer,
    message: MessageId,
    reaction: ReactionKind,
    metadata: Value,
}

#[boxed_futures]
impl Reactions {
    /// Sets the caller's reaction on a message, or takes it back when it stands there.
    pub async fn toggle(
        &self,
        caller: &Caller,
        message: MessageId,
        reaction: ReactionKind,
        metadata: Option<Value>,
    ) -> Result<ReactionChange> {
        let metadata = metadata.unwrap_or_else(|| json!({}));
        let wish = Wish { by: reactor(caller)?, viewer: Viewer::of(caller), message, reaction, metadata };
        check_metadata(&wish.metadata)?;
        self.db.write_by(caller, wish, |tx, wish| Box::pin(toggle(tx, wish))).await
    }

    /// Sets the caller's reaction on a message; one that stands there already is left as it is.
    pub async fn set(
        &self,
        caller: &Caller,
        message: MessageId,
        reaction: ReactionKind,
        metadata: Option<Value>,
    ) -> Result<ReactionChange> {
        let metadata = metadata.unwrap_or_else(|| json!({}));
        let wish = Wish { by: reactor(caller)?, viewer: Viewer::of(caller), message, reaction, metadata };
        check_metadata(&wish.metadata)?;
        self.db.write_by(caller, wish, |tx, wish| Box::pin(set(tx, wish))).await
    }

    /// Takes back the caller's reaction. An `in_progress` is also taken away from somebody else by the
    /// author of the message and by the channel's owner, and humans do all this for their agents.
    pub async fn remove(&self, caller: &Caller, message: MessageId, reaction: ReactionKind) -> Result<ReactionChange> {
        let wish = Wish { by: reactor(caller)?, viewer: Viewer::of(caller), message, reaction, metadata: json!({}) };
        self.db.write_by(caller, wish, |tx, wish| Box::pin(remove(tx, wish))).await
    }
}

/// Who reacts.
fn reactor(caller: &Caller) -> Result<Party> {
    caller.require(Permission::Write)?;
    Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "Whoever runs the server sees reactions and sets none: react as a user or as an agent.",
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

async fn toggle(tx: &mut Tx, wish: &Wish) -> Result<ReactionChange> {
    let subject = held(tx, wish).await?;
    let marks = store::marks(tx, subject.id).await?;
    if marks.iter().any(|mark| is(mark, wish.by.id, wish.reaction)) {
        return take_away(tx, wish, &subject, &marks, (wish.by.id, &wish.by.handle)).await;
    }
    check_trust(tx, wish, &subject).await?;
    add(tx, wish, &subject, &marks).await
}

async fn set(tx: &mut Tx, wish: &Wish) -> Result<ReactionChange> {
    let subject = held(tx, wish).await?;
    let marks = store::marks(tx, subject.id).await?;
    if marks.iter().any(|mark| is(mark, wish.by.id, wish.reaction)) {
        let workflow_state = subject.workflow_state.filter(|_| subject.in_workflow());
        let reactions = store::of_message(tx, subject.id).await?;
        return Ok(ReactionChange { action: ReactionAction::Already, reactions, workflow_state });
    }
    check_trust(tx, wish, &subject).await?;
    add(tx, wish, &subject, &marks).await
}

async fn remove(tx: &mut Tx, wish: &Wish) -> Result<ReactionChange> {
    let subject = held(tx, wish).await?;
    let marks = store::marks(tx, subject.id).await?;
    let own = marks.iter().find(|mark| is(mark, wish.by.id, wish.reaction));
    let found = own.or_else(|| claim(&marks).filter(|_| wish.reaction == ReactionKind::InProgress));
    let Some(mark) = found else { return Err(Error::not_found("reaction")) };
    if !may_remove(&wish.by, &subject, mark) {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "claim_of_another",
            format!("This is in progress by {}: they, the author or the channel's owner can end that.", mark.handle),
        )
        .with_detail("holder", mark.handle.as_str()));
    }
    take_away(tx, wish, &subject, &marks, (mark.participant_id, &mark.handle)).await
}

/// The message, which nobody else changes from here on.
async fn held(tx: &mut Tx, wish: &Wish) -> Result<Subject> {
    let seen = messages::store::visible(tx, &wish.viewer, wish.message).await?;
    store::hold(tx, seen.id).await?;
    let subject = store::subject(tx, seen.id).await?;
    if subject.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: it can be read, not written to."));
    }
    Ok(subject)
}

fn is(mark: &Mark, by: ParticipantId, reaction: ReactionKind) -> bool {
    mark.participant_id == by && mark.reaction == reaction
}

/// The one `in_progress`.
fn claim(marks: &[Mark]) -> Option<&Mark> {
    marks.iter().find(|mark| mark.reaction == ReactionKind::InProgress)
}

/// Whoever set it, said what it stands on, or owns the channel; and the humans of these.
fn may_remove(by: &Party, subject: &Subject, mark: &Mark) -> bool {
    let themselves = [Some(mark.participant_id), Some(subject.sender_id), subject.channel_owner_id];
    let their_humans = [mark.human, subject.sender_owner_id, subject.channel_owner_human];
    let human = |id: UserId| by.kind == ParticipantKind::Human && by.id.0 == id.0;
    themselves.contains(&Some(by.id)) || their_humans.into_iter().flatten().any(human)
}

/// In a workflow channel an agent approves and publishes only when it is trusted to.
async fn check_trust(tx: &mut Tx, wish: &Wish, subject: &Subject) -> Result<()> {
    if !subject.in_workflow() || wish.by.kind != ParticipantKind::Agent {
        return Ok(());
    }
    let (action, threshold) = match wish.reaction {
        ReactionKind::Approve => ("approve", subject.approve_threshold),
        ReactionKind::Published => ("publish", subject.publish_threshold),
        ReactionKind::Reject | ReactionKind::InProgress | ReactionKind::Done => return Ok(()),
    };
    trust::require(tx, AgentId(wish.by.id.0), action, threshold.unwrap_or(0)).await
}

async fn add(tx: &mut Tx, wish: &Wish, subject: &Subject, marks: &[Mark]) -> Result<ReactionChange> {
    if wish.reaction == ReactionKind::InProgress
        && let Some(holder) = claim(marks)
    {
        return Err(already_claimed(Some(holder)));
    }
    if !store::insert(tx, subject.id, wish.by.id, wish.reaction, &wish.metadata).await? {
        // Only somebody who did not take the message first can have come between.
        let marks = store::marks(tx, subject.id).await?;
        return Err(already_claimed(claim(&marks)));
    }
    let mut after = marks.to_vec();
    after.push(Mark {
        participant_id: wish.by.id,
        handle: wish.by.handle.clone(),
        human: None,
        reaction: wish.reaction,
    });
    let deed = Deed { by: &wish.by, reaction: wish.reaction, action: ReactionAction::Added, of: &wish.by.handle };
    settle(tx, subject, &deed, marks, &after).await
}

/// Names the holder, unless they have let go of it in this very moment.
fn already_claimed(holder: Option<&Mark>) -> Error {
    let name = holder.map_or("somebody else", |holder| &holder.handle);
    let refusal = Error::conflict(
        "already_claimed",
        format!("This is in progress by {name} already: it can be taken when they have ended that."),
    );
    match holder {
        Some(holder) => refusal.with_detail("holder", holder.handle.as_str()),
        None => refusal,
    }
}

async fn take_away(
    tx: &mut Tx,
    wish: &Wish,
    subject: &Subject,
    marks: &[Mark],
    (of_id, of): (ParticipantId, &str),
) -> Result<ReactionChange> {
    store::delete(tx, subject.id, of_id, wish.reaction).await?;
    let after: Vec<_> = marks.iter().filter(|mark| !is(mark, of_id, wish.reaction)).cloned().collect();
    let deed = Deed { by: &wish.by, reaction: wish.reaction, action: ReactionAction::Removed, of };
    settle(tx, subject, &deed, marks, &after).await
}

/// Writes what follows from a change: count, state, trust, events.
async fn settle(
    tx: &mut Tx,
    subject: &Subject,
    deed: &Deed<'_>,
    before: &[Mark],
    after: &[Mark],
) -> Result<ReactionChange> {
    store::set_count(tx, subject.id, after.len()).await?;
    let state = state(subject, after);
    let shown = state.filter(|_| subject.in_workflow());
    if let Some(state) = state.filter(|_| state != subject.workflow_state) {
        store::set_state(tx, subject.id, state).await?;
        if subject.in_workflow() {
            announce::state_changed(tx, subject, deed, state).await?;
        }
    }
    announce::changed(tx, subject, deed, shown).await?;
    judge(tx, subject, deed.by, before, after).await?;
    let reactions = store::of_message(tx, subject.id).await?;
    Ok(ReactionChange { action: deed.action, reactions, workflow_state: shown })
}

/// What the reactions come to, where a workflow runs or has run.
fn state(subject: &Subject, marks: &[Mark]) -> Option<WorkflowState> {
    if !subject.in_workflow() && subject.workflow_state.is_none() {
        return None;
    }
    let beginning = workflow::beginning(subject.auto_approve == Some(true));
    Some(workflow::state(beginning, marks.iter().map(|mark| mark.reaction)))
}

/// A human's reactions on what an agent said move the trust in that agent.
async fn judge(tx: &mut Tx, subject: &Subject, by: &Party, before: &[Mark], after: &[Mark]) -> Result<()> {
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
    trust::judge(tx, &judgement).await
}
