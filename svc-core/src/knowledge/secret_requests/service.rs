//! The requests for secrets of a hub.

use svc_macros::boxed_futures;
use svc_model::goals::DecisionNote;
use svc_model::secret_requests::{NewSecretRequest, SecretRequest, SecretRequestFilter, SecretRequestPage};
use svc_model::secrets::SecretValue;

use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::SecretRequestId;
use crate::store::db::Db;
use crate::store::vault::Vault;

/// The requests for secrets of a hub; see [`Hub::secret_requests`](crate::Hub::secret_requests).
#[derive(Clone)]
pub struct SecretRequests {
    pub(super) db: Db,
    pub(super) vault: Vault,
}

macro_rules! stub { ($($arg:expr),*) => {{ $(let _ = $arg;)* Err(Error::internal("not written")) }}; }

#[boxed_futures]
impl SecretRequests {
    pub(crate) fn new(db: Db, vault: Vault) -> Self {
        Self { db, vault }
    }

    /// The names of the secrets that runs of the calling agent receive.
    pub async fn names(&self, caller: &Caller) -> Result<Vec<String>> {
        stub!(&self.db, &self.vault, caller)
    }

    /// Asks the owner of the calling agent for a secret.
    pub async fn request(&self, caller: &Caller, new: NewSecretRequest) -> Result<SecretRequest> {
        stub!(caller, new)
    }

    /// Lists the requests of the caller's agents, newest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: SecretRequestFilter) -> Result<SecretRequestPage> {
        stub!(caller, filter)
    }

    /// Stores the secret that was asked for, as a secret of the agent.
    pub async fn provide(&self, caller: &Caller, id: SecretRequestId, value: SecretValue) -> Result<SecretRequest> {
        stub!(caller, id, value)
    }

    /// Rejects a request.
    pub async fn reject(&self, caller: &Caller, id: SecretRequestId, note: DecisionNote) -> Result<SecretRequest> {
        stub!(caller, id, note)
    }
}
