//! What readers of the log are told: enough to decide who may know, and what happened.

use serde::Serialize;
use svc_model::reactions::{ReactionAction, ReactionKind, WorkflowState};

use super::store::Subject;
use crate::error::Result;
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::messaging::messages::Party;
use crate::store::db::Tx;
use crate::store::events::NewEvent;
use crate::timestamp::Timestamp;

/// The message, and those who may know of it.
#[derive(Serialize)]
struct Audience<'a> {
    message_id: MessageId,
    conversation_id: ConversationId,
    channel_id: Option<ChannelId>,
    channel: Option<&'a str>,
    /// Whether everybody could read the channel when it happened.
    public: bool,
    sender_id: ParticipantId,
    sender_owner_id: Option<UserId>,
    recipient_id: Option<ParticipantId>,
    recipient_owner_id: Option<UserId>,
}

impl<'a> Audience<'a> {
    fn of(subject: &'a Subject) -> Self {
        Self {
            message_id: subject.id,
            conversation_id: subject.conversation_id,
            channel_id: subject.channel_id,
            channel: subject.channel.as_deref(),
            public: subject.public.unwrap_or(false),
            sender_id: subject.sender_id,
            sender_owner_id: subject.sender_owner_id,
            recipient_id: subject.recipient_id,
            recipient_owner_id: subject.recipient_owner_id,
        }
    }
}

/// Who did what with which reaction.
pub(super) struct Deed<'a> {
    pub(super) by: &'a Party,
    pub(super) reaction: ReactionKind,
    pub(super) action: ReactionAction,
    /// Whose reaction it is; another's where somebody takes away a claim.
    pub(super) of: &'a str,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(flatten)]
    audience: Audience<'a>,
    by: &'a str,
    by_id: ParticipantId,
    of: &'a str,
    reaction: ReactionKind,
    action: ReactionAction,
    workflow_state: Option<WorkflowState>,
}

/// A reaction came or went.
pub(super) async fn changed(
    tx: &mut Tx,
    subject: &Subject,
    deed: &Deed<'_>,
    workflow_state: Option<WorkflowState>,
) -> Result<()> {
    let payload = Changed {
        audience: Audience::of(subject),
        by: &deed.by.handle,
        by_id: deed.by.id,
        of: deed.of,
        reaction: deed.reaction,
        action: deed.action,
        workflow_state,
    };
    tx.emit(&NewEvent::new("reaction.changed", &payload)?).await?;
    Ok(())
}

#[derive(Serialize)]
struct StateChanged<'a> {
    #[serde(flatten)]
    audience: Audience<'a>,
    old_state: Option<WorkflowState>,
    new_state: WorkflowState,
    by: &'a str,
    by_id: ParticipantId,
    reaction: ReactionKind,
}

/// The reactions come to another state.
pub(super) async fn state_changed(
    tx: &mut Tx,
    subject: &Subject,
    deed: &Deed<'_>,
    new_state: WorkflowState,
) -> Result<()> {
    let payload = StateChanged {
        audience: Audience::of(subject),
        old_state: subject.workflow_state,
        new_state,
        by: &deed.by.handle,
        by_id: deed.by.id,
        reaction: deed.reaction,
    };
    tx.emit(&NewEvent::new("workflow.state_changed", &payload)?).await?;
    Ok(())
}

#[derive(Serialize)]
struct Standstill<'a> {
    #[serde(flatten)]
    audience: Audience<'a>,
    workflow_state: Option<WorkflowState>,
    escalated_at: Timestamp,
}

/// A message has stood still for so long that the channel's owner was told.
pub(super) async fn escalated(tx: &mut Tx, subject: &Subject) -> Result<()> {
    let payload =
        Standstill { audience: Audience::of(subject), workflow_state: subject.workflow_state, escalated_at: tx.now() };
    tx.emit(&NewEvent::new("message.updated", &payload)?).await?;
    Ok(())
}
