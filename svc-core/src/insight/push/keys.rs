//! The key pair of the hub: made once, kept sealed in the store, read by every node.

use std::sync::Arc;

use super::service::Push;
use super::store;
use super::vapid::{self, Signer};
use crate::error::{Error, Result};

/// The context for which the private key is sealed.
const CONTEXT: &str = "push key";

impl Push {
    /// The key pair. It is made by the first node that needs it; the others read it.
    pub(super) async fn signer(&self) -> Result<Arc<Signer>> {
        let load = async {
            let stored = self.db.read((), |tx, ()| Box::pin(store::key_pair(tx))).await?;
            let (public_key, sealed) = match stored {
                Some(pair) => pair,
                None => self.make_key().await?,
            };
            let private_key = self.vault.open(CONTEXT, &sealed)?;
            let signer = Signer::new(&private_key, self.base_url.as_deref())?;
            // Browsers have subscribed with the public key, and would take no message that another one signed.
            if signer.public_bytes() != public_key.as_slice() {
                return Err(Error::internal("the two halves of the key for push messages do not belong together"));
            }
            Ok(Arc::new(signer))
        };
        self.signer.get_or_try_init(|| load).await.cloned()
    }

    async fn make_key(&self) -> Result<(Vec<u8>, Vec<u8>)> {
        let private_key = vapid::generate()?;
        let public_key = Signer::new(&private_key, self.base_url.as_deref())?.public_bytes().to_vec();
        let sealed = self.vault.seal(CONTEXT, &private_key)?;
        self.db
            .write((public_key, sealed), |tx, (public_key, sealed)| Box::pin(store::insert_key(tx, public_key, sealed)))
            .await
    }
}
