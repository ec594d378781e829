//! Restoring a backup: the archive is checked, then read again into an empty place.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use async_channel::{Receiver, Sender};
use svc_model::attachments::ContentHash;

use super::key;
use super::model::{BackupProgress, BackupSummary, ProgressSink, RestorePlan, Restored};
use super::target::Target;
use super::verify::{checked, open};
use crate::clock::{SystemClock, SystemEntropy};
use crate::error::{Error, Result};
use crate::hub::config::HubConfig;
use crate::knowledge::wiki;
use crate::messaging::search;
use crate::net;
use crate::store::backup::{Entry, Filling, Given, Header, Manifest, SealedKey, WordColumn, fill, read};
use crate::store::db::{Db, Tx};
use crate::store::vault::SecretKey;

/// Parts that wait for the store.
const WAITING: usize = 2;
/// The code of a reader that ended because the other side did.
const STOPPED: &str = "restore_stopped";
/// The table with a row as soon as something was encrypted.
const SEALED: &str = "sealing_key";

/// A file that waits to be stored, and the answer.
type FileStep = (ContentHash, Sender<()>);

/// Fills the store and the files of this configuration, which must be empty, from a backup. An error leaves them
/// empty.
pub async fn restore(config: &HubConfig, plan: RestorePlan, progress: ProgressSink) -> Result<Restored> {
    net::install_tls_provider();
    let quiet: ProgressSink = Arc::new(|_| {});
    let (header, manifest, sealed) = checked(&plan.archive, quiet).await?;
    let key = match sealed {
        Some(sealed) if !plan.without_key => Some(opened(&sealed, &plan).await?),
        None if plan.passphrase.is_some() => {
            return Err(Error::invalid("passphrase", "is not needed: this backup does not contain the key"));
        }
        _ => None,
    };
    let mut target = Target::prepare(config, &header.hub_id).await?;
    match fill_target(&mut target, &plan.archive, &header, key.as_ref(), progress).await {
        Ok(()) => {}
        Err(error) => {
            target.clear().await;
            return Err(error);
        }
    }
    let has_sealed = manifest.tables.iter().any(|table| table.name == SEALED && table.rows > 0);
    let needs_key = has_sealed && config.secret_key.is_none() && !target.has_key().await;
    target.finish().await?;
    Ok(Restored { backup: BackupSummary::of(&header, &manifest), key_restored: key.is_some(), needs_key })
}

async fn opened(sealed: &SealedKey, plan: &RestorePlan) -> Result<SecretKey> {
    let passphrase = plan.passphrase.as_ref().ok_or_else(|| {
        Error::invalid(
            "passphrase",
            "is needed, because this backup contains the encryption key: give --passphrase-file, or --without-key",
        )
    })?;
    key::open(sealed, passphrase).await
}

async fn fill_target(
    target: &mut Target,
    archive: &Path,
    header: &Header,
    key: Option<&SecretKey>,
    progress: ProgressSink,
) -> Result<()> {
    let (giving, given) = async_channel::bounded(WAITING);
    let (files, stored) = async_channel::bounded(1);
    let filling = Filling { shapes: header.tables.clone(), given, words: vec![message_words()] };
    let url = target.url.clone();
    let schema = header.schema;
    let filled = Db::fill(
        &url,
        Arc::new(SystemClock),
        schema,
        filling,
        |tx, filling| Box::pin(fill::fill(tx, filling)),
        |tx, ()| Box::pin(make_words(tx)),
    );
    let reader = {
        let (archive, passage, giving) = (archive.to_owned(), target.passage(), giving.clone());
        tokio::task::spawn_blocking(move || read_all(&archive, &passage, &giving, &files, &progress))
    };
    let given = async {
        let stored = store_files(target, &stored).await;
        let read = reader.await.map_err(|error| Error::internal(format!("a restore panicked: {error}")))?;
        stored?;
        let (again, manifest) = read?;
        if again.hub_id != header.hub_id || again.created_at != header.created_at {
            return Err(Error::conflict("backup_damaged", "The backup was replaced while it was restored."));
        }
        target.blobs.set_owner(&header.hub_id, false).await?;
        if let Some(key) = key {
            target.place_key(key, &SystemEntropy).await?;
        }
        let Manifest { tables, last_numbers, .. } = manifest;
        giving.send(Given::End { sums: tables, last_numbers }).await.map_err(|_| stopped())?;
        Ok(())
    };
    // Both end: the store when nothing more is given, and the reader when nothing more is taken.
    let given = async {
        let outcome = given.await;
        giving.close();
        outcome
    };
    match tokio::join!(filled, given) {
        (Ok(()), given) => given,
        // The store has refused something.
        (Err(error), Err(other)) if other.code() == STOPPED => Err(error),
        (Err(_), Err(error)) | (Err(error), Ok(())) => Err(error),
    }
}

/// The indexes of words.
async fn make_words(tx: &mut Tx) -> Result<()> {
    search::rebuild(tx).await?;
    wiki::rebuild_words(tx).await
}

/// The words of messages on PostgreSQL.
fn message_words() -> WordColumn {
    WordColumn {
        table: "messages",
        column: "words",
        from: ["subject", "body"],
        unless: "mention_of",
        make: search::tsvector,
    }
}

async fn store_files(target: &Target, files: &Receiver<FileStep>) -> Result<()> {
    let passage = target.passage();
    while let Ok((hash, done)) = files.recv().await {
        let put = target.blobs.put(&hash, &passage).await;
        if put.is_err() {
            // The reader ends when nobody answers.
            files.close();
        }
        put?;
        // The reader waits for the answer; one that has ended needs none.
        done.send(()).await.ok();
    }
    Ok(())
}

/// Reads the archive, on a thread that may block.
fn read_all(
    archive: &Path,
    passage: &Path,
    giving: &Sender<Given>,
    files: &Sender<FileStep>,
    progress: &ProgressSink,
) -> Result<(Header, Manifest)> {
    let mut so_far = BackupProgress::default();
    let mut visit = |entry: Entry<'_>| {
        match entry {
            Entry::Key(_) => {}
            Entry::Part { table, bytes } => {
                so_far.bytes += bytes.len() as u64;
                giving.send_blocking(Given::Part { table, bytes }).map_err(|_| stopped())?;
            }
            Entry::File { hash, size, content } => {
                so_far.bytes += size;
                so_far.files += 1;
                keep(passage, content)?;
                let (done, answer) = async_channel::bounded(1);
                files.send_blocking((hash.clone(), done)).map_err(|_| stopped())?;
                answer.recv_blocking().map_err(|_| stopped())?;
            }
        }
        progress(so_far);
        Ok(())
    };
    read(open(archive)?, &mut visit)
}

fn keep(passage: &Path, content: &mut dyn Read) -> Result<()> {
    let kept = File::create(passage).and_then(|mut file| std::io::copy(content, &mut file));
    kept.map(drop).map_err(|error| {
        let sentence = format!("{} cannot be written ({error}): see that there is room.", passage.display());
        Error::unavailable("storage_full", sentence).with_source(error)
    })
}

fn stopped() -> Error {
    Error::conflict(STOPPED, "The restore was stopped.")
}
