//! A machine that has proved who it is, and how it is let in.

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

/// A principal whose signature was verified. It says who asks, and not yet that it may: that is decided
/// in the transaction that does what is asked.
#[derive(Debug, Clone)]
pub struct Machine {
    pub(crate) principal_id: String,
    pub(crate) kid: String,
    pub(crate) public_key: PublicKey,
    /// What the hub is that proved it.
    pub(crate) audience: Audience,
    pub(crate) nonce: String,
    /// After this a request with this signature is too old anyway.
    pub(crate) nonce_expires_at: Timestamp,
    pub(crate) visit: Visit,
}

impl Machine {
    /// The principal, such as `svc:sense:door-1`.
    pub fn principal_id(&self) -> &str {
        &self.principal_id
    }

    /// The key that it signed with.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// What its signature is called, without telling anything else about it. No other request has the same, because
    /// a nonce is taken once.
    pub fn signature_id(&self) -> String {
        let digest = Sha256::new().chain_update(self.public_key.0).chain_update(self.nonce.as_bytes()).finalize();
        hex(&digest[..16])
    }

    /// From where and through which door it came.
    pub fn visit(&self) -> &Visit {
        &self.visit
    }
}

/// Lets a machine in: to be called first in every unit of work that it asks for. The principal has to be
/// enabled, the key active and of that scope, as the store says until the unit is done, and the nonce new.
pub(crate) async fn admit(tx: &mut Tx, machine: &Machine, scope: Scope) -> Result<()> {
    // A statement of its own before the others, which see what was committed while this one waited.
    dialect::keep_registry(tx).await?;
    require(tx, machine, scope).await?;
    if store::take_nonce(tx, machine.public_key, &machine.nonce, machine.nonce_expires_at).await? {
        return Ok(());
    }
    Err(replayed())
}

/// What was signed once came again.
pub(crate) fn replayed() -> Error {
    Error::new(ErrorKind::Unauthenticated, "replayed_signature", "This nonce was used before: sign again with another.")
}

/// The same without the nonce, for a request of which nothing else will come, or whose nonce was taken already.
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

/// Whether the principal is enabled, and the key active and of this scope.
pub(super) fn usable(key: &KeyRow, scope: Scope) -> Result<()> {
    let refuse = |kind, code, message: String| Err(Error::new(kind, code, message));
    if !key.enabled {
        return refuse(
            ErrorKind::Forbidden,
            "principal_disabled",
            "The registry says that this principal is disabled.".to_owned(),
        );
    }
    if key.status == MachineKeyStatus::Revoked {
        return refuse(
            ErrorKind::Unauthenticated,
            "machine_key_revoked",
            "The registry says that this key is revoked: sign with another.".to_owned(),
        );
    }
    if !key.scopes.0.contains(&scope) {
        return refuse(ErrorKind::Forbidden, "missing_scope", format!("This needs a key with the scope {scope}."));
    }
    Ok(())
}
