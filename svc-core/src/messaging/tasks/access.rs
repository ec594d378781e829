//! Access rules of tasks.

use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;

use super::store::{self, BidRow, TaskRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{ParticipantId, TaskId, UserId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

/// The participant that takes part in the auction.
pub(super) fn participant(caller: &Caller) -> Result<Party> {
    caller.require(Permission::Write)?;
    Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "The admin socket cannot take part in auctions. Act as a user or as an agent.",
        )
    })
}

/// Locks a visible task for this transaction.
pub(super) async fn locked(tx: &mut Tx, viewer: &Viewer, id: TaskId) -> Result<TaskRow> {
    let seen = store::find(tx, viewer, id).await?;
    store::hold(tx, seen.id).await?;
    store::by_id(tx, seen.id).await
}

/// Whether `by` is this participant, or its human.
fn is_or_owns(by: &Party, id: ParticipantId, human: UserId) -> bool {
    by.id == id || (by.kind == ParticipantKind::Human && by.owner == Some(human))
}

pub(super) fn is_poster(by: &Party, task: &TaskRow) -> bool {
    is_or_owns(by, task.poster_id, task.poster_owner_id)
}

pub(super) fn is_bidder(by: &Party, bid: &BidRow) -> bool {
    is_or_owns(by, bid.bidder_id, bid.bidder_owner_id)
}

/// Fails unless `by` posted the task: only the poster accepts and cancels.
pub(super) fn require_poster(by: &Party, task: &TaskRow) -> Result<()> {
    if is_poster(by, task) {
        return Ok(());
    }
    let message = format!("Only {}, who posted the task, may do this.", task.poster);
    Err(Error::new(ErrorKind::Forbidden, "poster_required", message))
}

/// Fails unless `by` is the assignee: only the assignee completes. Passes without an assignee,
/// since then the status causes the error.
pub(super) fn require_assignee(by: &Party, task: &TaskRow) -> Result<()> {
    match (task.assignee_id, task.assignee_owner_id) {
        (Some(id), Some(human)) if !is_or_owns(by, id, human) => {
            let name = task.assignee.as_deref().unwrap_or("its assignee");
            let message = format!("Only {name}, whose bid was accepted, may do this. The poster can cancel the task.");
            Err(Error::new(ErrorKind::Forbidden, "assignee_required", message))
        }
        _ => Ok(()),
    }
}
