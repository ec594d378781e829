//! Events about reactions, with the audience that may receive them.

use svc_model::events::{Audience, EventBody, MessageUpdated, ReactionChanged, WorkflowStateChanged};
use svc_model::reactions::{ReactionAction, ReactionKind, WorkflowState};

use super::store::Subject;
use crate::error::Result;
use crate::messaging::messages::{Party, depth_of_action};
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

/// A change of a reaction: who changed it, and how.
pub(super) struct ReactionEdit<'a> {
    pub(super) by: &'a Party,
    pub(super) reaction: ReactionKind,
    pub(super) action: ReactionAction,
    /// The owner of the reaction; somebody else if a claim is taken away.
    pub(super) of: &'a str,
    /// The depth that the actor was told.
    pub(super) depth: u32,
}

/// Records that a reaction was added or removed.
pub(super) async fn changed(
    tx: &mut Tx,
    subject: &Subject,
    edit: &ReactionEdit<'_>,
    workflow_state: Option<WorkflowState>,
) -> Result<()> {
    let changed = ReactionChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: audience(subject),
        by: edit.by.handle.clone(),
        by_id: Some(edit.by.id),
        of: Some(edit.of.to_owned()),
        reaction: edit.reaction,
        action: edit.action,
        workflow_state,
    };
    tx.record(EventBody::ReactionChanged(changed)).await?;
    Ok(())
}

/// Records that the reactions lead to a new workflow state.
pub(super) async fn state_changed(
    tx: &mut Tx,
    subject: &Subject,
    edit: &ReactionEdit<'_>,
    new_state: WorkflowState,
) -> Result<()> {
    let depth = depth_of_action(tx, edit.by, edit.depth).await?;
    let changed = WorkflowStateChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: audience(subject),
        old_state: subject.workflow_state,
        new_state,
        by: edit.by.handle.clone(),
        by_id: Some(edit.by.id),
        reaction: edit.reaction,
        depth,
    };
    tx.record(EventBody::WorkflowStateChanged(changed)).await?;
    Ok(())
}

/// Records that a stalled message was escalated to the channel owner.
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
