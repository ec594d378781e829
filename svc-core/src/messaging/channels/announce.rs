//! What the log tells about channels.

use svc_model::events::{ChannelChanged, EventBody, MembershipChanged};
use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{Joiner, Place};
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::store::db::Tx;

/// The handle under which a caller acts; whoever runs the server acts as the system.
pub(super) fn actor(caller: &Caller) -> &str {
    match caller.actor() {
        Actor::Root => SYSTEM_HANDLE,
        Actor::User(user) => &user.username,
        Actor::Agent(agent) => &agent.name,
    }
}

pub(super) async fn created(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelCreated, place, by).await
}

pub(super) async fn updated(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelUpdated, place, by).await
}

pub(super) async fn archived(tx: &mut Tx, place: &Place, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelArchived, place, by).await
}

pub(super) async fn joined(tx: &mut Tx, place: &Place, joiner: &Joiner) -> Result<()> {
    moved(tx, EventBody::MemberJoined, place, joiner).await
}

pub(super) async fn left(tx: &mut Tx, place: &Place, leaver: &Joiner) -> Result<()> {
    moved(tx, EventBody::MemberLeft, place, leaver).await
}

async fn changed(tx: &mut Tx, event: fn(ChannelChanged) -> EventBody, place: &Place, by: &str) -> Result<()> {
    let changed =
        ChannelChanged { channel_id: place.id, name: place.name.clone(), public: place.public, by: by.to_owned() };
    tx.record(event(changed)).await?;
    Ok(())
}

async fn moved(tx: &mut Tx, event: fn(MembershipChanged) -> EventBody, place: &Place, who: &Joiner) -> Result<()> {
    let changed = MembershipChanged {
        channel_id: place.id,
        name: place.name.clone(),
        public: place.public,
        participant_id: who.id,
        handle: who.handle.clone(),
        owner_id: who.human,
    };
    tx.record(event(changed)).await?;
    Ok(())
}
