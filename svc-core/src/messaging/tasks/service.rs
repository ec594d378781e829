//! The tasks handle and its read operations.

use std::collections::HashMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;
use svc_model::tasks::{Bid, Task, TaskFilter, TaskPage, TaskView, TaskViewPage};

use super::access::{is_bidder, is_poster};
use super::store::{self, BidRow, TaskRow};
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{ParticipantId, TaskId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::quotas::Quotas;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};

/// Tasks of a hub; see [`Hub::tasks`](crate::Hub::tasks).
#[derive(Clone)]
pub struct Tasks {
    pub(super) db: Db,
    pub(super) quotas: Quotas,
}

#[boxed_futures]
impl Tasks {
    pub(crate) fn new(db: Db, quotas: Quotas) -> Self {
        Self { db, quotas }
    }

    /// A visible task with its bids that are visible to the caller.
    pub async fn get(&self, caller: &Caller, id: TaskId) -> Result<TaskView> {
        caller.require(Permission::Read)?;
        self.db
            .read((caller.clone(), id), |tx, (caller, id)| {
                Box::pin(async move {
                    let task = store::find(tx, &Viewer::of(caller), *id).await?;
                    let bids = store::bids(tx, task.id).await?;
                    Ok(view(caller, task, bids))
                })
            })
            .await
    }

    /// The tasks that are visible to the caller, newest first.
    pub async fn list(&self, caller: &Caller, filter: TaskFilter) -> Result<TaskPage> {
        caller.require(Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        self.db
            .read((Viewer::of(caller), filter, limit), |tx, (viewer, filter, limit)| {
                Box::pin(async move {
                    let (rows, has_more) = page(tx, viewer, filter, *limit).await?;
                    Ok(TaskPage { tasks: rows.into_iter().map(Task::from).collect(), has_more })
                })
            })
            .await
    }

    /// The visible tasks, newest first, each with its bids that are visible to the caller.
    pub async fn list_with_bids(&self, caller: &Caller, filter: TaskFilter) -> Result<TaskViewPage> {
        caller.require(Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        self.db
            .read((caller.clone(), filter, limit), |tx, (caller, filter, limit)| {
                Box::pin(async move {
                    let (rows, has_more) = page(tx, &Viewer::of(caller), filter, *limit).await?;
                    let ids: Vec<TaskId> = rows.iter().map(|row| row.id).collect();
                    let mut bids: HashMap<TaskId, Vec<BidRow>> = HashMap::new();
                    for bid in store::bids_of(tx, &ids).await? {
                        bids.entry(bid.task_id).or_default().push(bid);
                    }
                    let tasks = rows.into_iter().map(|row| {
                        let bids = bids.remove(&row.id).unwrap_or_default();
                        view(caller, row, bids)
                    });
                    Ok(TaskViewPage { tasks: tasks.collect(), has_more })
                })
            })
            .await
    }
}

/// A page of tasks, and whether there are older ones.
async fn page(tx: &mut Tx, viewer: &Viewer, filter: &TaskFilter, limit: u32) -> Result<(Vec<TaskRow>, bool)> {
    let mut rows = store::list(tx, viewer, filter, limit + 1).await?;
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    Ok((rows, has_more))
}

/// A task with the bids that are visible to the caller.
fn view(caller: &Caller, task: TaskRow, bids: Vec<BidRow>) -> TaskView {
    let seen = |bid: &BidRow| match reader(caller) {
        None => true,
        Some(reader) => is_poster(&reader, &task) || is_bidder(&reader, bid),
    };
    let bids = bids.into_iter().filter(seen).map(Bid::from).collect();
    TaskView { task: task.into(), bids }
}

/// The participant for whom bids are filtered; `None` for the admin socket, which sees all.
fn reader(caller: &Caller) -> Option<Party> {
    let kind = match caller.actor() {
        Actor::Root => return None,
        Actor::User(_) => ParticipantKind::Human,
        Actor::Agent(_) => ParticipantKind::Agent,
    };
    let id = caller.participant().unwrap_or(ParticipantId(0));
    // A key that is limited to channels does not see bids of its owner's agents.
    let owner = caller.owner().filter(|_| !caller.is_limited_to_channels());
    Some(Party { id, kind, handle: String::new(), owner })
}
