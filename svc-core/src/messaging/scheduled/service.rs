//! The handle of scheduled messages, and reading them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::events::{EventBody, ScheduledChanged};
use svc_model::scheduled::{ScheduledFilter, ScheduledMessage, ScheduledPage, ScheduledStatus};

use super::store::{self, Reader, ScheduledRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::{ParticipantId, ScheduledMessageId, UserId};
use crate::messaging::messages::Party;
use crate::messaging::quotas::Quotas;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};

/// Scheduled messages of a hub; see [`Hub::scheduled`](crate::Hub::scheduled).
#[derive(Clone)]
pub struct Scheduled {
    pub(super) db: Db,
    pub(super) quotas: Quotas,
}

#[boxed_futures]
impl Scheduled {
    pub(crate) fn new(db: Db, quotas: Quotas) -> Self {
        Self { db, quotas }
    }

    /// A scheduled message of the caller, or of one of their agents.
    pub async fn get(&self, caller: &Caller, id: ScheduledMessageId) -> Result<ScheduledMessage> {
        caller.require(Permission::Read)?;
        self.db
            .read((reader(caller)?, id), |tx, (reader, id)| {
                Box::pin(async move { store::find(tx, *reader, *id).await.map(ScheduledMessage::from) })
            })
            .await
    }

    /// The scheduled messages of the caller and of their agents, the one that was scheduled last first.
    pub async fn list(&self, caller: &Caller, filter: ScheduledFilter) -> Result<ScheduledPage> {
        caller.require(Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        self.db
            .read((reader(caller)?, filter, limit), |tx, (reader, filter, limit)| {
                Box::pin(async move {
                    let mut rows = store::list(tx, *reader, filter, limit + 1).await?;
                    let has_more = rows.len() > *limit as usize;
                    rows.truncate(*limit as usize);
                    Ok(ScheduledPage { scheduled: rows.into_iter().map(ScheduledMessage::from).collect(), has_more })
                })
            })
            .await
    }
}

/// Whose scheduled messages the caller sees.
pub(super) fn reader(caller: &Caller) -> Result<Reader> {
    caller.require_direct()?;
    match caller.actor() {
        Actor::User(user) => Ok(Reader { owner: user.id, author: None }),
        Actor::Agent(agent) => Ok(Reader { owner: agent.owner, author: Some(ParticipantId(agent.id.0)) }),
        Actor::Root => Err(nobody()),
    }
}

/// The participant who schedules a message, and the human whom they are or belong to.
pub(super) fn author(caller: &Caller) -> Result<(Party, UserId)> {
    caller.require(Permission::Write)?;
    caller.require_direct()?;
    let party = Party::of(caller).ok_or_else(nobody)?;
    let owner = party.owner.ok_or_else(nobody)?;
    Ok((party, owner))
}

fn nobody() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "participant_required",
        "The admin socket has no scheduled messages. Act as a user or as an agent.",
    )
}

/// The error for a message that can no longer be changed.
pub(super) fn already_sent() -> Error {
    Error::conflict("already_sent", "This message was sent already. Edit or delete the message itself.")
}

/// Records a change; without a status, the scheduled message is gone.
pub(super) async fn record(tx: &mut Tx, row: &ScheduledRow, status: Option<ScheduledStatus>) -> Result<()> {
    let changed = ScheduledChanged { scheduled_id: row.id, author_id: row.author_id, owner_id: row.owner_id, status };
    tx.record(EventBody::ScheduledChanged(changed)).await?;
    Ok(())
}
