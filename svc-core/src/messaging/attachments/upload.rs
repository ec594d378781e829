//! Taking a file in: its bytes go to a temporary file while they are hashed, then to the blob store,
//! then the row is written.

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use sha2::{Digest, Sha256};
use svc_model::attachments::{Attachment, ContentHash, Restored, Uploaded};
use svc_model::auth::Permission;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::kind::{self, Kind, TextCheck};
use super::model::Name;
use super::quota::{self, Quota};
use super::service::Attachments;
use super::store::moves::Direction;
use super::store::{contents, moves};
use super::temporary::{TemporaryFile, cannot_keep};
use super::verify::{Condition, Look};
use super::{filename, temporary};
use crate::clock::random_hex;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::limits;
use crate::store::db::Tx;

/// How much is read at once.
const PIECE: usize = 64 * 1024;
/// The first and the longest pause before somebody who removes the file is asked about again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(250));
/// How long to wait for them in all.
const PATIENCE: Duration = Duration::from_mins(1);

/// A file that has arrived.
pub(super) struct Received {
    pub(super) file: TemporaryFile,
    pub(super) hash: ContentHash,
    pub(super) size: u64,
    head: Vec<u8>,
    is_text: bool,
}

impl Received {
    /// A name with what it is under it.
    pub(super) fn named(&self, filename: String) -> Result<Name> {
        let mime_type = self.kind(&filename)?.mime_type.to_owned();
        Ok(Name { filename, mime_type })
    }

    /// What it is under this name; 415 when such files are not taken.
    pub(super) fn kind(&self, name: &str) -> Result<Kind> {
        kind::decide(name, &self.head, self.is_text).ok_or_else(|| {
            let sentence = "Files of this type are not taken: send PNG, JPEG, GIF, WebP, AVIF, PDF, or text in UTF-8.";
            Error::new(ErrorKind::Invalid, "type_not_allowed", sentence)
        })
    }
}

/// A content on its way to the store.
pub(super) struct NewContent {
    pub(super) hash: ContentHash,
    pub(super) size: i64,
    pub(super) kind: Kind,
    pub(super) uploads: Vec<(ParticipantId, Name)>,
    /// None when it comes from an archive.
    pub(super) quota: Option<Quota>,
}

/// How far a content is.
enum Begun {
    /// There is a row of it; the upload is noted.
    Known,
    /// We are registered under this name.
    Ours(String),
    /// Somebody is removing it.
    Busy,
}

impl Attachments {
    /// Takes a file in. The same content is stored once, whoever sends it how often.
    pub async fn upload<R>(&self, caller: &Caller, name: &str, content: R) -> Result<Uploaded>
    where
        R: AsyncRead + Send,
    {
        caller.require(Permission::Write)?;
        let by = caller.participant().ok_or_else(|| {
            Error::new(ErrorKind::Forbidden, "participant_required", "A file is uploaded by a user or an agent.")
        })?;
        let received = self.receive(content).await?;
        let filename = filename::clean(name);
        let kind = received.kind(&filename)?;
        let uploaded = Attachment {
            hash: received.hash.to_string(),
            filename: filename.clone(),
            size: received.size.cast_signed(),
            mime_type: kind.mime_type.to_owned(),
            is_image: kind.is_image,
        };
        let uploads = vec![(by, Name { filename, mime_type: kind.mime_type.to_owned() })];
        let quota = caller.owner().zip(self.file_quota).map(|(owner, limit)| Quota { owner, limit });
        let new = NewContent { hash: received.hash, size: received.size.cast_signed(), kind, uploads, quota };
        // From here on it is brought to its end, whether or not the client still listens.
        let (this, file) = (self.clone(), received.file);
        let kept = tokio::spawn(async move { this.keep(Arc::new(new), &file).await });
        let kept = kept.await.map_err(|error| Error::internal(format!("an upload panicked: {error}")))?;
        kept.inspect_err(|error| self.note_refusal(error))?;
        Ok(uploaded)
    }

    /// Reads to the end into a temporary file, hashing on the way.
    pub(super) async fn receive<R: AsyncRead + Send>(&self, content: R) -> Result<Received> {
        let mut content = std::pin::pin!(content);
        let file = self.uploads.create(self.entropy.as_ref()).await?;
        let mut writer = file.writer()?;
        let (mut hasher, mut text, mut head, mut size) = (Sha256::new(), TextCheck::new(), Vec::new(), 0_u64);
        let mut piece = BytesMut::with_capacity(PIECE);
        loop {
            piece.clear();
            let read = content.read_buf(&mut piece).await.map_err(broken_off)?;
            if read == 0 {
                break;
            }
            size += read as u64;
            if size > limits::ATTACHMENT_MAX {
                return Err(too_large());
            }
            hasher.update(&piece);
            text.take(&piece);
            head.extend_from_slice(&piece[..read.min(kind::HEAD - head.len())]);
            writer.write_all(&piece).await.map_err(cannot_keep)?;
        }
        writer.flush().await.map_err(temporary::cannot_keep)?;
        if size == 0 {
            return Err(Error::invalid("file", "must not be empty"));
        }
        Ok(Received { file, hash: ContentHash::from_digest(hasher.finalize()), size, head, is_text: text.finish() })
    }

    /// Stores a content unless it is there and sound, and notes who uploaded it.
    pub(super) async fn keep(&self, new: Arc<NewContent>, file: &TemporaryFile) -> Result<Restored> {
        let started = Instant::now();
        let mut pause = PAUSES.0;
        let mut damaged = false;
        loop {
            let holder = random_hex(self.entropy.as_ref(), 8);
            let unit = (new.clone(), holder, damaged);
            let begun =
                self.db.write(unit, |tx, (new, holder, damaged)| Box::pin(begin(tx, new, holder, *damaged))).await?;
            match begun {
                Begun::Known if self.is_sound(&new).await? => return Ok(Restored::Present),
                Begun::Known => {
                    damaged = true;
                    continue;
                }
                Begun::Ours(holder) if self.bring_in(&new, &holder, file).await? => return Ok(Restored::Stored),
                // Whoever has the move now brings it to an end.
                Begun::Ours(_) | Begun::Busy => damaged = false,
            }
            if started.elapsed() > PATIENCE {
                return Err(busy());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Whether what is there is the content. Its row was touched, so nobody removes it meanwhile.
    async fn is_sound(&self, new: &NewContent) -> Result<bool> {
        let look = self.condition(&new.hash, new.size.unsigned_abs(), Look::IfNeeded).await;
        Ok(look? == Condition::Sound)
    }

    /// Puts the blob, then writes the row; `false` when the move was lost meanwhile.
    async fn bring_in(&self, new: &Arc<NewContent>, holder: &str, file: &TemporaryFile) -> Result<bool> {
        let put = tokio::time::timeout(limits::BLOB_TIMEOUT, self.blobs.put(&new.hash, file.path())).await;
        self.found.forget(&new.hash);
        let unit = (new.clone(), holder.to_owned());
        match put.unwrap_or_else(|_| Err(busy())) {
            Ok(()) => {
                let finished = self.db.write(unit.clone(), |tx, (new, holder)| Box::pin(finish(tx, new, holder))).await;
                if finished.is_err() {
                    // What has no row is removed as an orphan. Where the store is in trouble, the move ends by
                    // itself, later.
                    self.db.write(unit, |tx, (new, holder)| Box::pin(moves::end(tx, &new.hash, holder))).await.ok();
                }
                finished
            }
            Err(error) => {
                // A blob that got there after all is removed when its time comes.
                self.db.write(unit, |tx, (new, holder)| Box::pin(moves::end(tx, &new.hash, holder))).await?;
                Err(error)
            }
        }
    }
}

/// A row means that nobody is removing its blob. One that is damaged is stored again nevertheless.
async fn begin(tx: &mut Tx, new: &NewContent, holder: &str, damaged: bool) -> Result<Begun> {
    quota::check_before(tx, new).await?;
    if !damaged && touched(tx, new).await? {
        return Ok(Begun::Known);
    }
    let Some(holder) = moves::begin(tx, &new.hash, Direction::In, holder).await? else { return Ok(Begun::Busy) };
    // Another one may have come to its end between the two statements.
    if !damaged && touched(tx, new).await? {
        moves::end(tx, &new.hash, &holder).await?;
        return Ok(Begun::Known);
    }
    Ok(Begun::Ours(holder))
}

async fn touched(tx: &mut Tx, new: &NewContent) -> Result<bool> {
    let found = contents::touch(tx, &new.hash).await?.is_some();
    if found {
        note(tx, new).await?;
    }
    Ok(found)
}

async fn note(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let is_had = quota::is_had(tx, new).await?;
    for (by, name) in &new.uploads {
        contents::note_upload(tx, &new.hash, *by, name).await?;
    }
    if is_had { Ok(()) } else { quota::check_after(tx, new).await }
}

async fn finish(tx: &mut Tx, new: &NewContent, holder: &str) -> Result<bool> {
    if !moves::end(tx, &new.hash, holder).await? {
        return Ok(false);
    }
    contents::insert(tx, &new.hash, new.size, new.kind.mime_type, new.kind.is_image).await?;
    note(tx, new).await?;
    Ok(true)
}

pub(super) fn busy() -> Error {
    Error::unavailable("attachment_busy", "This file is being removed by another process: try again soon.")
        .with_retry_after(PATIENCE)
}

fn too_large() -> Error {
    let sentence = format!("The file is too large: at most {} MiB are taken.", limits::ATTACHMENT_MAX / 1024 / 1024);
    Error::new(ErrorKind::Invalid, "too_large", sentence)
}

/// The client went away, or sent less than it had announced.
fn broken_off(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Invalid, "upload_broken_off", "The file did not arrive whole: send it again.")
        .with_source(error)
}
