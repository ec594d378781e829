//! The store remembers which key it was sealed with: it keeps a known text under that key.

use super::store;
use crate::error::{Error, Result};
use crate::store::db::Tx;
use crate::store::vault::Vault;

/// What the known text is tied to, and the text.
const CONTEXT: &str = "sealing key";
const KNOWN: &[u8] = b"svc";

/// Takes hold of the store's key and sees that it is ours, which it becomes when no secret is left.
/// Nobody else can seal anything until this unit of work has ended.
pub(super) async fn hold(tx: &mut Tx, vault: &Vault) -> Result<()> {
    let ours = vault.seal(CONTEXT, KNOWN)?;
    let kept = store::hold_key(tx, &ours).await?;
    if vault.open(CONTEXT, &kept).is_ok_and(|text| text == KNOWN) {
        return Ok(());
    }
    if store::count(tx, None, None).await? == 0 {
        return store::replace_key(tx, &ours).await;
    }
    Err(Error::unavailable(
        "secret_key_mismatch",
        "The secrets of this hub were sealed with another key: give the server the key file or the SVC_SECRET_KEY \
         that it had. If that key is lost, unset every secret first; the next one that is set brings the new key in.",
    ))
}
