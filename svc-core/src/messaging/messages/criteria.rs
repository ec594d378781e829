//! Filtering an inbox efficiently, even if few of very many messages match.
//!
//! The newest messages are scanned first, because that is enough for most inboxes and filters. The
//! rest is found through one index for each recipient: by status, by sender, by priority, or, for
//! unread messages, through the conversations that were not read to their end.

use svc_model::messages::MessageStatus;

use super::inbox::Recipients;
use super::store::inbox as store;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::store::db::Tx;

/// Messages that are scanned before an index is used.
const SCAN: u32 = 1000;

/// Priorities above this one have an index. Most messages are at or below it and cost nothing
/// there.
const HIGHEST_UNINDEXED: u32 = limits::PRIORITY_DEFAULT;

/// The filter of an inbox.
#[derive(Debug, Clone, Copy)]
pub(super) struct Criteria {
    pub(super) status: Option<MessageStatus>,
    pub(super) sender: Option<ParticipantId>,
    pub(super) least_priority: u32,
    pub(super) unread: bool,
}

/// Start and direction of a page.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cursor {
    /// Newest first.
    Before(MessageId),
    /// Oldest first.
    After(MessageId),
}

impl Cursor {
    pub(super) fn id(self) -> MessageId {
        match self {
            Self::Before(id) | Self::After(id) => id,
        }
    }

    fn sort(self, ids: &mut [MessageId]) {
        ids.sort_unstable();
        if matches!(self, Self::Before(_)) {
            ids.reverse();
        }
    }
}

impl Criteria {
    /// Whether every message matches.
    pub(super) fn is_empty(&self) -> bool {
        let has_least_priority = self.least_priority > *limits::PRIORITIES.start();
        self.status.is_none() && self.sender.is_none() && !has_least_priority && !self.unread
    }

    /// The priorities to query one by one, so that each is served in the order of the ids; `None`
    /// queries all at once.
    fn priorities(&self) -> Vec<Option<u32>> {
        if self.least_priority > HIGHEST_UNINDEXED {
            (self.least_priority..=*limits::PRIORITIES.end()).map(Some).collect()
        } else {
            vec![None]
        }
    }
}

/// The ids of the first matching messages, in the requested order.
pub(super) async fn find(
    tx: &mut Tx,
    recipients: Recipients,
    criteria: &Criteria,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageId>> {
    let scanned: Vec<(MessageId, bool)> = store::scan(tx, recipients, criteria, cursor, SCAN).await?;
    let is_all = scanned.len() < SCAN as usize;
    let matching: Vec<_> =
        scanned.into_iter().filter(|(_, matches)| *matches).map(|(id, _)| id).take(limit as usize).collect();
    if is_all || matching.len() == limit as usize {
        return Ok(matching);
    }
    let mut found = Vec::new();
    for recipient in store::recipient_ids(tx, recipients).await? {
        for priority in criteria.priorities() {
            found.extend(store::indexed(tx, recipient, criteria, priority, cursor, limit).await?);
            cursor.sort(&mut found);
            found.truncate(limit as usize);
        }
    }
    Ok(found)
}
