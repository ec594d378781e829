//! Archiving a channel: afterwards it is read-only.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;

use super::service::Channels;
use super::{GENERAL, access, announce, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;

#[boxed_futures]
impl Channels {
    /// Archives a channel. Requires its owner. Archiving it again changes nothing.
    pub async fn archive(&self, caller: &Caller, name: &str) -> Result<()> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        self.db
            .write((caller.clone(), key), |tx, (caller, key)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    channel.require_owner(caller)?;
                    if channel.name == GENERAL {
                        return Err(Error::conflict("general_channel", "The channel general cannot be archived."));
                    }
                    if channel.archived_at.is_some() {
                        return Ok(());
                    }
                    store::archive(tx, channel.id).await?;
                    announce::archived(tx, &channel.channel_ref(), announce::actor(caller)).await
                })
            })
            .await
    }
}
