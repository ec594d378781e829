//! An authenticated machine, and its admission to a transaction.

use sha2::{Digest, Sha256};
use svc_model::principals::{Audience, MachineKeyStatus, PublicKey, Scope};

use super::authenticate::wrong_audience;
use super::store::{self, KeyRow};
use super::{dialect, signature};
use crate::clock::hex;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Visit;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A principal whose signature was verified. It is authenticated but not yet authorized: that is decided in
/// the transaction of its request.
#[derive(Debug, Clone)]
pub struct Machine {
    pub(crate) principal_id: String,
    pub(crate) kid: String,
    pub(crate) public_key: PublicKey,
    /// The audience of the hub that verified it.
    pub(crate) audience: Audience,
    pub(crate) nonce: String,
    /// After this time a request with this signature is too old anyway.
    pub(crate) nonce_expires_at: Timestamp,
    pub(crate) visit: Visit,
}

impl Machine {
    /// The id of the principal, such as `svc:sense:door-1`.
    pub fn principal_id(&self) -> &str {
        &self.principal_id
    }

    /// The id of the key that it signed with.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// An opaque id of the signature. It is unique, because a nonce is accepted once.
    pub fn signature_id(&self) -> String {
        let digest = Sha256::new().chain_update(self.public_key.0).chain_update(self.nonce.as_bytes()).finalize();
        hex(&digest[..16])
    }

    /// The origin of the request.
    pub fn visit(&self) -> &Visit {
        &self.visit
    }
}

/// Admits a machine. It must be called first in every unit of work of a machine. The principal must be
/// enabled, the key active and of that scope, in the store until the transaction ends, and the nonce must be
/// new.
pub(crate) async fn admit(tx: &mut Tx, machine: &Machine, scope: Scope) -> Result<()> {
    // A separate statement before the others, so that they see everything committed while it waited.
    dialect::keep_registry(tx).await?;
    require(tx, machine, scope).await?;
    if store::take_nonce(tx, machine.public_key, &machine.nonce, machine.nonce_expires_at).await? {
        return Ok(());
    }
    Err(replayed())
}

/// The error for a repeated nonce.
pub(crate) fn replayed() -> Error {
    Error::new(ErrorKind::Unauthenticated, "replayed_signature", "This nonce was used before: sign again with another.")
}

/// Checks a machine without its nonce, for a request that has no other effect, or whose nonce was consumed
/// already. See [`admit`].
pub(crate) async fn require(tx: &mut Tx, machine: &Machine, scope: Scope) -> Result<()> {
    let key = store::key(tx, &machine.principal_id, &machine.kid).await?;
    let Some(key) = key.filter(|key| key.public_key == machine.public_key) else {
        return Err(signature::unknown_key());
    };
    if key.audience != machine.audience {
        return Err(wrong_audience(key.audience, machine.audience));
    }
    usable(&key, scope)
}

/// Checks that the principal is enabled, and the key active and of this scope.
pub(super) fn usable(key: &KeyRow, scope: Scope) -> Result<()> {
    let refuse = |kind, code, message: String| Err(Error::new(kind, code, message));
    if !key.enabled {
        return refuse(
            ErrorKind::Forbidden,
            "principal_disabled",
            "This principal is disabled in the registry.".to_owned(),
        );
    }
    if key.status == MachineKeyStatus::Revoked {
        return refuse(
            ErrorKind::Unauthenticated,
            "machine_key_revoked",
            "This key is revoked in the registry: sign with another key.".to_owned(),
        );
    }
    if !key.scopes.0.contains(&scope) {
        return refuse(ErrorKind::Forbidden, "missing_scope", format!("This requires a key with the scope {scope}."));
    }
    Ok(())
}
