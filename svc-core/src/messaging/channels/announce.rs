//! What the log tells about channels.

use serde::Serialize;
use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{Joiner, Place};
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{ChannelId, ParticipantId, UserId};
use crate::store::db::Tx;
use crate::store::events::NewEvent;

/// Something changed about a channel.
#[derive(Serialize)]
struct Changed<'a> {
    channel_id: ChannelId,
    name: &'a str,
    public: bool,
    /// The handle of whoever did it.
    by: &'a str,
}

/// Somebody came or went.
#[derive(Serialize)]
struct Moved<'a> {
    channel_id: ChannelId,
    name: &'a str,
    public: bool,
    participant_id: ParticipantId,
    handle: &'a str,
    /// The human whom the participant is or belongs to.
    owner_id: Option<UserId>,
}

/// The handle under which a caller acts; whoever runs the server acts as the system.
pub(super) fn actor(caller: &Caller) -> &str {
    match caller.actor() {
        Actor::Root => SYSTEM_HANDLE,
        Actor::User(user) => &user.username,
        Actor::Agent(agent) => &agent.name,
    }
}

pub(super) async fn created(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, "channel.created", place, by).await
}

pub(super) async fn updated(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, "channel.updated", place, by).await
}

pub(super) async fn archived(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, "channel.archived", place, by).await
}

pub(super) async fn joined(tx: &mut Tx, place: &Place, joiner: &Joiner) -> Result<()> {
    moved(tx, "channel.member_joined", place, joiner).await
}

pub(super) async fn left(tx: &mut Tx, place: &Place, leaver: &Joiner) -> Result<()> {
    moved(tx, "channel.member_left", place, leaver).await
}

async fn changed(tx: &mut Tx, kind: &'static str, place: &Place, by: &str) -> Result<()> {
    let payload = Changed { channel_id: place.id, name: &place.name, public: place.public, by };
    tx.emit(&NewEvent::new(kind, &payload)?).await?;
    Ok(())
}

async fn moved(tx: &mut Tx, kind: &'static str, place: &Place, who: &Joiner) -> Result<()> {
    let payload = Moved {
        channel_id: place.id,
        name: &place.name,
        public: place.public,
        participant_id: who.id,
        handle: &who.handle,
        owner_id: who.human,
    };
    tx.emit(&NewEvent::new(kind, &payload)?).await?;
    Ok(())
}
