//! Joining and leaving by oneself, or by one of one's agents.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::Channel;

use super::service::Channels;
use super::{access, members, membership, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::viewer::Viewer;

#[boxed_futures]
impl Channels {
    /// Makes the caller, or the one of their agents that they name, a member of a public channel. Who is
    /// a member already stays one.
    pub async fn join(&self, caller: &Caller, name: &str, agent: Option<&str>) -> Result<Channel> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        let agent = agent.map(ToOwned::to_owned);
        self.db
            .write_by(caller, (caller.clone(), key, agent), |tx, (caller, key, agent)| {
                Box::pin(async move {
                    let channel = access::held(tx, caller, key).await?;
                    let (joiner, _) = access::acting(tx, caller, agent.as_deref()).await?;
                    if !channel.public && !members::is_member(tx, channel.id, joiner.id).await? {
                        return Err(Error::not_found("channel"));
                    }
                    channel.require_open()?;
                    membership::join(tx, &channel.place(), &joiner).await?;
                    store::get(tx, &Viewer::of(caller), key).await
                })
            })
            .await
    }

    /// Ends the membership of the caller with all their agents, or of the one agent that they name. Who
    /// is no member stays none.
    pub async fn leave(&self, caller: &Caller, name: &str, agent: Option<&str>) -> Result<()> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        let agent = agent.map(ToOwned::to_owned);
        self.db
            .write_by(caller, (caller.clone(), key, agent), |tx, (caller, key, agent)| {
                Box::pin(async move {
                    let channel = access::held(tx, caller, key).await?;
                    let (leaver, kind) = access::acting(tx, caller, agent.as_deref()).await?;
                    members::end(tx, &channel, leaver.id, kind).await?;
                    Ok(())
                })
            })
            .await
    }
}
