//! Narrowing an inbox to what fits, however few fit of however many.
//!
//! The newest messages are looked through first, because that is enough for most inboxes and for most
//! questions. What is left is found by an index of its own for each addressee: by status, by sender, by
//! urgency, or, for what is unread, by the conversations that were not read to their end.

use svc_model::messages::MessageStatus;

use super::inbox::Whose;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::limits;
use crate::store::db::{Query, Tx, Value};

/// Messages that are looked through before an index is asked.
const WALK: u32 = 1000;

/// The urgencies above this one have an index; most messages are not that urgent and cost nothing there.
const NOT_URGENT: u32 = limits::PRIORITY_DEFAULT;

/// What has to hold of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Narrow {
    pub(super) status: Option<MessageStatus>,
    pub(super) sender: Option<ParticipantId>,
    pub(super) least_priority: u32,
    pub(super) unread: bool,
}

/// Where to begin and in which direction.
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

impl Narrow {
    /// Whether everything fits.
    pub(super) fn is_nothing(&self) -> bool {
        let asks_for_urgent = self.least_priority > *limits::PRIORITIES.start();
        self.status.is_none() && self.sender.is_none() && !asks_for_urgent && !self.unread
    }

    /// The urgencies to ask for one by one, so that each is served in the order of the ids; `None` asks
    /// for all at once.
    fn urgencies(&self) -> Vec<Option<u32>> {
        if self.least_priority > NOT_URGENT {
            (self.least_priority..=*limits::PRIORITIES.end()).map(Some).collect()
        } else {
            vec![None]
        }
    }
}

/// The ids of the first that fit, in the order of the question.
pub(super) async fn find(
    tx: &mut Tx,
    whose: Whose,
    narrow: &Narrow,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageId>> {
    let walked: Vec<(MessageId, bool)> = walk(tx, whose, narrow, cursor).await?;
    let is_all = walked.len() < WALK as usize;
    let fitting: Vec<_> = walked.into_iter().filter(|(_, fits)| *fits).map(|(id, _)| id).take(limit as usize).collect();
    if is_all || fitting.len() == limit as usize {
        return Ok(fitting);
    }
    let mut found = Vec::new();
    for addressee in addressees(tx, whose).await? {
        for urgency in narrow.urgencies() {
            found.extend(indexed(tx, addressee, narrow, urgency, cursor, limit).await?);
            cursor.sort(&mut found);
            found.truncate(limit as usize);
        }
    }
    Ok(found)
}

/// `$1` is whose, `$2` the cursor.
macro_rules! walk {
    ($whose:literal, $beyond:literal, $order:literal) => {
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
            $whose,
            " = $1 AND m.",
            $whose,
            " IS NOT NULL AND m.id ",
            $beyond,
            " $2 ORDER BY m.id ",
            $order,
            " LIMIT $7"
        )
    };
}

const WALK_OWN_BEFORE: &str = walk!("recipient_id", "<", "DESC");
const WALK_OWN_AFTER: &str = walk!("recipient_id", ">", "ASC");
const WALK_OWNER_BEFORE: &str = walk!("recipient_owner_id", "<", "DESC");
const WALK_OWNER_AFTER: &str = walk!("recipient_owner_id", ">", "ASC");

/// Looks through the first messages and tells which of them fit.
async fn walk(tx: &mut Tx, whose: Whose, narrow: &Narrow, cursor: Cursor) -> Result<Vec<(MessageId, bool)>> {
    let (text, id) = match (whose, cursor) {
        (Whose::Own(participant), Cursor::Before(_)) => (WALK_OWN_BEFORE, participant.0),
        (Whose::Own(participant), Cursor::After(_)) => (WALK_OWN_AFTER, participant.0),
        (Whose::Owner(user), Cursor::Before(_)) => (WALK_OWNER_BEFORE, user.0),
        (Whose::Owner(user), Cursor::After(_)) => (WALK_OWNER_AFTER, user.0),
    };
    tx.query(text)
        .bind(id)
        .bind(cursor.id())
        .bind(narrow.status.map_or("", MessageStatus::as_str))
        .bind(narrow.sender.map_or(0, |sender| sender.0))
        .bind(narrow.least_priority)
        .bind(narrow.unread)
        .bind(WALK)
        .fetch_all()
        .await
}

/// Those whose messages stand in an inbox, also agents that are gone.
async fn addressees(tx: &mut Tx, whose: Whose) -> Result<Vec<ParticipantId>> {
    match whose {
        Whose::Own(participant) => Ok(vec![participant]),
        Whose::Owner(UserId(user)) => {
            let agents: Vec<(ParticipantId,)> =
                tx.query("SELECT id FROM agents WHERE owner_id = $1").bind(user).fetch_all().await?;
            Ok(std::iter::once(ParticipantId(user)).chain(agents.into_iter().map(|(id,)| id)).collect())
        }
    }
}

/// What all of an addressee's messages have in common; `$1` is the addressee.
macro_rules! addressed {
    ($($rest:literal),*) => {
        concat!(
            "SELECT m.id FROM messages m WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL",
            $($rest),*
        )
    };
}

/// The same of what is unread. The plus keeps the engines from walking the whole inbox instead.
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

/// Only what is asked for stands in the statement, so that it is served by the index that fits.
async fn indexed(
    tx: &mut Tx,
    addressee: ParticipantId,
    narrow: &Narrow,
    urgency: Option<u32>,
    cursor: Cursor,
    limit: u32,
) -> Result<Vec<MessageId>> {
    let mut conditions = Vec::new();
    let mut values = vec![Value::Integer(addressee.0), Value::Integer(cursor.id().0), Value::Integer(limit.into())];
    let mut narrowed = |condition: &str, value: Value| {
        values.push(value);
        conditions.push(format!(" AND {condition} ${}", values.len()));
    };
    if let Some(status) = narrow.status {
        narrowed("m.status =", Value::Text(status.as_str().to_owned()));
    }
    if let Some(sender) = narrow.sender {
        narrowed("m.sender_id =", Value::Integer(sender.0));
    }
    match urgency {
        Some(urgency) => narrowed("m.priority > 5 AND m.priority =", Value::Integer(urgency.into())),
        None => narrowed("m.priority >=", Value::Integer(narrow.least_priority.into())),
    }
    let begin = if narrow.unread { unread!() } else { addressed!() };
    let end = match cursor {
        Cursor::Before(_) => " AND m.id < $2 ORDER BY m.id DESC LIMIT $3",
        Cursor::After(_) => " AND m.id > $2 ORDER BY m.id LIMIT $3",
    };
    let text = [begin, &conditions.concat(), end].concat();
    let found: Vec<(MessageId,)> = values.into_iter().fold(tx.query(text), Query::bind).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The statements over tables that grow, for the test that looks at their plans.
pub(super) const LISTED: [(&str, &str); 8] = [
    ("inbox.walk_own_before", WALK_OWN_BEFORE),
    ("inbox.walk_own_after", WALK_OWN_AFTER),
    ("inbox.walk_owner_before", WALK_OWNER_BEFORE),
    ("inbox.walk_owner_after", WALK_OWNER_AFTER),
    ("narrow.by_status", addressed!(" AND m.status = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.by_sender", addressed!(" AND m.sender_id = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.urgent", addressed!(" AND m.priority > 5 AND m.priority = $4 AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
    ("narrow.unread", unread!(" AND m.id < $2 ORDER BY m.id DESC LIMIT $3")),
];
