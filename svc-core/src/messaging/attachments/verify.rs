//! Verifying files against their hashes.
//!
//! Invariants:
//! - The first byte of a file is sent only after the whole file matched its hash. A process relies
//!   on that result for a while, as long as the file does not change.
//! - A whole file is hashed again while it is sent, and a mismatch ends the stream with an error
//!   before its last bytes.
//! - A lost or damaged file is recorded in the store. A file in the trash that is needed again is
//!   restored.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use svc_model::attachments::ContentHash;
use tokio::time::Instant;

use super::blobs::{BlobStamp, BlobStream};
use super::read::missing;
use super::service::Attachments;
use super::store::moves::Direction;
use super::store::{contents, moves};
use super::upload::busy;
use crate::clock::random_hex;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::store::db::Tx;

/// Attempts for a file that changes meanwhile.
const TRIES: usize = 3;
/// The OS error code of a failed disk read.
const EIO: i32 = 5;

/// The result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Sound,
    /// It is missing, or does not match its hash.
    Damaged,
}

/// Whether an earlier result may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerifyMode {
    /// Verifies unless there is a recent result and the file has not changed.
    IfNeeded,
    Always,
}

/// The results of verifications that a process keeps in memory.
#[derive(Debug, Default)]
pub(super) struct Verifications {
    by_hash: Mutex<HashMap<ContentHash, Verification>>,
}

#[derive(Debug)]
struct Verification {
    /// The verified version; `None` if there was no blob.
    stamp: Option<BlobStamp>,
    condition: Condition,
    at: Instant,
}

impl Verification {
    fn is_fresh(&self) -> bool {
        let lasts = match self.condition {
            Condition::Sound => limits::FILE_SOUND,
            Condition::Damaged => limits::FILE_DAMAGED,
        };
        self.at.elapsed() < lasts
    }
}

impl Verifications {
    fn by_hash(&self) -> MutexGuard<'_, HashMap<ContentHash, Verification>> {
        self.by_hash.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn condition(&self, hash: &ContentHash, stamp: Option<&BlobStamp>) -> Option<Condition> {
        let found = self.by_hash();
        let is_valid = |found: &&Verification| found.is_fresh() && found.stamp.as_ref() == stamp;
        let verification = found.get(hash).filter(is_valid)?;
        Some(verification.condition)
    }

    fn remember(&self, hash: &ContentHash, stamp: Option<BlobStamp>, condition: Condition) {
        let mut found = self.by_hash();
        if found.len() >= limits::FILES_REMEMBERED {
            found.retain(|_, verification| verification.is_fresh());
        }
        if found.len() >= limits::FILES_REMEMBERED {
            // They are verified again on the next request.
            found.clear();
        }
        found.insert(hash.clone(), Verification { stamp, condition, at: Instant::now() });
    }

    pub(super) fn forget(&self, hash: &ContentHash) {
        self.by_hash().remove(hash);
    }
}

impl Attachments {
    /// A range of a content of this size, all of which matched its hash.
    pub(super) async fn read_verified(&self, hash: &ContentHash, size: u64, range: Range<u64>) -> Result<BlobStream> {
        let mut failure = None;
        for _ in 0..TRIES {
            match self.blobs.get(hash, range.clone()).await {
                Ok(blob) if self.verified.condition(hash, Some(&blob.stamp)) == Some(Condition::Sound) => {
                    let whole = range == (0..size);
                    return Ok(if whole { self.compared(hash, blob.pieces) } else { blob.pieces });
                }
                Ok(_) => {}
                Err(error) => failure = Some(error),
            }
            if self.condition(hash, size, VerifyMode::IfNeeded).await? == Condition::Damaged {
                return Err(damaged(hash));
            }
        }
        Err(failure.unwrap_or_else(busy))
    }

    /// Verifies a content of this size and records the result; `not_found` if the hub has no such
    /// content.
    pub(super) async fn condition(&self, hash: &ContentHash, size: u64, mode: VerifyMode) -> Result<Condition> {
        let slot = self.verify_slots.acquire().await.map_err(|_| missing())?;
        let stamp = self.blobs.stamp(hash).await?;
        // Another task may have verified it during the wait.
        let known = self.verified.condition(hash, stamp.as_ref()).filter(|_| mode == VerifyMode::IfNeeded);
        if let Some(condition) = known {
            return Ok(condition);
        }
        let (mut stamp, mut condition) = self.compare(hash, size, stamp).await?;
        if condition == Condition::Damaged && self.recover(hash).await? {
            let again = self.blobs.stamp(hash).await?;
            (stamp, condition) = self.compare(hash, size, again).await?;
        }
        if stamp.is_none() {
            // A file store that is not mounted has lost no file.
            self.require_ours().await?;
        }
        self.verified.remember(hash, stamp, condition);
        drop(slot);
        self.note(hash, condition).await?;
        Ok(condition)
    }

    /// Reads and hashes the whole content. Returns the version that was read.
    async fn compare(
        &self,
        hash: &ContentHash,
        size: u64,
        stamp: Option<BlobStamp>,
    ) -> Result<(Option<BlobStamp>, Condition)> {
        let Some(stamp) = stamp else { return Ok((None, Condition::Damaged)) };
        if stamp.size != size {
            return Ok((Some(stamp), Condition::Damaged));
        }
        let blob = match self.blobs.get(hash, 0..size).await {
            Ok(blob) => blob,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((None, Condition::Damaged)),
            Err(error) if is_unreadable(&error) => return Ok((Some(stamp), Condition::Damaged)),
            Err(error) => return Err(error),
        };
        let (mut pieces, stamp, mut hasher) = (blob.pieces, blob.stamp, Sha256::new());
        loop {
            match pieces.try_next().await {
                Ok(Some(piece)) => hasher.update(&piece),
                Ok(None) => break,
                Err(error) if is_unreadable(&error) => return Ok((Some(stamp), Condition::Damaged)),
                Err(error) => return Err(error),
            }
        }
        let same = ContentHash::from_digest(hasher.finalize()) == *hash;
        Ok((Some(stamp), if same { Condition::Sound } else { Condition::Damaged }))
    }

    /// Restores a blob from the trash if a row needs it; `false` if there is none.
    async fn recover(&self, hash: &ContentHash) -> Result<bool> {
        let unit = (hash.clone(), random_hex(self.entropy.as_ref(), 8));
        let begun = self.db.write(unit, |tx, (hash, holder)| Box::pin(begin_recovery(tx, hash, holder))).await?;
        let holder = begun.ok_or_else(busy)?;
        let back = tokio::time::timeout(limits::BLOB_TIMEOUT, self.blobs.bring_back(hash)).await;
        let unit = (hash.clone(), holder);
        self.db.write(unit, |tx, (hash, holder)| Box::pin(moves::end(tx, hash, holder))).await?;
        let back = back.unwrap_or_else(|_| Err(busy()))?;
        if back {
            tracing::info!(%hash, "a file in the trash is needed again and was restored");
        }
        Ok(back)
    }

    async fn note(&self, hash: &ContentHash, condition: Condition) -> Result<()> {
        match condition {
            Condition::Sound => {
                if self.db.read(hash.clone(), |tx, hash| Box::pin(contents::is_damaged(tx, hash))).await? {
                    self.db.write(hash.clone(), |tx, hash| Box::pin(contents::clear_damage(tx, hash))).await?;
                    tracing::info!(%hash, "a damaged file is intact again");
                }
                Ok(())
            }
            Condition::Damaged => {
                let noted = self.db.write(hash.clone(), |tx, hash| Box::pin(contents::note_damage(tx, hash))).await?;
                if !noted {
                    return Err(missing());
                }
                tracing::error!(%hash, "a file is lost or damaged: restore it from an archive, or upload it again");
                Ok(())
            }
        }
    }

    /// The chunks of a whole content; the last one is sent only if the content matched its hash.
    fn compared(&self, hash: &ContentHash, pieces: BlobStream) -> BlobStream {
        let state = Comparison { files: self.clone(), hash: hash.clone(), hasher: Some(Sha256::new()), held: None };
        let pieces = stream::unfold((state, pieces), |(mut state, mut pieces)| async move {
            while state.hasher.is_some() {
                let next = match pieces.next().await {
                    Some(Ok(piece)) => state.take(piece).map(Ok),
                    Some(Err(error)) => Some(Err(error)),
                    None => state.end().await,
                };
                if let Some(piece) = next {
                    return Some((piece, (state, pieces)));
                }
            }
            None
        });
        Box::pin(pieces)
    }
}

/// A content that is hashed while it is sent.
struct Comparison {
    files: Attachments,
    hash: ContentHash,
    /// `None` at the end.
    hasher: Option<Sha256>,
    held: Option<Bytes>,
}

impl Comparison {
    /// Holds back a chunk and returns the previous one.
    fn take(&mut self, piece: Bytes) -> Option<Bytes> {
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&piece);
        }
        self.held.replace(piece)
    }

    async fn end(&mut self) -> Option<Result<Bytes>> {
        let hasher = self.hasher.take()?;
        if ContentHash::from_digest(hasher.finalize()) == self.hash {
            return self.held.take().map(Ok);
        }
        self.files.verified.forget(&self.hash);
        if let Err(error) = self.files.note(&self.hash, Condition::Damaged).await {
            tracing::warn!(error = error.log_line(), "a damaged file could not be recorded");
        }
        Some(Err(damaged(&self.hash)))
    }
}

async fn begin_recovery(tx: &mut Tx, hash: &ContentHash, holder: &str) -> Result<Option<String>> {
    contents::find(tx, hash).await?.ok_or_else(missing)?;
    moves::begin(tx, hash, Direction::In, holder).await
}

/// The error for a damaged file.
pub(super) fn damaged(hash: &ContentHash) -> Error {
    let sentence = "This file is lost or damaged on the server. Upload it again, or restore it from an archive.";
    Error::new(ErrorKind::Internal, "attachment_damaged", sentence).with_detail("hash", hash.as_str())
}

/// Whether the disk cannot read this one file, which says nothing about the others.
fn is_unreadable(error: &Error) -> bool {
    if error.kind() == ErrorKind::Internal {
        return true;
    }
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.raw_os_error() == Some(EIO)) {
            return true;
        }
        cause = error.source();
    }
    false
}
