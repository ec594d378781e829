//! Presence: pages of a user that are visible. While there is one, nothing is pushed.

use svc_macros::boxed_futures;
use svc_model::push::Presence;

use super::service::Push;
use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;

#[boxed_futures]
impl Push {
    /// Records that a page of the caller is visible now, or withdraws it.
    pub async fn set_presence(&self, caller: &Caller, presence: Presence) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let page = presence.page.unwrap_or_default();
        let is_name = page.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if page.len() > *limits::PRESENCE_PAGE_LENGTHS.end() || !is_name {
            let (least, most) = (limits::PRESENCE_PAGE_LENGTHS.start(), limits::PRESENCE_PAGE_LENGTHS.end());
            return Err(Error::invalid("page", format!("must be {least} to {most} letters, digits, - and _")));
        }
        let is_visible = presence.visible.unwrap_or(true);
        self.db
            .write((user.id, page, is_visible), |tx, (user, page, is_visible)| {
                Box::pin(async move {
                    if *is_visible { store::see(tx, *user, page).await } else { store::leave(tx, *user, page).await }
                })
            })
            .await
    }
}
