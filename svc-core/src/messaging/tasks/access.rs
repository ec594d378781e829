//! Who may do what with a task.

use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;

use super::store::{self, BidRow, TaskRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{ParticipantId, TaskId, UserId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

/// Who takes part in the auction.
pub(super) fn participant(caller: &Caller) -> Result<Party> {
    caller.require(Permission::Write)?;
    Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "Whoever runs the server sees tasks and has none: act as a user or as an agent.",
        )
    })
}

/// A task that can be seen, taken for this transaction.
pub(super) async fn held(tx: &mut Tx, viewer: &Viewer, id: TaskId) -> Result<TaskRow> {
    let seen = store::find(tx, viewer, id).await?;
    store::hold(tx, seen.id).await?;
    store::by_id(tx, seen.id).await
}

/// Whether somebody is this participant, or the human of it.
fn stands_for(by: &Party, id: ParticipantId, human: UserId) -> bool {
    by.id == id || (by.kind == ParticipantKind::Human && by.owner == Some(human))
}

pub(super) fn is_poster(by: &Party, task: &TaskRow) -> bool {
    stands_for(by, task.poster_id, task.poster_owner_id)
}

pub(super) fn is_bidder(by: &Party, bid: &BidRow) -> bool {
    stands_for(by, bid.bidder_id, bid.bidder_owner_id)
}

/// Accepting and cancelling are the poster's.
pub(super) fn require_poster(by: &Party, task: &TaskRow) -> Result<()> {
    if is_poster(by, task) {
        return Ok(());
    }
    let message = format!("Only {} may do this, who has posted the task.", task.poster);
    Err(Error::new(ErrorKind::Forbidden, "poster_required", message))
}

/// Completing is the assignee's. While there is none, the status says what is missing.
pub(super) fn require_assignee(by: &Party, task: &TaskRow) -> Result<()> {
    match (task.assignee_id, task.assignee_owner_id) {
        (Some(id), Some(human)) if !stands_for(by, id, human) => {
            let name = task.assignee.as_deref().unwrap_or("its assignee");
            let message = format!("Only {name} may do this, whose bid was accepted; its poster can cancel the task.");
            Err(Error::new(ErrorKind::Forbidden, "assignee_required", message))
        }
        _ => Ok(()),
    }
}
