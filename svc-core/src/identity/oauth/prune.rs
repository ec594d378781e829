//! Removal of unused clients: after a while, and when there are too many.
//!
//! Invariants: a client that an operator created stays; so does one that a human approved, as long as one of
//! its grants or codes is left; a removed client leaves an entry in the audit log, and gets `invalid_client`
//! when it returns, upon which it registers again.

use std::sync::atomic::Ordering;

use svc_model::audit::AuditEvent;
use svc_model::oauth::ClientSource;

use super::clients::Clients;
use super::store::clients as store;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Visit;
use crate::limits;
use crate::store::db::Tx;
use crate::surface::Surface;

/// Number of clients that one transaction removes.
pub(super) const BATCH: i64 = 200;

impl Clients {
    /// Removes some unused clients. Returns their number.
    pub(super) async fn prune(&self) -> Result<u64> {
        let removed = self.db.write((), |tx, ()| Box::pin(prune(tx))).await?;
        self.count_removed(removed);
        Ok(removed)
    }

    pub(super) fn count_removed(&self, removed: u64) {
        self.removed.fetch_add(removed, Ordering::Relaxed);
    }
}

async fn prune(tx: &mut Tx) -> Result<u64> {
    let visit = Visit::through(Surface::Hub);
    let unused = store::unused(tx, tx.now().minus(limits::OAUTH_CLIENT_UNUSED), BATCH).await?;
    let abandoned = store::abandoned(tx, tx.now().minus(limits::OAUTH_CLIENT_ABANDONED), BATCH).await?;
    Ok(remove(tx, unused, "unused", &visit).await? + remove(tx, abandoned, "abandoned", &visit).await?)
}

/// Makes room for one more client, or fails when all existing ones are in use. Returns the number of removed
/// clients: those that no human approved, oldest first, then those without grants.
pub(super) async fn make_room(tx: &mut Tx, visit: &Visit) -> Result<u64> {
    let too_many = store::count_own(tx).await? + 1 - limits::OAUTH_CLIENTS_MAX;
    if too_many <= 0 {
        return Ok(0);
    }
    let mut found = store::unused(tx, tx.now(), too_many).await?;
    let missing = too_many - i64::try_from(found.len()).unwrap_or(i64::MAX);
    if missing > 0 {
        let before = tx.now().minus(limits::OAUTH_CLIENT_UNUSED);
        found.extend(store::abandoned(tx, before, missing).await?);
    }
    if found.is_empty() {
        return Err(Error::unavailable(
            "too_many_clients",
            "No more clients can register: the limit is reached and all clients are in use. An operator can delete \
             some with svc-admin clients delete.",
        ));
    }
    remove(tx, found, "too_many", visit).await
}

async fn remove(tx: &mut Tx, clients: Vec<(String, ClientSource)>, reason: &str, visit: &Visit) -> Result<u64> {
    let since = tx.now().minus(limits::OAUTH_CLIENT_UNUSED);
    let mut removed = 0;
    for (client_id, source) in clients {
        if !store::remove_unless_approved_since(tx, &client_id, since).await? {
            continue;
        }
        removed += 1;
        let entry = NewEntry::new(AuditEvent::ClientChanged, visit)
            .client(&client_id)
            .detail("change", "deleted")
            .detail("reason", reason)
            .detail("source", source.as_str());
        audit::record(tx, &entry).await?;
    }
    Ok(removed)
}
