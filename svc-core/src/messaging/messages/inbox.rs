//! The inbox: direct messages addressed to the caller, or, for a human, to one of their agents.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{InboxFilter, MessagePage};

use super::narrow::{self, Cursor, Narrow};
use super::offer::Offer;
use super::service::Messages;
use super::sight::Sight;
use super::store::{self, MessageRow, select_messages};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::limits;
use crate::page::checked_limit;
use crate::store::db::Tx;

/// What both directions and both kinds of reader have in common: `$1` is whose, `$2` the cursor.
macro_rules! inbox {
    ($whose:literal, $beyond:literal, $order:literal) => {
        select_messages!(
            "WHERE m.",
            $whose,
            " = $1 AND m.",
            $whose,
            " IS NOT NULL AND m.id ",
            $beyond,
            " $2 ORDER BY m.id ",
            $order,
            " LIMIT $3"
        )
    };
}

const OWN_BEFORE: &str = inbox!("recipient_id", "<", "DESC");

const OWN_AFTER: &str = inbox!("recipient_id", ">", "ASC");

const OWNER_BEFORE: &str = inbox!("recipient_owner_id", "<", "DESC");

const OWNER_AFTER: &str = inbox!("recipient_owner_id", ">", "ASC");

/// The statements over tables that grow, for the test that looks at their plans.
pub(super) const LISTED: [(&str, &str); 4] = [
    ("inbox.own_before", OWN_BEFORE),
    ("inbox.own_after", OWN_AFTER),
    ("inbox.owner_before", OWNER_BEFORE),
    ("inbox.owner_after", OWNER_AFTER),
];

/// Whose inbox.
#[derive(Debug, Clone, Copy)]
pub(super) enum Whose {
    /// One participant's.
    Own(ParticipantId),
    /// A human's and all their agents'.
    Owner(UserId),
}

#[boxed_futures]
impl Messages {
    /// The inbox: newest first, or after a message, oldest first. Listing consumes nothing.
    pub async fn inbox(&self, caller: &Caller, filter: InboxFilter) -> Result<MessagePage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        if filter.before.is_some() && filter.after.is_some() {
            return Err(Error::invalid("after", "cannot stand beside before"));
        }
        if filter.min_priority.is_some_and(|least| !limits::PRIORITIES.contains(&least)) {
            return Err(Error::invalid("min_priority", "must be 1 to 10"));
        }
        let limit = checked_limit(filter.limit)?;
        let (page, offer) = self
            .db
            .read((caller.clone(), filter, limit), |tx, (caller, filter, limit)| {
                Box::pin(async move {
                    let mut rows = rows(tx, caller, filter, *limit).await?;
                    let has_more = rows.len() > *limit as usize;
                    rows.truncate(*limit as usize);
                    let offer = if filter.peek { Offer::default() } else { Offer::of(caller, &rows) };
                    Ok((
                        MessagePage { messages: store::complete_seen(tx, &Sight::of(caller), rows).await?, has_more },
                        offer,
                    ))
                })
            })
            .await?;
        offer.store(&self.db).await?;
        Ok(page)
    }

    /// Notes that the caller was handed these messages, for whoever peeked first and then showed some.
    pub async fn handed_out(&self, caller: &Caller, ids: Vec<MessageId>) -> Result<()> {
        caller.require(Permission::Read)?;
        let Some(participant) = caller.participant().filter(|_| !ids.is_empty()) else { return Ok(()) };
        // Most have been handed out before, and a read makes nobody wait.
        let news = self
            .db
            .read((participant, ids), |tx, (participant, ids)| Box::pin(store::never_offered(tx, *participant, ids)))
            .await?;
        Offer::direct(participant, news).store(&self.db).await
    }
}

/// One more than asked for, when there is one.
async fn rows(tx: &mut Tx, caller: &Caller, filter: &InboxFilter, limit: u32) -> Result<Vec<MessageRow>> {
    let whose = whose(tx, caller, filter.agent.as_deref()).await?;
    let cursor = match (filter.before, filter.after) {
        (_, Some(after)) => Cursor::After(after),
        (before, None) => Cursor::Before(before.unwrap_or(MessageId(i64::MAX))),
    };
    let Some(narrow) = narrow(tx, filter).await? else { return Ok(Vec::new()) };
    if narrow.is_nothing() {
        return all(tx, whose, cursor, limit + 1).await;
    }
    let ids = narrow::find(tx, whose, &narrow, cursor, limit + 1).await?;
    let mut rows = store::by_ids(tx, &ids).await?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

/// What has to hold of a message; `None` when the sender is nobody.
async fn narrow(tx: &mut Tx, filter: &InboxFilter) -> Result<Option<Narrow>> {
    let sender = match &filter.from {
        None => None,
        Some(handle) => match store::known(tx, handle).await? {
            Some(sender) => Some(sender),
            None => return Ok(None),
        },
    };
    let least_priority = filter.min_priority.unwrap_or(*limits::PRIORITIES.start());
    Ok(Some(Narrow { status: filter.status, sender, least_priority, unread: filter.unread }))
}

async fn all(tx: &mut Tx, whose: Whose, cursor: Cursor, limit: u32) -> Result<Vec<MessageRow>> {
    let (text, id) = match (whose, cursor) {
        (Whose::Own(participant), Cursor::Before(_)) => (OWN_BEFORE, participant.0),
        (Whose::Own(participant), Cursor::After(_)) => (OWN_AFTER, participant.0),
        (Whose::Owner(user), Cursor::Before(_)) => (OWNER_BEFORE, user.0),
        (Whose::Owner(user), Cursor::After(_)) => (OWNER_AFTER, user.0),
    };
    tx.query(text).bind(id).bind(cursor.id()).bind(limit).fetch_all().await
}

async fn whose(tx: &mut Tx, caller: &Caller, agent: Option<&str>) -> Result<Whose> {
    match (caller.actor(), agent) {
        (Actor::Root, _) => Err(Error::invalid("agent", "the holder of the process has no inbox")),
        (Actor::Agent(own), None) => Ok(Whose::Own(ParticipantId(own.id.0))),
        (Actor::Agent(own), Some(name)) if name.eq_ignore_ascii_case(&own.name) => {
            Ok(Whose::Own(ParticipantId(own.id.0)))
        }
        (Actor::Agent(_), Some(_)) => Err(Error::not_found("agent")),
        (Actor::User(user), None) => Ok(Whose::Owner(user.id)),
        (Actor::User(user), Some(name)) if name.eq_ignore_ascii_case(&user.username) => {
            Ok(Whose::Own(ParticipantId(user.id.0)))
        }
        (Actor::User(user), Some(name)) => {
            let agent = agents::store::find_of(tx, user.id, name).await?.ok_or_else(|| Error::not_found("agent"))?;
            Ok(Whose::Own(ParticipantId(agent.id.0)))
        }
    }
}
