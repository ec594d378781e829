//! Archiving a channel: it can be read from then on, and nothing else.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;

use super::service::Channels;
use super::{GENERAL, access, announce, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;

#[boxed_futures]
impl Channels {
    /// Archives a channel. For the owner; doing it again changes nothing.
    pub async fn archive(&self, caller: &Caller, name: &str) -> Result<()> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        self.db
            .write((caller.clone(), key), |tx, (caller, key)| {
                Box::pin(async move {
                    let channel = access::held(tx, caller, key).await?;
                    channel.require_owner(caller)?;
                    if channel.name == GENERAL {
                        return Err(Error::conflict("general_channel", "The channel general cannot be archived."));
                    }
                    if channel.archived_at.is_some() {
                        return Ok(());
                    }
                    store::archive(tx, channel.id).await?;
                    announce::archived(tx, &channel.place(), announce::actor(caller)).await
                })
            })
            .await
    }
}
