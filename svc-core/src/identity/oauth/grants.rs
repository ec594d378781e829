//! Grants from the user's point of view: list and revoke the access of clients.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::oauth::GrantPage;

use super::service::OAuth;
use super::store::grants;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::GrantId;
use crate::page::Page;

#[boxed_futures]
impl OAuth {
    /// Lists the caller's active grants.
    pub async fn grants(&self, caller: &Caller, page: Page) -> Result<GrantPage> {
        let (user, _) = caller.require_session()?;
        self.db
            .read((user.id, page), |tx, (user, page)| {
                Box::pin(async move {
                    let grants = grants::of_user(tx, *user, *page).await?;
                    Ok(GrantPage { grants, total: grants::count_of_user(tx, *user).await? })
                })
            })
            .await
    }

    /// Revokes one of the caller's grants: the client's tokens stop working at once.
    pub async fn end_grant(&self, caller: &Caller, id: GrantId) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let entry = NewEntry::by(AuditEvent::TokenRevoked, caller).detail("kind", "oauth").detail("grant_id", id.0);
        self.db
            .write((user.id, id, entry), |tx, (user, id, entry)| {
                Box::pin(async move {
                    let client = grants::client_of(tx, *user, *id).await?.ok_or_else(|| Error::not_found("grant"))?;
                    if grants::revoke(tx, *id).await? {
                        audit::record(tx, &entry.clone().client(&client)).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}
