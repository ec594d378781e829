//! What the event log is told of tasks.

use serde::Serialize;
use svc_model::tasks::TaskStatus;

use super::store::TaskRow;
use crate::error::Result;
use crate::ids::{BidId, ChannelId, MessageId, ParticipantId, TaskId, UserId};
use crate::messaging::messages::Party;
use crate::store::db::Tx;
use crate::store::events::NewEvent;

/// Who did it, and with which bid.
#[derive(Default)]
pub(super) struct Deed<'a> {
    /// Nobody where the hub did it.
    pub(super) by: Option<&'a Party>,
    pub(super) bid: Option<BidId>,
}

#[derive(Serialize)]
struct Announcement<'a> {
    task_id: TaskId,
    title: &'a str,
    status: TaskStatus,
    /// With what decides who may be told.
    channel_id: Option<ChannelId>,
    channel: Option<&'a str>,
    public: bool,
    message_id: Option<MessageId>,
    poster_id: ParticipantId,
    poster_owner_id: UserId,
    assignee_id: Option<ParticipantId>,
    assignee_owner_id: Option<UserId>,
    by: Option<&'a str>,
    by_id: Option<ParticipantId>,
    bid_id: Option<BidId>,
}

/// Tells what has become of a task, as it is now.
pub(super) async fn tell(tx: &mut Tx, kind: &'static str, task: &TaskRow, deed: Deed<'_>) -> Result<()> {
    let payload = Announcement {
        task_id: task.id,
        title: &task.title,
        status: task.status,
        channel_id: task.channel_id,
        channel: task.channel.as_deref(),
        // Without a channel it is offered to everybody.
        public: task.channel_id.is_none() || task.public == Some(true),
        message_id: task.message_id,
        poster_id: task.poster_id,
        poster_owner_id: task.poster_owner_id,
        assignee_id: task.assignee_id,
        assignee_owner_id: task.assignee_owner_id,
        by: deed.by.map(|by| by.handle.as_str()),
        by_id: deed.by.map(|by| by.id),
        bid_id: deed.bid,
    };
    tx.emit(&NewEvent::new(kind, &payload)?).await?;
    Ok(())
}
