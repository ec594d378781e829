//! What readers of the log are told: enough to decide who may know, and what happened.

use svc_model::events::{Audience, EventBody, MessageUpdated, ReactionChanged, WorkflowStateChanged};
use svc_model::reactions::{ReactionAction, ReactionKind, WorkflowState};

use super::store::Subject;
use crate::error::Result;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

fn audience(subject: &Subject) -> Audience {
    Audience {
        channel_id: subject.channel_id,
        channel: subject.channel.clone(),
        public: subject.public.unwrap_or(false),
        sender_id: Some(subject.sender_id),
        sender_owner_id: subject.sender_owner_id,
        recipient_id: subject.recipient_id,
        recipient_owner_id: subject.recipient_owner_id,
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

/// A reaction came or went.
pub(super) async fn changed(
    tx: &mut Tx,
    subject: &Subject,
    deed: &Deed<'_>,
    workflow_state: Option<WorkflowState>,
) -> Result<()> {
    let changed = ReactionChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: audience(subject),
        by: deed.by.handle.clone(),
        by_id: Some(deed.by.id),
        of: Some(deed.of.to_owned()),
        reaction: deed.reaction,
        action: deed.action,
        workflow_state,
    };
    tx.record(EventBody::ReactionChanged(changed)).await?;
    Ok(())
}

/// The reactions come to another state.
pub(super) async fn state_changed(
    tx: &mut Tx,
    subject: &Subject,
    deed: &Deed<'_>,
    new_state: WorkflowState,
) -> Result<()> {
    let changed = WorkflowStateChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: audience(subject),
        old_state: subject.workflow_state,
        new_state,
        by: deed.by.handle.clone(),
        by_id: Some(deed.by.id),
        reaction: deed.reaction,
    };
    tx.record(EventBody::WorkflowStateChanged(changed)).await?;
    Ok(())
}

/// A message has stood still for so long that the channel's owner was told.
pub(super) async fn escalated(tx: &mut Tx, subject: &Subject) -> Result<()> {
    let updated = MessageUpdated {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: audience(subject),
        status: None,
        claimed_by: None,
        reason: None,
        workflow_state: subject.workflow_state,
        escalated_at: Some(tx.now()),
    };
    tx.record(EventBody::MessageUpdated(updated)).await?;
    Ok(())
}
