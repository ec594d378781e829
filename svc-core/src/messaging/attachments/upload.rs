//! Uploading a file: its bytes are written to a temporary file while they are hashed, then to the
//! blob store, then the row is inserted.

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
use super::verify::{Condition, VerifyMode};
use super::{filename, temporary};
use crate::clock::random_hex;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::limits;
use crate::store::db::Tx;

/// Bytes read at once.
const PIECE: usize = 64 * 1024;
/// The first and the longest pause between attempts while another process removes the file.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(250));
/// The longest total wait for the removal.
const PATIENCE: Duration = Duration::from_mins(1);

/// A received file.
pub(super) struct Received {
    pub(super) file: TemporaryFile,
    pub(super) hash: ContentHash,
    pub(super) size: u64,
    head: Vec<u8>,
    is_text: bool,
}

impl Received {
    /// A name together with its type.
    pub(super) fn named(&self, filename: String) -> Result<Name> {
        let mime_type = self.kind(&filename)?.mime_type.to_owned();
        Ok(Name { filename, mime_type })
    }

    /// The type under this name; the error `type_not_allowed` if such files are not accepted.
    pub(super) fn kind(&self, name: &str) -> Result<Kind> {
        kind::decide(name, &self.head, self.is_text).ok_or_else(|| {
            let sentence = "This file type is not accepted. Send PNG, JPEG, GIF, WebP, AVIF, PDF, or text in UTF-8.";
            Error::new(ErrorKind::Invalid, "type_not_allowed", sentence)
        })
    }
}

/// A content to be stored.
pub(super) struct NewContent {
    pub(super) hash: ContentHash,
    pub(super) size: i64,
    pub(super) kind: Kind,
    pub(super) uploads: Vec<(ParticipantId, Name)>,
    /// `None` for a content restored from an archive.
    pub(super) quota: Option<Quota>,
}

/// The state of an upload after registration.
enum Registration {
    /// The content has a row; the upload is recorded.
    Known,
    /// The upload is registered under this holder.
    Ours(String),
    /// Another process is removing the content.
    Busy,
}

impl Attachments {
    /// Uploads a file. A content is stored once, regardless of who uploads it and how often.
    pub async fn upload<R>(&self, caller: &Caller, name: &str, content: R) -> Result<Uploaded>
    where
        R: AsyncRead + Send,
    {
        caller.require(Permission::Write)?;
        let by = caller.participant().ok_or_else(|| {
            Error::new(ErrorKind::Forbidden, "participant_required", "Only users and agents can upload files.")
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
        // From here on the upload is completed even if the client disconnects.
        let (this, file) = (self.clone(), received.file);
        let kept = tokio::spawn(async move { this.keep(Arc::new(new), &file).await });
        let kept = kept.await.map_err(|error| Error::internal(format!("an upload panicked: {error}")))?;
        kept.inspect_err(|error| self.count_rejection(error))?;
        Ok(uploaded)
    }

    /// Reads all bytes into a temporary file and hashes them.
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

    /// Stores a content unless it is present and undamaged, and records its uploads.
    pub(super) async fn keep(&self, new: Arc<NewContent>, file: &TemporaryFile) -> Result<Restored> {
        let started = Instant::now();
        let mut pause = PAUSES.0;
        let mut damaged = false;
        loop {
            let holder = random_hex(self.entropy.as_ref(), 8);
            let unit = (new.clone(), holder, damaged);
            let registration =
                self.db.write(unit, |tx, (new, holder, damaged)| Box::pin(begin(tx, new, holder, *damaged))).await?;
            match registration {
                Registration::Known if self.is_sound(&new).await? => return Ok(Restored::Present),
                Registration::Known => {
                    damaged = true;
                    continue;
                }
                Registration::Ours(holder) if self.store_blob(&new, &holder, file).await? => {
                    return Ok(Restored::Stored);
                }
                // The process that now holds the registration completes it.
                Registration::Ours(_) | Registration::Busy => damaged = false,
            }
            if started.elapsed() > PATIENCE {
                return Err(busy());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Whether the stored content is undamaged. Its row was touched, so it is not removed
    /// meanwhile.
    async fn is_sound(&self, new: &NewContent) -> Result<bool> {
        let condition = self.condition(&new.hash, new.size.unsigned_abs(), VerifyMode::IfNeeded).await;
        Ok(condition? == Condition::Sound)
    }

    /// Stores the blob, then inserts the row; `false` if the registration was lost meanwhile.
    async fn store_blob(&self, new: &Arc<NewContent>, holder: &str, file: &TemporaryFile) -> Result<bool> {
        let put = tokio::time::timeout(limits::BLOB_TIMEOUT, self.blobs.put(&new.hash, file.path())).await;
        self.verified.forget(&new.hash);
        let unit = (new.clone(), holder.to_owned());
        match put.unwrap_or_else(|_| Err(busy())) {
            Ok(()) => {
                let finished = self.db.write(unit.clone(), |tx, (new, holder)| Box::pin(finish(tx, new, holder))).await;
                if finished.is_err() {
                    // A blob without a row is removed as an orphan. If the store fails here, the
                    // registration expires by itself.
                    self.db.write(unit, |tx, (new, holder)| Box::pin(moves::end(tx, &new.hash, holder))).await.ok();
                }
                finished
            }
            Err(error) => {
                // A blob that was stored nevertheless is removed later as an orphan.
                self.db.write(unit, |tx, (new, holder)| Box::pin(moves::end(tx, &new.hash, holder))).await?;
                Err(error)
            }
        }
    }
}

/// Registers an upload. An existing row means that its blob is not being removed. A damaged content
/// is stored again nevertheless.
async fn begin(tx: &mut Tx, new: &NewContent, holder: &str, damaged: bool) -> Result<Registration> {
    quota::check_before(tx, new).await?;
    if !damaged && touched(tx, new).await? {
        return Ok(Registration::Known);
    }
    let Some(holder) = moves::begin(tx, &new.hash, Direction::In, holder).await? else { return Ok(Registration::Busy) };
    // Another upload may have finished between the two statements.
    if !damaged && touched(tx, new).await? {
        moves::end(tx, &new.hash, &holder).await?;
        return Ok(Registration::Known);
    }
    Ok(Registration::Ours(holder))
}

async fn touched(tx: &mut Tx, new: &NewContent) -> Result<bool> {
    let found = contents::touch(tx, &new.hash).await?.is_some();
    if found {
        note(tx, new).await?;
    }
    Ok(found)
}

async fn note(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let already_owned = quota::already_owned(tx, new).await?;
    for (by, name) in &new.uploads {
        contents::note_upload(tx, &new.hash, *by, name).await?;
    }
    if already_owned { Ok(()) } else { quota::check_after(tx, new).await }
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
    Error::unavailable("attachment_busy", "This file is being removed by another process. Try again soon.")
        .with_retry_after(PATIENCE)
}

fn too_large() -> Error {
    let sentence = format!("The file is too large. The maximum is {} MiB.", limits::ATTACHMENT_MAX / 1024 / 1024);
    Error::new(ErrorKind::Invalid, "too_large", sentence)
}

/// The error for a client that disconnected or sent less than announced.
fn broken_off(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Invalid, "upload_broken_off", "The upload was incomplete. Send the file again.")
        .with_source(error)
}
