//! What the event log is told of tasks.

use svc_model::events::{EventBody, TaskChanged};

use super::store::TaskRow;
use crate::error::Result;
use crate::ids::BidId;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

/// Who did it, and with which bid.
#[derive(Default)]
pub(super) struct Deed<'a> {
    /// Nobody where the hub did it.
    pub(super) by: Option<&'a Party>,
    pub(super) bid: Option<BidId>,
}

/// Tells what has become of a task, as it is now.
pub(super) async fn tell(
    tx: &mut Tx,
    event: fn(TaskChanged) -> EventBody,
    task: &TaskRow,
    deed: Deed<'_>,
) -> Result<()> {
    let changed = TaskChanged {
        task_id: task.id,
        title: task.title.clone(),
        status: task.status,
        channel_id: task.channel_id,
        channel: task.channel.clone(),
        // Without a channel it is offered to everybody.
        public: task.channel_id.is_none() || task.public == Some(true),
        message_id: task.message_id,
        poster_id: task.poster_id,
        poster_owner_id: task.poster_owner_id,
        assignee_id: task.assignee_id,
        assignee_owner_id: task.assignee_owner_id,
        by: deed.by.map(|by| by.handle.clone()),
        by_id: deed.by.map(|by| by.id),
        bid_id: deed.bid,
    };
    tx.record(event(changed)).await?;
    Ok(())
}
