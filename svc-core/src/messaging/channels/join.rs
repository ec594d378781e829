//! Joining and leaving a channel, for the caller or one of their agents.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::Channel;

use super::service::Channels;
use super::{access, members, membership, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::viewer::Viewer;
use crate::store::idempotency::Once;

#[boxed_futures]
impl Channels {
    /// Makes the caller, or their agent of this name, a member of a public channel. Joining again
    /// changes nothing.
    pub async fn join(&self, caller: &Caller, name: &str, agent: Option<&str>) -> Result<Channel> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        let agent = agent.map(ToOwned::to_owned);
        let once = caller.idempotency("channels.join", &(&key, &agent))?;
        self.db
            .write_once(once, (caller.clone(), key, agent), |tx, (caller, key, agent)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    let (joiner, _) = access::joining_participant(tx, caller, agent.as_deref()).await?;
                    if !channel.public && !store::members::is_member(tx, channel.id, joiner.id).await? {
                        return Err(Error::not_found("channel"));
                    }
                    channel.require_open()?;
                    membership::join(tx, &channel.channel_ref(), &joiner).await?;
                    store::get(tx, &Viewer::of(caller), key).await
                })
            })
            .await
            .map(Once::into_value)
    }

    /// Ends the membership of the caller and all their agents, or of their agent of this name. Does
    /// nothing if there is none.
    pub async fn leave(&self, caller: &Caller, name: &str, agent: Option<&str>) -> Result<()> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        let agent = agent.map(ToOwned::to_owned);
        let once = caller.idempotency("channels.leave", &(&key, &agent))?;
        self.db
            .write_once(once, (caller.clone(), key, agent), |tx, (caller, key, agent)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    let (leaver, kind) = access::joining_participant(tx, caller, agent.as_deref()).await?;
                    members::end(tx, &channel, leaver.id, kind).await?;
                    Ok(())
                })
            })
            .await
            .map(Once::into_value)
    }
}
