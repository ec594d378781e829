//! Reading a message, its replies and its thread.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{Message, Replies, Thread};

use super::service::Messages;
use super::store;
use super::viewer::Viewer;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::page::Page;

#[boxed_futures]
impl Messages {
    /// A message that is visible to the caller.
    pub async fn get(&self, caller: &Caller, id: MessageId) -> Result<Message> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), id), |tx, (viewer, id)| {
                Box::pin(async move {
                    let row = store::visible(tx, viewer, *id).await?;
                    store::complete_one(tx, viewer, row).await
                })
            })
            .await
    }

    /// The ids among these that are visible to the caller.
    pub async fn seen(&self, caller: &Caller, ids: Vec<MessageId>) -> Result<Vec<MessageId>> {
        caller.require(Permission::Read)?;
        self.db.read((Viewer::of(caller), ids), |tx, (viewer, ids)| Box::pin(store::seen_among(tx, viewer, ids))).await
    }

    /// The replies to a message in all conversations, in time order.
    pub async fn replies(&self, caller: &Caller, id: MessageId, page: Page) -> Result<Replies> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), id, page), |tx, (viewer, id, page)| {
                Box::pin(async move {
                    store::visible(tx, viewer, *id).await?;
                    let rows = store::replies(tx, viewer, *id, page.limit(), page.offset()).await?;
                    let replies = store::complete_seen(tx, viewer, rows).await?;
                    Ok(Replies { replies, total: store::count_replies(tx, viewer, *id).await? })
                })
            })
            .await
    }

    /// The thread of a message: its first message and a page of its replies.
    pub async fn thread(&self, caller: &Caller, id: MessageId, page: Page) -> Result<Thread> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), id, page), |tx, (viewer, id, page)| {
                Box::pin(async move {
                    store::visible(tx, viewer, *id).await?;
                    let root_id = store::root_of(tx, *id).await?;
                    let root = match store::find(tx, viewer, root_id).await? {
                        Some(row) => Some(store::complete_one(tx, viewer, row).await?),
                        None => None,
                    };
                    let rows = store::thread(tx, viewer, root_id, *page).await?;
                    let replies = store::complete_seen(tx, viewer, rows).await?;
                    Ok(Thread { root, replies, total: store::count_thread(tx, viewer, root_id).await? })
                })
            })
            .await
    }
}
