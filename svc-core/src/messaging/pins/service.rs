//! The pins handle and the list of pins.

use std::collections::HashMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::pins::{Pin, PinFilter, PinPage};

use super::store::{self, PinRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{MessageId, ParticipantId, PinId};
use crate::messaging::channels;
use crate::messaging::messages::store as messages;
use crate::messaging::messages::timeline::partner;
use crate::messaging::messages::viewer::Viewer;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};

/// Pins of a hub; see [`Hub::pins`](crate::Hub::pins).
#[derive(Clone)]
pub struct Pins {
    pub(super) db: Db,
}

/// The conversations whose pins are listed.
enum Place {
    /// The channel of this name.
    Channel(String),
    /// The direct messages of these two, the second one by handle.
    Direct(ParticipantId, String),
}

struct Request {
    viewer: Viewer,
    place: Place,
    before: PinId,
    limit: u32,
}

#[boxed_futures]
impl Pins {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The pins of a channel, or of the caller's direct messages with a participant, the newest first.
    pub async fn list(&self, caller: &Caller, filter: PinFilter) -> Result<PinPage> {
        caller.require(Permission::Read)?;
        let (before, limit) = (filter.before.unwrap_or(PinId(i64::MAX)), checked_limit(filter.limit)?);
        let request = Request { viewer: Viewer::of(caller), place: place(caller, filter)?, before, limit };
        self.db.read(request, |tx, request| Box::pin(page(tx, request))).await
    }
}

fn place(caller: &Caller, filter: PinFilter) -> Result<Place> {
    match (filter.channel, filter.with) {
        (Some(channel), None) => Ok(Place::Channel(channels::allowed(caller, &channel)?)),
        (None, Some(handle)) => {
            caller.require_direct()?;
            let own = caller.participant();
            let own = own.ok_or_else(|| Error::invalid("with", "needs a participant who asks: name a channel"))?;
            Ok(Place::Direct(own, handle))
        }
        (Some(_), Some(_)) => Err(Error::invalid("with", "cannot be combined with channel: set one of them")),
        (None, None) => Err(Error::invalid("channel", "is missing: name a channel, or a participant in with")),
    }
}

async fn page(tx: &mut Tx, request: &Request) -> Result<PinPage> {
    let Request { viewer, place, before, limit } = request;
    let mut rows = match place {
        Place::Channel(name) => {
            let conversation = store::conversation_of(tx, viewer, name).await?;
            store::of_conversation(tx, conversation, *before, limit + 1).await?
        }
        Place::Direct(own, handle) => {
            let other = partner(tx, handle).await?.id;
            store::of_pair(tx, (*own.min(&other), *own.max(&other)), *before, limit + 1).await?
        }
    };
    let has_more = rows.len() > *limit as usize;
    rows.truncate(*limit as usize);
    Ok(PinPage { pins: shown(tx, viewer, rows).await?, has_more })
}

/// Pins with their messages, in the order of the rows.
pub(super) async fn shown(tx: &mut Tx, viewer: &Viewer, rows: Vec<PinRow>) -> Result<Vec<Pin>> {
    let ids: Vec<MessageId> = rows.iter().map(|row| row.message_id).collect();
    let found = messages::by_ids(tx, &ids).await?;
    let found = messages::complete_seen(tx, viewer, found).await?;
    let mut found: HashMap<MessageId, _> = found.into_iter().map(|message| (message.id, message)).collect();
    let pins = rows.into_iter().filter_map(|row| {
        let message = found.remove(&row.message_id)?;
        Some(Pin { id: row.id, message, pinned_by: row.pinned_by, pinned_at: row.pinned_at })
    });
    Ok(pins.collect())
}
