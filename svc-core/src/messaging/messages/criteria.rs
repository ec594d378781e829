//! Filtering an inbox efficiently, even if few of very many messages match.
//!
//! The newest messages are scanned first, because that is enough for most inboxes and filters. The
//! rest is found through one index for each recipient: by status, by sender, by priority, or, for
//! unread messages, through the conversations that were not read to their end.

use svc_model::messages::MessageStatus;

use super::inbox::Recipients;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::{Query, Tx, Value};

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
    let scanned: Vec<(MessageId, bool)> = scan(tx, recipients, criteria, cursor).await?;
    let is_all = scanned.len() < SCAN as usize;
    let matching: Vec<_> =
        scanned.into_iter().filter(|(_, matches)| *matches).map(|(id, _)| id).take(limit as usize).collect();
    if is_all || matching.len() == limit as usize {
        return Ok(matching);
    }
    let mut found = Vec::new();
    for recipient in recipient_ids(tx, recipients).await? {
        for priority in criteria.priorities() {
            found.extend(indexed(tx, recipient, criteria, priority, cursor, limit).await?);
            cursor.sort(&mut found);
            found.truncate(limit as usize);
        }
    }
    Ok(found)
}

/// `$1` is the recipient or owner, `$2` the cursor.
macro_rules! scan {
    ($column:literal, $beyond:literal, $order:literal) => {
        concat!(
            "SELECT m.id,
                    (($3 = '' OR m.status = $3)
                     AND ($4 = 0 OR m.sender_id = $4)
                     AND m.priority >= $5
                     AND (NOT $6 OR m.id > coalesce((SELECT rc.message_id
                                                       FROM read_cursors rc
                                                      WHERE rc.participant_id = m.recipient_id
                                                        AND rc.conversation_id = m.conversation_id), 0))) AS fits
               FROM messages m
              WHERE m.",
            $column,
            " = $1 AND m.",
            $column,
            " IS NOT NULL AND m.id ",
            $beyond,
            " $2 ORDER BY m.id ",
            $order,
            " LIMIT $7"
        )
    };
}

const SCAN_OWN_BEFORE: &str = scan!("recipient_id", "<", "DESC");
const SCAN_OWN_AFTER: &str = scan!("recipient_id", ">", "ASC");
const SCAN_OWNER_BEFORE: &str = scan!("recipient_owner_id", "<", "DESC");
const SCAN_OWNER_AFTER: &str = scan!("recipient_owner_id", ">", "ASC");

/// Scans the first messages and returns whether each matches.
async fn scan(
    tx: &mut Tx,
    recipients: Recipients,
    criteria: &Criteria,
    cursor: Cursor,
) -> Result<Vec<(MessageId, bool)>> {
    let (text, id) = match (recipients, cursor) {
        (Recipients::Own(participant), Cursor::Before(_)) => (SCAN_OWN_BEFORE, participant.0),
        (Recipients::Own(participant), Cursor::After(_)) => (SCAN_OWN_AFTER, participant.0),
        (Recipients::Owner(user), Cursor::Before(_)) => (SCAN_OWNER_BEFORE, user.0),
        (Recipients::Owner(user), Cursor::After(_)) => (SCAN_OWNER_AFTER, user.0),
    };
    tx.query(text)
        .bind(id)
        .bind(cursor.id())
        .bind(criteria.status.map_or("", MessageStatus::as_str))
        .bind(criteria.sender.map_or(0, |sender| sender.0))
        .bind(criteria.least_priority)
        .bind(criteria.unread)
        .bind(SCAN)
        .fetch_all()
        .await
}

/// The recipients whose messages belong to an inbox, deleted agents included.
async fn recipient_ids(tx: &mut Tx, recipients: Recipients) -> Result<Vec<ParticipantId>> {
    match recipients {
        Recipients::Own(participant) => Ok(vec![participant]),
        Recipients::Owner(UserId(user)) => {
            let agents: Vec<(ParticipantId,)> =
                tx.query("SELECT id FROM agents WHERE owner_id = $1").bind(user).fetch_all().await?;
            Ok(std::iter::once(ParticipantId(user)).chain(agents.into_iter().map(|(id,)| id)).collect())
        }
    }
}

/// SELECT over the messages of one recipient, `$1`.
macro_rules! addressed {
    ($($rest:literal),*) => {
        concat!(
            "SELECT m.id FROM messages m WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL",
            $($rest),*
        )
    };
}

/// SELECT over the unread messages of one recipient, `$1`. The plus sign keeps the engines from
/// scanning the whole inbox instead.
macro_rules! unread {
    ($($rest:literal),*) => {
        concat!(
            "SELECT m.id
               FROM read_cursors rc
              CROSS JOIN conversations v
              CROSS JOIN messages m
              WHERE rc.participant_id = $1 AND v.id = rc.conversation_id AND v.low_id IS NOT NULL
                AND v.message_count > rc.position AND m.conversation_id = v.id AND m.id > rc.message_id
                AND +m.recipient_id = $1",
            $($rest),*
        )
    };
}

/// Only the requested conditions are part of the statement, so that the matching index is used.
async fn indexed(
    tx: &mut Tx,
    recipient: ParticipantId,
    criteria: &Criteria,
    priority: Option<u32>,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageId>> {
    let mut conditions = Vec::new();
    let mut values = vec![Value::Integer(recipient.0), Value::Integer(cursor.id().0), Value::Integer(limit.into())];
    let mut narrowed = |condition: &str, value: Value| {
        values.push(value);
        conditions.push(format!(" AND {condition} ${}", values.len()));
    };
    if let Some(status) = criteria.status {
        narrowed("m.status =", Value::Text(status.as_str().to_owned()));
    }
    if let Some(sender) = criteria.sender {
        narrowed("m.sender_id =", Value::Integer(sender.0));
    }
    match priority {
        Some(priority) => narrowed("m.priority > 5 AND m.priority =", Value::Integer(priority.into())),
        None => narrowed("m.priority >=", Value::Integer(criteria.least_priority.into())),
    }
    let begin = if criteria.unread { unread!() } else { addressed!() };
    let end = match cursor {
        Cursor::Before(_) => " AND m.id < $2 ORDER BY m.id DESC LIMIT $3",
        Cursor::After(_) => " AND m.id > $2 ORDER BY m.id LIMIT $3",
    };
    let text = [begin, &conditions.concat(), end].concat();
    let found: Vec<(MessageId,)> = values.into_iter().fold(tx.query(text), Query::bind).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(super) const LISTED: [(&str, &str); 8] = [
    ("inbox.walk_own_before", SCAN_OWN_BEFORE),
    ("inbox.walk_own_after", SCAN_OWN_AFTER),
    ("inbox.walk_owner_before", SCAN_OWNER_BEFORE),
    ("inbox.walk_owner_after", SCAN_OWNER_AFTER),
    ("narrow.by_status", addressed!(" AND m.status = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.by_sender", addressed!(" AND m.sender_id = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.urgent", addressed!(" AND m.priority > 5 AND m.priority = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.unread", unread!(" AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
];
