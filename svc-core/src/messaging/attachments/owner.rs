//! Which hub a store of files belongs to. The hub has an id in its database, and the store of the files names it.
//!
//! What always holds: a hub works only with a store that names it, so no hub sweeps the files of another one. A
//! store that names nobody is bound once, by a hub that has been there before, or while it is empty.

use futures_util::StreamExt;

use super::blobs::BlobStore;
use super::service::FileSettings;
use super::store::file_store;
use crate::clock::{Entropy, random_hex};
use crate::error::{Error, Result};
use crate::identity::participants;
use crate::store::db::Db;

/// How files that belong to no hub are called by whoever takes them over.
const UNBOUND: &str = "unbound";

/// Sees that the store of the files is this hub's, or makes it so. Returns the hub's id.
pub(super) async fn bind(
    db: &Db,
    blobs: &dyn BlobStore,
    settings: &FileSettings,
    entropy: &dyn Entropy,
) -> Result<String> {
    let ours = hub_id(db, entropy).await?;
    let is_new = !participants::is_filled(db).await?;
    // Whoever wants a new database means the directory beside it too, but not a bucket that others may use.
    let starts_over = settings.new_store && is_new && settings.blob_url.is_none();
    let adopted = |whose: &str| starts_over || settings.adopt_blobs.as_deref() == Some(whose);
    match blobs.owner().await? {
        Some(owner) if owner == ours => return Ok(ours),
        Some(owner) if adopted(&owner) => {
            tracing::warn!(from = owner, to = ours, "the files of another hub are taken over");
            blobs.set_owner(&ours, true).await?;
        }
        Some(owner) => return Err(foreign(settings, &owner, &ours)),
        None => {
            if is_new && !adopted(UNBOUND) && has_files(blobs).await? {
                return Err(unbound(settings));
            }
            blobs.set_owner(&ours, false).await?;
        }
    }
    // Another hub may have been faster.
    match blobs.owner().await? {
        Some(owner) if owner == ours => Ok(ours),
        Some(owner) => Err(foreign(settings, &owner, &ours)),
        None => Err(Error::unavailable(
            "file_store_unreadable",
            format!("{} does not keep what is written there: see that it can be read and written.", place(settings)),
        )),
    }
}

async fn hub_id(db: &Db, entropy: &dyn Entropy) -> Result<String> {
    let found = async || db.read((), |tx, ()| Box::pin(file_store::hub_id(tx))).await;
    if let Some(id) = found().await? {
        return Ok(id);
    }
    let id = random_hex(entropy, 16);
    db.write(id, |tx, id| Box::pin(file_store::set_hub_id(tx, id))).await?;
    found().await?.ok_or_else(|| Error::internal("the id of the hub is gone again"))
}

async fn has_files(blobs: &dyn BlobStore) -> Result<bool> {
    blobs.list().next().await.transpose().map(|first| first.is_some())
}

fn place(settings: &FileSettings) -> String {
    match &settings.blob_url {
        Some(url) => url.clone(),
        None => settings.data.join(super::blobs::DIRECTORY).display().to_string(),
    }
}

fn foreign(settings: &FileSettings, owner: &str, ours: &str) -> Error {
    let sentence = format!(
        "The files in {} belong to the hub {owner}, and the database is of the hub {ours}: name the database and the \
         store of files that belong together, or start with --adopt-blobs {owner} if that hub is gone and its files \
         are to be this one's.",
        place(settings)
    );
    Error::conflict("file_store_of_another_hub", sentence)
}

fn unbound(settings: &FileSettings) -> Error {
    let sentence = format!(
        "There are files in {}, and the database is new and knows none of them: name the database that they belong \
         to, or start with --adopt-blobs {UNBOUND} if they are to be this hub's.",
        place(settings)
    );
    Error::conflict("file_store_not_empty", sentence)
}
