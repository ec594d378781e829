//! Events about channels.

use svc_model::events::{ChannelChanged, EventBody, MembershipChanged};
use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{ChannelRef, MemberRef};
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::store::db::Tx;

/// The handle under which a caller acts; the system for the admin socket.
pub(super) fn actor(caller: &Caller) -> &str {
    match caller.actor() {
        Actor::Root => SYSTEM_HANDLE,
        Actor::User(user) => &user.username,
        Actor::Agent(agent) => &agent.name,
    }
}

pub(super) async fn created(tx: &mut Tx, channel: &ChannelRef, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelCreated, channel, by).await
}

pub(super) async fn updated(tx: &mut Tx, channel: &ChannelRef, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelUpdated, channel, by).await
}

pub(super) async fn archived(tx: &mut Tx, channel: &ChannelRef, by: &str) -> Result<()> {
    changed(tx, EventBody::ChannelArchived, channel, by).await
}

pub(super) async fn joined(tx: &mut Tx, channel: &ChannelRef, joiner: &MemberRef) -> Result<()> {
    moved(tx, EventBody::MemberJoined, channel, joiner).await
}

pub(super) async fn left(tx: &mut Tx, channel: &ChannelRef, leaver: &MemberRef) -> Result<()> {
    moved(tx, EventBody::MemberLeft, channel, leaver).await
}

async fn changed(tx: &mut Tx, event: fn(ChannelChanged) -> EventBody, channel: &ChannelRef, by: &str) -> Result<()> {
    let changed = ChannelChanged {
        channel_id: channel.id,
        name: channel.name.clone(),
        public: channel.public,
        by: by.to_owned(),
    };
    tx.record(event(changed)).await?;
    Ok(())
}

async fn moved(
    tx: &mut Tx,
    event: fn(MembershipChanged) -> EventBody,
    channel: &ChannelRef,
    who: &MemberRef,
) -> Result<()> {
    let changed = MembershipChanged {
        channel_id: channel.id,
        name: channel.name.clone(),
        public: channel.public,
        participant_id: who.id,
        handle: who.handle.clone(),
        owner_id: who.human,
    };
    tx.record(event(changed)).await?;
    Ok(())
}
