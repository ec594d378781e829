//! Reading one message and what was answered to it.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{Message, Replies, Thread};

use super::service::Messages;
use super::sight::Sight;
use super::store;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::page::Page;

#[boxed_futures]
impl Messages {
    /// A message that the caller may see.
    pub async fn get(&self, caller: &Caller, id: MessageId) -> Result<Message> {
        caller.require(Permission::Read)?;
        self.db
            .read((Sight::of(caller), id), |tx, (sight, id)| {
                Box::pin(async move {
                    let row = store::visible(tx, sight, *id).await?;
                    store::complete_one(tx, sight, row).await
                })
            })
            .await
    }

    /// Those of these messages that the caller may see.
    pub async fn seen(&self, caller: &Caller, ids: Vec<MessageId>) -> Result<Vec<MessageId>> {
        caller.require(Permission::Read)?;
        self.db.read((Sight::of(caller), ids), |tx, (sight, ids)| Box::pin(store::seen_among(tx, sight, ids))).await
    }

    /// The answers to a message, whichever conversation they stand in, in time order.
    pub async fn replies(&self, caller: &Caller, id: MessageId, page: Page) -> Result<Replies> {
        caller.require(Permission::Read)?;
        self.db
            .read((Sight::of(caller), id, page), |tx, (sight, id, page)| {
                Box::pin(async move {
                    store::visible(tx, sight, *id).await?;
                    let rows = store::replies(tx, sight, *id, page.limit(), page.offset()).await?;
                    let replies = store::complete_seen(tx, sight, rows).await?;
                    Ok(Replies { replies, total: store::count_replies(tx, sight, *id).await? })
                })
            })
            .await
    }

    /// The thread that a message belongs to: the message that began it, and a page of its descendants.
    pub async fn thread(&self, caller: &Caller, id: MessageId, page: Page) -> Result<Thread> {
        caller.require(Permission::Read)?;
        self.db
            .read((Sight::of(caller), id, page), |tx, (sight, id, page)| {
                Box::pin(async move {
                    store::visible(tx, sight, *id).await?;
                    let root_id = store::root_of(tx, *id).await?;
                    let root = match store::find(tx, sight, root_id).await? {
                        Some(row) => Some(store::complete_one(tx, sight, row).await?),
                        None => None,
                    };
                    let rows = store::thread(tx, sight, root_id, *page).await?;
                    let replies = store::complete_seen(tx, sight, rows).await?;
                    Ok(Thread { root, replies, total: store::count_thread(tx, sight, root_id).await? })
                })
            })
            .await
    }
}
