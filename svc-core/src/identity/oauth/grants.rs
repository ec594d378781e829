//! What a human has allowed, as they see it: which client acts as which agent, and an end to it.

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;

use super::service::OAuth;
use super::store::grants;
use crate::error::{Error, Result};
use crate::identity::audit::{self, AuditEvent, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::GrantId;
use crate::page::Page;
use crate::timestamp::Timestamp;

crate::row! {
    /// A client that may act as one of the caller's agents.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Grant {
        /// Its id.
        pub id: GrantId,
        /// The client.
        pub client_id: String,
        /// What the client calls itself.
        pub client_name: String,
        /// The agent that it acts as.
        pub agent: String,
        /// Since when.
        pub created_at: Timestamp,
        /// When it ends unless the client uses it before.
        pub expires_at: Timestamp,
    }
}

/// A page of grants.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GrantPage {
    /// The grants, newest first.
    pub grants: Vec<Grant>,
    /// How many there are in all.
    pub total: i64,
}

#[boxed_futures]
impl OAuth {
    /// What the caller has allowed and has not ended.
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

    /// Ends what the caller allowed: the client's tokens stop working at once.
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
