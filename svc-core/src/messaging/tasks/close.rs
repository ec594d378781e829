//! Ending a task: its assignee completes it, its poster cancels it.

use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::{BidStatus, Task, TaskClosing, TaskEnding};

use super::access::{held, participant, require_assignee, require_poster};
use super::announce::{self, Deed};
use super::draft::ClosingDraft;
use super::lifecycle::{Transition, next};
use super::notice;
use super::service::Tasks;
use super::store::{self, TaskRow};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{ParticipantId, TaskId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

struct Wish {
    by: Party,
    viewer: Viewer,
    task: TaskId,
    closing: ClosingDraft,
}

#[boxed_futures]
impl Tasks {
    /// Ends a task as completed, which its assignee says, or as cancelled, which its poster says.
    pub async fn complete(&self, caller: &Caller, task: TaskId, closing: TaskClosing) -> Result<Task> {
        let closing = ClosingDraft::checked(closing)?;
        let wish = Wish { by: participant(caller)?, viewer: Viewer::of(caller), task, closing };
        self.db.write_by(caller, wish, |tx, wish| Box::pin(close(tx, wish))).await
    }
}

async fn close(tx: &mut Tx, wish: &Wish) -> Result<Task> {
    let task = held(tx, &wish.viewer, wish.task).await?;
    let task = match wish.closing.ending {
        TaskEnding::Completed => complete(tx, wish, &task).await?,
        TaskEnding::Cancelled => cancel(tx, wish, &task).await?,
    };
    Ok(task.into())
}

async fn complete(tx: &mut Tx, wish: &Wish, task: &TaskRow) -> Result<TaskRow> {
    require_assignee(&wish.by, task)?;
    let status = next(task.status, Transition::Completed)?;
    let summary = wish.closing.summary.as_deref();
    store::close(tx, task.id, status, summary).await?;
    let task = store::by_id(tx, task.id).await?;
    notice::send(tx, vec![notice::completed(&task, &wish.by.handle, summary)]).await?;
    announce::tell(tx, EventBody::TaskCompleted, &task, Deed { by: Some(&wish.by), bid: None }).await?;
    Ok(task)
}

async fn cancel(tx: &mut Tx, wish: &Wish, task: &TaskRow) -> Result<TaskRow> {
    require_poster(&wish.by, task)?;
    let status = next(task.status, Transition::Cancelled)?;
    let mut told = concerned(tx, task).await?;
    if wish.by.id != task.poster_id {
        told.push(task.poster_id);
    }
    let summary = wish.closing.summary.as_deref();
    store::close(tx, task.id, status, summary).await?;
    store::decline_all(tx, task.id).await?;
    let task = store::by_id(tx, task.id).await?;
    let notices = told.into_iter().map(|to| notice::cancelled(&task, to, &wish.by.handle, summary)).collect();
    notice::send(tx, notices).await?;
    announce::tell(tx, EventBody::TaskCancelled, &task, Deed { by: Some(&wish.by), bid: None }).await?;
    Ok(task)
}

/// Those whose bids are open, or the one who has the task: the others know that it is not theirs.
pub(super) async fn concerned(tx: &mut Tx, task: &TaskRow) -> Result<Vec<ParticipantId>> {
    let bids = store::bids(tx, task.id).await?;
    Ok(bids.into_iter().filter(|bid| bid.status != BidStatus::Declined).map(|bid| bid.bidder_id).collect())
}
