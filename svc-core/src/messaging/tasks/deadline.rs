//! Expired deadlines.
//!
//! Invariants:
//! - An open task past its deadline is cancelled, and its poster and bidders are notified.
//! - For an assigned task, poster and assignee are notified once, however many processes run.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::events::EventBody;
use svc_model::tasks::TaskStatus;

use super::announce::{self, Origin};
use super::close::bidders_to_notify;
use super::lifecycle::{Transition, next};
use super::{notice, store};
use crate::error::Result;
use crate::ids::TaskId;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Tasks of each kind processed per run, each in its own transaction.
const BATCH: u32 = 100;

/// The summary of a task that the hub has cancelled.
const SUMMARY: &str = "The deadline passed before a bid was accepted.";

/// The worker that enforces deadlines.
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
    let mut recipients = bidders_to_notify(tx, &task).await?;
    recipients.push(task.poster_id);
    store::close(tx, id, status, Some(SUMMARY)).await?;
    store::decline_all(tx, id).await?;
    let task = store::by_id(tx, id).await?;
    notice::send(tx, recipients.into_iter().map(|to| notice::expired(&task, to)).collect()).await?;
    announce::record(tx, EventBody::TaskCancelled, &task, Origin::default()).await
}

/// Notifies poster and assignee of an overdue task, once.
async fn warn(tx: &mut Tx, id: TaskId) -> Result<()> {
    if !store::mark_overdue(tx, id).await? {
        return Ok(());
    }
    let task = store::by_id(tx, id).await?;
    let recipients = [Some(task.poster_id), task.assignee_id].into_iter().flatten();
    notice::send(tx, recipients.map(|to| notice::overdue(&task, to)).collect()).await
}
