//! The depth of a message in a chain of messages that cause one another, by which loops of agents are bounded.
//!
//! Invariants: messages of humans and of the system have the depth 0; a message of an agent is one deeper than
//! everything that is known to have caused it.

use svc_model::participants::ParticipantKind;

use super::post::{Party, Reply};
use super::store::claims;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::limits;
use crate::store::db::Tx;

/// The message that is replied to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parent {
    pub(super) reply: Reply,
    pub(super) sender: ParticipantId,
    pub(super) depth: u32,
}

/// The depth of what a participant does other than to send: for an agent one more than that of its cause.
pub(crate) async fn of_action(tx: &mut Tx, by: &Party, told: u32) -> Result<u32> {
    if by.kind != ParticipantKind::Agent {
        return Ok(0);
    }
    Ok(of_cause(tx, by, told).await?.saturating_add(1).min(limits::DEPTH_MAX))
}

/// The depth of what causes an agent to act: the largest of the depth that it was told and those of the messages it has
/// claimed. It is 0 for others.
pub(crate) async fn of_cause(tx: &mut Tx, by: &Party, told: u32) -> Result<u32> {
    if by.kind != ParticipantKind::Agent {
        return Ok(0);
    }
    Ok(claims::depth(tx, by.id).await?.max(told))
}

/// The depth of a new message. For an agent it is one more than the largest of: the depth that it was told or that
/// its run has, that of the message it replies to unless that is its own, those of the messages it has claimed.
pub(super) async fn of_message(tx: &mut Tx, caller: &Caller, from: &Party, parent: Option<&Parent>) -> Result<u32> {
    let replied = parent.filter(|parent| parent.sender != from.id).map_or(0, |parent| parent.depth);
    of_action(tx, from, replied.max(caller.depth())).await
}
