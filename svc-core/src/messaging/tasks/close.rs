//! Closing a task: its assignee completes it, its poster or an operator cancels it.

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
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::{self, Party};
use crate::store::db::Tx;

struct Request {
    /// The participant that acts; `None` for the admin socket, which cancels as the system.
    by: Option<Party>,
    viewer: Viewer,
    task: TaskId,
    closing: ClosingDraft,
}

#[boxed_futures]
impl Tasks {
    /// Completes a task as its assignee, or cancels it as its poster. The admin socket cancels any task.
    pub async fn complete(&self, caller: &Caller, task: TaskId, closing: TaskClosing) -> Result<Task> {
        let key = caller.idempotency("tasks.close", &(task, &closing))?;
        let closing = ClosingDraft::checked(closing)?;
        let by = match closing.ending {
            TaskEnding::Cancelled if caller.is_root() => None,
            _ => Some(participant(caller)?),
        };
        let request = Request { by, viewer: Viewer::of(caller), task, closing };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(close(tx, request))).await?.value)
    }
}

async fn close(tx: &mut Tx, request: &Request) -> Result<Task> {
    let task = locked(tx, &request.viewer, request.task).await?;
    let summary = request.closing.summary.as_deref();
    let task = match (&request.by, request.closing.ending) {
        (Some(by), TaskEnding::Completed) => complete(tx, by, &task, summary).await?,
        (Some(by), TaskEnding::Cancelled) => {
            require_poster(by, &task)?;
            cancel(tx, by, &task, summary).await?
        }
        (None, _) => {
            let system = messages::system(tx).await?;
            cancel(tx, &system, &task, summary).await?
        }
    };
    Ok(task.into())
}

async fn complete(tx: &mut Tx, by: &Party, task: &TaskRow, summary: Option<&str>) -> Result<TaskRow> {
    require_assignee(by, task)?;
    let status = next(task.status, Transition::Completed)?;
    store::close(tx, task.id, status, summary).await?;
    let task = store::by_id(tx, task.id).await?;
    notice::send(tx, vec![notice::completed(&task, &by.handle, summary)]).await?;
    announce::record(tx, EventBody::TaskCompleted, &task, Origin { by: Some(by), bid: None }).await?;
    Ok(task)
}

async fn cancel(tx: &mut Tx, by: &Party, task: &TaskRow, summary: Option<&str>) -> Result<TaskRow> {
    let status = next(task.status, Transition::Cancelled)?;
    let mut recipients = bidders_to_notify(tx, task).await?;
    if by.id != task.poster_id {
        recipients.push(task.poster_id);
    }
    store::close(tx, task.id, status, summary).await?;
    store::decline_all(tx, task.id).await?;
    let task = store::by_id(tx, task.id).await?;
    let notices = recipients.into_iter().map(|to| notice::cancelled(&task, to, &by.handle, summary)).collect();
    notice::send(tx, notices).await?;
    announce::record(tx, EventBody::TaskCancelled, &task, Origin { by: Some(by), bid: None }).await?;
    Ok(task)
}

/// The bidders to notify: those with open bids, or the assignee. Declined bidders were notified
/// before.
pub(super) async fn bidders_to_notify(tx: &mut Tx, task: &TaskRow) -> Result<Vec<ParticipantId>> {
    let bids = store::bids(tx, task.id).await?;
    Ok(bids.into_iter().filter(|bid| bid.status != BidStatus::Declined).map(|bid| bid.bidder_id).collect())
}
