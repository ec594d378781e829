//! Events about tasks.

use svc_model::events::{EventBody, TaskChanged};

use super::store::TaskRow;
use crate::error::Result;
use crate::ids::BidId;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

/// The origin of a change: the participant and the bid.
#[derive(Default)]
pub(super) struct Origin<'a> {
    /// `None` if the hub made the change.
    pub(super) by: Option<&'a Party>,
    pub(super) bid: Option<BidId>,
}

/// Records the current state of a task.
pub(super) async fn record(
    tx: &mut Tx,
    event: fn(TaskChanged) -> EventBody,
    task: &TaskRow,
    origin: Origin<'_>,
) -> Result<()> {
    let changed = TaskChanged {
        task_id: task.id,
        title: task.title.clone(),
        status: task.status,
        channel_id: task.channel_id,
        channel: task.channel.clone(),
        // A task without a channel is offered to everybody.
        public: task.channel_id.is_none() || task.public == Some(true),
        message_id: task.message_id,
        poster_id: task.poster_id,
        poster_owner_id: task.poster_owner_id,
        assignee_id: task.assignee_id,
        assignee_owner_id: task.assignee_owner_id,
        by: origin.by.map(|by| by.handle.clone()),
        by_id: origin.by.map(|by| by.id),
        bid_id: origin.bid,
    };
    tx.record(event(changed)).await?;
    Ok(())
}
