//! The inbox: direct messages addressed to the caller, or, for a human, to one of their agents.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{InboxFilter, MessagePage};

use super::criteria::{self, Criteria, Cursor};
use super::offer::Offer;
use super::service::Messages;
use super::store::{self, MessageRow};
use super::viewer::Viewer;
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::limits;
use crate::page::checked_limit;
use crate::store::db::Tx;

/// The recipients whose messages an inbox contains.
#[derive(Debug, Clone, Copy)]
pub(super) enum Recipients {
    /// One participant.
    Own(ParticipantId),
    /// A human and all their agents.
    Owner(UserId),
}

#[boxed_futures]
impl Messages {
    /// A page of the inbox: newest first, or oldest first after a message. Listing consumes
    /// nothing.
    pub async fn inbox(&self, caller: &Caller, filter: InboxFilter) -> Result<MessagePage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        if filter.before.is_some() && filter.after.is_some() {
            return Err(Error::invalid("after", "cannot be combined with before"));
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
                        MessagePage { messages: store::complete_seen(tx, &Viewer::of(caller), rows).await?, has_more },
                        offer,
                    ))
                })
            })
            .await?;
        offer.store(&self.db).await?;
        Ok(page)
    }

    /// Records that the caller was handed these messages, for a client that peeked first and then
    /// showed some.
    pub async fn handed_out(&self, caller: &Caller, ids: Vec<MessageId>) -> Result<()> {
        caller.require(Permission::Read)?;
        let Some(participant) = caller.participant().filter(|_| !ids.is_empty()) else { return Ok(()) };
        // Most of them have been handed out before, and a read blocks nobody.
        let new = self
            .db
            .read((participant, ids), |tx, (participant, ids)| Box::pin(store::never_offered(tx, *participant, ids)))
            .await?;
        Offer::direct(participant, new).store(&self.db).await
    }
}

/// Fetches one row more than the limit, to detect a further page.
async fn rows(tx: &mut Tx, caller: &Caller, filter: &InboxFilter, limit: u32) -> Result<Vec<MessageRow>> {
    let recipients = recipients(tx, caller, filter.agent.as_deref()).await?;
    let cursor = match (filter.before, filter.after) {
        (_, Some(after)) => Cursor::After(after),
        (before, None) => Cursor::Before(before.unwrap_or(MessageId(i64::MAX))),
    };
    let Some(criteria) = criteria(tx, filter).await? else { return Ok(Vec::new()) };
    if criteria.is_empty() {
        return store::inbox::all(tx, recipients, cursor, limit + 1).await;
    }
    let ids = criteria::find(tx, recipients, &criteria, cursor, limit + 1).await?;
    let mut rows = store::by_ids(tx, &ids).await?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

/// The criteria of a filter; `None` if the sender does not exist.
async fn criteria(tx: &mut Tx, filter: &InboxFilter) -> Result<Option<Criteria>> {
    let sender = match &filter.from {
        None => None,
        Some(handle) => match store::known(tx, handle).await? {
            Some(sender) => Some(sender),
            None => return Ok(None),
        },
    };
    let least_priority = filter.min_priority.unwrap_or(*limits::PRIORITIES.start());
    Ok(Some(Criteria { status: filter.status, sender, least_priority, unread: filter.unread }))
}

async fn recipients(tx: &mut Tx, caller: &Caller, agent: Option<&str>) -> Result<Recipients> {
    match (caller.actor(), agent) {
        (Actor::Root, _) => Err(Error::invalid("agent", "cannot be used: the admin socket has no inbox")),
        (Actor::Agent(own), None) => Ok(Recipients::Own(ParticipantId(own.id.0))),
        (Actor::Agent(own), Some(name)) if name.eq_ignore_ascii_case(&own.name) => {
            Ok(Recipients::Own(ParticipantId(own.id.0)))
        }
        (Actor::Agent(_), Some(_)) => Err(Error::not_found("agent")),
        (Actor::User(user), None) => Ok(Recipients::Owner(user.id)),
        (Actor::User(user), Some(name)) if name.eq_ignore_ascii_case(&user.username) => {
            Ok(Recipients::Own(ParticipantId(user.id.0)))
        }
        (Actor::User(user), Some(name)) => {
            let agent = agents::store::find_of(tx, user.id, name).await?.ok_or_else(|| Error::not_found("agent"))?;
            Ok(Recipients::Own(ParticipantId(agent.id.0)))
        }
    }
}
