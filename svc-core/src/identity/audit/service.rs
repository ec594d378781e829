//! Writing and reading of the audit log.

use svc_macros::boxed_futures;
use svc_model::audit::{AuditEntry, AuditEvent, AuditFilter, AuditStats};
use svc_model::events::{CredentialsEnded, EventBody};

use super::model::NewEntry;
use super::store;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

/// The audit log of a hub; see [`Hub::audit`](crate::Hub::audit).
#[derive(Clone)]
pub struct Audit {
    db: Db,
}

/// Writes an entry in this transaction, and to the structured log.
///
/// The log line is written before the commit: a unit of work that is retried writes it again, and a line
/// without its row means that the store failed, which is worth seeing.
pub(crate) async fn record(tx: &mut Tx, entry: &NewEntry) -> Result<()> {
    store::insert(tx, entry).await?;
    tracing::info!(
        target: "svc::auth",
        event = entry.event.as_str(),
        user_id = entry.user_id.map(|id| id.0),
        username = entry.username.as_deref(),
        actor = entry.actor.as_deref(),
        client_id = entry.client_id.as_deref(),
        remote_ip = entry.visit.remote_ip.map(tracing::field::display),
        request_id = entry.visit.request_id.as_deref(),
        surface = entry.visit.surface.as_str(),
        details = %serde_json::Value::Object(entry.details.clone()),
    );
    if matches!(entry.event, AuditEvent::TokenRevoked | AuditEvent::SessionDestroyed | AuditEvent::UserChanged) {
        // Live streams check their credentials at this event, in the order of the log.
        tx.record(EventBody::CredentialsEnded(CredentialsEnded { owner_id: entry.user_id })).await?;
    }
    Ok(())
}

#[boxed_futures]
impl Audit {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Lists entries, newest first. For admins.
    pub async fn list(&self, caller: &Caller, filter: AuditFilter) -> Result<Vec<AuditEntry>> {
        caller.require_admin()?;
        filter.check()?;
        let limit = checked_limit(filter.limit)?;
        self.db.read((filter, limit), |tx, (filter, limit)| Box::pin(store::list(tx, filter, *limit))).await
    }

    /// Counts the entries of each kind since a time. For admins.
    pub async fn stats(&self, caller: &Caller, since: Timestamp) -> Result<Vec<AuditStats>> {
        caller.require_admin()?;
        self.db.read(since, |tx, since| Box::pin(store::stats(tx, *since))).await
    }
}
