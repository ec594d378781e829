//! The encryption key of a store is identified by a known text that is sealed with it.

use super::store;
use crate::error::{Error, Result};
use crate::store::db::Tx;
use crate::store::vault::Vault;

/// The context that the known text is bound to, and the text.
const CONTEXT: &str = "sealing key";
const KNOWN: &[u8] = b"svc";

/// Locks the store's key record and checks that the key is ours; it becomes ours when no secret and no webhook,
/// which has a sealed secret too, is left. No other transaction can seal anything until this one has ended.
pub(super) async fn lock(tx: &mut Tx, vault: &Vault) -> Result<()> {
    let ours = vault.seal(CONTEXT, KNOWN)?;
    let kept = store::lock_key(tx, &ours).await?;
    if vault.open(CONTEXT, &kept).is_ok_and(|text| text == KNOWN) {
        return Ok(());
    }
    if store::count(tx, None, None).await? == 0 && !store::has_webhooks(tx).await? {
        return store::replace_key(tx, &ours).await;
    }
    Err(Error::unavailable(
        "secret_key_mismatch",
        "The secrets of this hub were encrypted with another key: start the server with the original key file or \
         SVC_SECRET_KEY. If that key is lost, unset every secret and delete every webhook first; the next secret \
         that is set uses the new key.",
    ))
}
