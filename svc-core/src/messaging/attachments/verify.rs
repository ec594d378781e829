//! Files against their hashes: what is handed out is what was taken in.
//!
//! What always holds: the first byte of a file goes out after the whole of it came to its hash. A process relies
//! on that for a while, as long as the file does not change; whole files are compared on their way besides, and
//! one that turns out to be another ends with an error before its last bytes. What is lost or damaged is noted in
//! the store; what was set aside and is wanted again comes back.

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

/// How often a file is looked at that changes meanwhile.
const TRIES: usize = 3;
/// The system's number for a disk that cannot read what it holds.
const EIO: i32 = 5;

/// How a file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Sound,
    /// It is lost, or another content.
    Damaged,
}

/// Whether what was found before will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Unless it has been looked at lately and has not changed.
    IfNeeded,
    Anew,
}

/// What a process remembers of the files that it looked at.
#[derive(Debug, Default)]
pub(super) struct Found {
    by_hash: Mutex<HashMap<ContentHash, Memory>>,
}

#[derive(Debug)]
struct Memory {
    /// Which version; `None` when there was none.
    stamp: Option<BlobStamp>,
    condition: Condition,
    at: Instant,
}

impl Memory {
    fn is_fresh(&self) -> bool {
        let lasts = match self.condition {
            Condition::Sound => limits::FILE_SOUND,
            Condition::Damaged => limits::FILE_DAMAGED,
        };
        self.at.elapsed() < lasts
    }
}

impl Found {
    fn by_hash(&self) -> MutexGuard<'_, HashMap<ContentHash, Memory>> {
        self.by_hash.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn condition(&self, hash: &ContentHash, stamp: Option<&BlobStamp>) -> Option<Condition> {
        let found = self.by_hash();
        let memory = found.get(hash).filter(|memory| memory.is_fresh() && memory.stamp.as_ref() == stamp)?;
        Some(memory.condition)
    }

    fn remember(&self, hash: &ContentHash, stamp: Option<BlobStamp>, condition: Condition) {
        let mut found = self.by_hash();
        if found.len() >= limits::FILES_REMEMBERED {
            found.retain(|_, memory| memory.is_fresh());
        }
        if found.len() >= limits::FILES_REMEMBERED {
            // They are looked at again when they are asked for.
            found.clear();
        }
        found.insert(hash.clone(), Memory { stamp, condition, at: Instant::now() });
    }

    pub(super) fn forget(&self, hash: &ContentHash) {
        self.by_hash().remove(hash);
    }
}

impl Attachments {
    /// A part of a content of so many bytes, of which all came to its hash.
    pub(super) async fn read_sound(&self, hash: &ContentHash, size: u64, range: Range<u64>) -> Result<BlobStream> {
        let mut failure = None;
        for _ in 0..TRIES {
            match self.blobs.get(hash, range.clone()).await {
                Ok(blob) if self.found.condition(hash, Some(&blob.stamp)) == Some(Condition::Sound) => {
                    let whole = range == (0..size);
                    return Ok(if whole { self.compared(hash, blob.pieces) } else { blob.pieces });
                }
                Ok(_) => {}
                Err(error) => failure = Some(error),
            }
            if self.condition(hash, size, Look::IfNeeded).await? == Condition::Damaged {
                return Err(damaged(hash));
            }
        }
        Err(failure.unwrap_or_else(busy))
    }

    /// Looks whether a content of so many bytes is what its hash says, and notes it; `not_found` when it is no
    /// content of this hub.
    pub(super) async fn condition(&self, hash: &ContentHash, size: u64, look: Look) -> Result<Condition> {
        let place = self.comparing.acquire().await.map_err(|_| missing())?;
        let stamp = self.blobs.stamp(hash).await?;
        // Whoever waited for a place may find that another one has looked.
        let known = self.found.condition(hash, stamp.as_ref()).filter(|_| look == Look::IfNeeded);
        if let Some(condition) = known {
            return Ok(condition);
        }
        let (mut stamp, mut condition) = self.compare(hash, size, stamp).await?;
        if condition == Condition::Damaged && self.recover(hash).await? {
            let again = self.blobs.stamp(hash).await?;
            (stamp, condition) = self.compare(hash, size, again).await?;
        }
        if stamp.is_none() {
            // A store that is not mounted has lost no file.
            self.require_ours().await?;
        }
        self.found.remember(hash, stamp, condition);
        drop(place);
        self.note(hash, condition).await?;
        Ok(condition)
    }

    /// Reads all of it; returns which version was read.
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

    /// Puts what was set aside back in its place, where a row says that it is wanted; `false` when there is none.
    async fn recover(&self, hash: &ContentHash) -> Result<bool> {
        let unit = (hash.clone(), random_hex(self.entropy.as_ref(), 8));
        let begun = self.db.write(unit, |tx, (hash, holder)| Box::pin(begin_recovery(tx, hash, holder))).await?;
        let holder = begun.ok_or_else(busy)?;
        let back = tokio::time::timeout(limits::BLOB_TIMEOUT, self.blobs.bring_back(hash)).await;
        let unit = (hash.clone(), holder);
        self.db.write(unit, |tx, (hash, holder)| Box::pin(moves::end(tx, hash, holder))).await?;
        let back = back.unwrap_or_else(|_| Err(busy()))?;
        if back {
            tracing::info!(%hash, "a file that had been set aside is wanted again and was brought back");
        }
        Ok(back)
    }

    async fn note(&self, hash: &ContentHash, condition: Condition) -> Result<()> {
        match condition {
            Condition::Sound => {
                if self.db.read(hash.clone(), |tx, hash| Box::pin(contents::is_damaged(tx, hash))).await? {
                    self.db.write(hash.clone(), |tx, hash| Box::pin(contents::clear_damage(tx, hash))).await?;
                    tracing::info!(%hash, "a file that was damaged is sound again");
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

    /// The pieces of a whole content, the last of which goes out when they came to its hash.
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

/// A content that is compared while it goes out.
struct Comparison {
    files: Attachments,
    hash: ContentHash,
    /// `None` at the end.
    hasher: Option<Sha256>,
    held: Option<Bytes>,
}

impl Comparison {
    /// Holds a piece back and lets the one before it go.
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
        self.files.found.forget(&self.hash);
        if let Err(error) = self.files.note(&self.hash, Condition::Damaged).await {
            tracing::warn!(error = error.log_line(), "a damaged file could not be noted");
        }
        Some(Err(damaged(&self.hash)))
    }
}

async fn begin_recovery(tx: &mut Tx, hash: &ContentHash, holder: &str) -> Result<Option<String>> {
    contents::find(tx, hash).await?.ok_or_else(missing)?;
    moves::begin(tx, hash, Direction::In, holder).await
}

/// What a reader of a damaged file is told.
pub(super) fn damaged(hash: &ContentHash) -> Error {
    let sentence = "This file is lost or damaged on the server: upload it again, or have it restored from an archive.";
    Error::new(ErrorKind::Internal, "attachment_damaged", sentence).with_detail("hash", hash.as_str())
}

/// Whether the disk has lost a part of this one file, which says nothing of the others.
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
