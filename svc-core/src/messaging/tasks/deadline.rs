//! Deadlines that have passed: nobody has to watch the clock.
//!
//! What always holds: an open task whose time is over is cancelled, and its poster and bidders are told;
//! of an assigned one poster and assignee are told, once, however many processes look.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::events::EventBody;
use svc_model::tasks::TaskStatus;

use super::announce::{self, Deed};
use super::close::concerned;
use super::lifecycle::{Transition, next};
use super::{notice, store};
use crate::error::Result;
use crate::ids::TaskId;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Tasks of each kind that one round looks after, each in a transaction of its own.
const BATCH: u32 = 100;

/// What stands as the summary of a task that the hub has cancelled.
const SUMMARY: &str = "The deadline passed before a bid was accepted.";

/// The worker that keeps deadlines.
pub(crate) struct TaskDeadline {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for TaskDeadline {
    fn name(&self) -> &'static str {
        "task_deadline"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        let due = self.db.read((), |tx, ()| Box::pin(store::due(tx, BATCH))).await?;
        let overdue = self.db.read((), |tx, ()| Box::pin(store::overdue(tx, BATCH))).await?;
        for id in &due {
            self.db.write(*id, |tx, id| Box::pin(expire(tx, *id))).await?;
        }
        for id in &overdue {
            self.db.write(*id, |tx, id| Box::pin(warn(tx, *id))).await?;
        }
        let full = |ids: &[TaskId]| ids.len() == BATCH as usize;
        Ok(if full(&due) || full(&overdue) { Progress::More } else { Progress::Done })
    }
}

/// Cancels a task if it is still open.
async fn expire(tx: &mut Tx, id: TaskId) -> Result<()> {
    store::hold(tx, id).await?;
    let task = store::by_id(tx, id).await?;
    if task.status != TaskStatus::Open {
        return Ok(());
    }
    let status = next(task.status, Transition::Expired)?;
    let mut told = concerned(tx, &task).await?;
    told.push(task.poster_id);
    store::close(tx, id, status, Some(SUMMARY)).await?;
    store::decline_all(tx, id).await?;
    let task = store::by_id(tx, id).await?;
    notice::send(tx, told.into_iter().map(|to| notice::expired(&task, to)).collect()).await?;
    announce::tell(tx, EventBody::TaskCancelled, &task, Deed::default()).await
}

/// Tells of a delay if nobody was told.
async fn warn(tx: &mut Tx, id: TaskId) -> Result<()> {
    if !store::mark_overdue(tx, id).await? {
        return Ok(());
    }
    let task = store::by_id(tx, id).await?;
    let told = [Some(task.poster_id), task.assignee_id].into_iter().flatten();
    notice::send(tx, told.map(|to| notice::overdue(&task, to)).collect()).await
}
