//! Binding a file store to one hub. The hub has an id in its database, and the file store records
//! that id.
//!
//! Invariants:
//! - A hub uses only a file store that records its id, so no hub sweeps the files of another.
//! - An unbound file store is bound once, by a hub with an existing database, or while it is empty.

use futures_util::StreamExt;

use super::blobs::BlobStore;
use super::service::FileSettings;
use super::store::file_store;
use crate::clock::{Entropy, random_hex};
use crate::error::{Error, Result};
use crate::identity::participants;
use crate::store::db::Db;

/// The value of `--adopt-blobs` for files that belong to no hub.
const UNBOUND: &str = "unbound";

/// Ensures that the file store belongs to this hub, or binds it. Returns the id of the hub.
pub(super) async fn bind(
    db: &Db,
    blobs: &dyn BlobStore,
    settings: &FileSettings,
    entropy: &dyn Entropy,
) -> Result<String> {
    let ours = hub_id(db, entropy).await?;
    let is_new = !participants::is_filled(db).await?;
    // A new database implies a new directory beside it, but not a new bucket, which others may use.
    let starts_over = settings.new_store && is_new && settings.blob_url.is_none();
    let adopted = |owner: &str| starts_over || settings.adopt_blobs.as_deref() == Some(owner);
    match blobs.owner().await? {
        Some(owner) if owner == ours => return Ok(ours),
        Some(owner) if adopted(&owner) => {
            tracing::warn!(from = owner, to = ours, "adopting the files of another hub");
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
            format!("{} does not keep written data. Make sure that it is readable and writable.", location(settings)),
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
    found().await?.ok_or_else(|| Error::internal("the stored hub id was not found"))
}

async fn has_files(blobs: &dyn BlobStore) -> Result<bool> {
    blobs.list().next().await.transpose().map(|first| first.is_some())
}

fn location(settings: &FileSettings) -> String {
    match &settings.blob_url {
        Some(url) => url.clone(),
        None => settings.data.join(super::blobs::DIRECTORY).display().to_string(),
    }
}

fn foreign(settings: &FileSettings, owner: &str, ours: &str) -> Error {
    let sentence = format!(
        "The files in {} belong to the hub {owner}, but the database belongs to the hub {ours}. Use the database and \
         the file store that belong together, or start with --adopt-blobs {owner} if that hub no longer exists and its \
         files should belong to this one.",
        location(settings)
    );
    Error::conflict("file_store_of_another_hub", sentence)
}

fn unbound(settings: &FileSettings) -> Error {
    let sentence = format!(
        "{} contains files, but the database is new and knows none of them. Use the database that they belong \
         to, or start with --adopt-blobs {UNBOUND} if they should belong to this hub.",
        location(settings)
    );
    Error::conflict("file_store_not_empty", sentence)
}
