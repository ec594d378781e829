//! Closing a task: its assignee completes it, its poster cancels it.

use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::{BidStatus, Task, TaskClosing, TaskEnding};

use super::access::{locked, participant, require_assignee, require_poster};
use super::announce::{self, Origin};
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

struct Request {
    by: Party,
    viewer: Viewer,
    task: TaskId,
    closing: ClosingDraft,
}

#[boxed_futures]
impl Tasks {
    /// Completes a task as its assignee, or cancels it as its poster.
    pub async fn complete(&self, caller: &Caller, task: TaskId, closing: TaskClosing) -> Result<Task> {
        let key = caller.idempotency("tasks.close", &(task, &closing))?;
        let closing = ClosingDraft::checked(closing)?;
        let request = Request { by: participant(caller)?, viewer: Viewer::of(caller), task, closing };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(close(tx, request))).await?.value)
    }
}

async fn close(tx: &mut Tx, request: &Request) -> Result<Task> {
    let task = locked(tx, &request.viewer, request.task).await?;
    let task = match request.closing.ending {
        TaskEnding::Completed => complete(tx, request, &task).await?,
        TaskEnding::Cancelled => cancel(tx, request, &task).await?,
    };
    Ok(task.into())
}

async fn complete(tx: &mut Tx, request: &Request, task: &TaskRow) -> Result<TaskRow> {
    require_assignee(&request.by, task)?;
    let status = next(task.status, Transition::Completed)?;
    let summary = request.closing.summary.as_deref();
    store::close(tx, task.id, status, summary).await?;
    let task = store::by_id(tx, task.id).await?;
    notice::send(tx, vec![notice::completed(&task, &request.by.handle, summary)]).await?;
    announce::record(tx, EventBody::TaskCompleted, &task, Origin { by: Some(&request.by), bid: None }).await?;
    Ok(task)
}

async fn cancel(tx: &mut Tx, request: &Request, task: &TaskRow) -> Result<TaskRow> {
    require_poster(&request.by, task)?;
    let status = next(task.status, Transition::Cancelled)?;
    let mut recipients = bidders_to_notify(tx, task).await?;
    if request.by.id != task.poster_id {
        recipients.push(task.poster_id);
    }
    let summary = request.closing.summary.as_deref();
    store::close(tx, task.id, status, summary).await?;
    store::decline_all(tx, task.id).await?;
    let task = store::by_id(tx, task.id).await?;
    let notices = recipients.into_iter().map(|to| notice::cancelled(&task, to, &request.by.handle, summary)).collect();
    notice::send(tx, notices).await?;
    announce::record(tx, EventBody::TaskCancelled, &task, Origin { by: Some(&request.by), bid: None }).await?;
    Ok(task)
}

/// The bidders to notify: those with open bids, or the assignee. Declined bidders were notified
/// before.
pub(super) async fn bidders_to_notify(tx: &mut Tx, task: &TaskRow) -> Result<Vec<ParticipantId>> {
    let bids = store::bids(tx, task.id).await?;
    Ok(bids.into_iter().filter(|bid| bid.status != BidStatus::Declined).map(|bid| bid.bidder_id).collect())
}
