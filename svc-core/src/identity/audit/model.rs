//! Entries of the audit log to be written.

use serde_json::{Map, Value};
use svc_model::audit::AuditEvent;

use crate::identity::auth::{Caller, Visit};
use crate::ids::UserId;

/// An entry to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewEntry {
    pub(crate) event: AuditEvent,
    pub(crate) user_id: Option<UserId>,
    pub(crate) username: Option<String>,
    pub(crate) actor: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) visit: Visit,
    pub(crate) details: Map<String, Value>,
}

impl NewEntry {
    pub(crate) fn new(event: AuditEvent, visit: &Visit) -> Self {
        let visit = visit.clone();
        Self { event, user_id: None, username: None, actor: None, client_id: None, visit, details: Map::new() }
    }

    /// An entry about an action of this caller, on its own account unless another one is set.
    pub(crate) fn by(event: AuditEvent, caller: &Caller) -> Self {
        let mut entry = Self::new(event, caller.visit());
        entry.user_id = caller.owner();
        entry.username = caller.owner_name().map(ToOwned::to_owned);
        entry.actor = entry.username.clone();
        entry
    }

    /// Sets the account that it is about.
    pub(crate) fn about(mut self, id: UserId, username: &str) -> Self {
        self.user_id = Some(id);
        self.username = Some(username.to_owned());
        self
    }

    /// Sets the OAuth client that it is about.
    pub(crate) fn client(mut self, client_id: &str) -> Self {
        self.client_id = Some(client_id.to_owned());
        self
    }

    /// Adds a detail, which must not be a secret.
    pub(crate) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}
