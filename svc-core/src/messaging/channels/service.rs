//! The channels handle: listing and reading channels.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::{Channel, ChannelFilter, ChannelPage};

use super::{access, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Db;

/// Channels of a hub; see [`Hub::channels`](crate::Hub::channels).
#[derive(Clone)]
pub struct Channels {
    pub(super) db: Db,
}

#[boxed_futures]
impl Channels {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The channels that are visible to the caller, ordered by name.
    pub async fn list(&self, caller: &Caller, filter: ChannelFilter) -> Result<ChannelPage> {
        caller.require(Permission::Read)?;
        if filter.q.as_ref().is_some_and(|q| q.len() > *limits::CHANNEL_NAME.end() || q.contains('\0')) {
            return Err(Error::invalid("q", format!("must have at most {} characters", limits::CHANNEL_NAME.end())));
        }
        if filter.after.as_ref().is_some_and(|name| name.contains('\0')) {
            return Err(Error::invalid("after", "must be the name of a channel"));
        }
        self.db
            .read((Viewer::of(caller), filter), |tx, (viewer, filter)| {
                Box::pin(async move {
                    let (channels, total) = store::list(tx, viewer, filter).await?;
                    Ok(ChannelPage { channels, total })
                })
            })
            .await
    }

    /// The canonical names of those of these channels that are visible to the caller.
    pub async fn seen(&self, caller: &Caller, names: &[String]) -> Result<Vec<String>> {
        caller.require(Permission::Read)?;
        let keys: Vec<String> = names.iter().filter_map(|name| access::allowed(caller, name).ok()).collect();
        self.db
            .read((Viewer::of(caller), keys), |tx, (viewer, keys)| Box::pin(store::seen_among(tx, viewer, keys)))
            .await
    }

    /// A channel that is visible to the caller.
    pub async fn get(&self, caller: &Caller, name: &str) -> Result<Channel> {
        caller.require(Permission::Read)?;
        let key = access::allowed(caller, name)?;
        self.db.read((Viewer::of(caller), key), |tx, (viewer, key)| Box::pin(store::get(tx, viewer, key))).await
    }
}
