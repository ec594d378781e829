//! The SQL of contents and their uploads.

use svc_model::attachments::{ContentHash, UploadFact};

use crate::error::Result;
use crate::ids::{ParticipantId, UserId};
use crate::messaging::attachments::model::{Content, Name};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A content with its times and number of uses.
    #[derive(Debug, Clone)]
    pub(crate) struct ListedContent {
        pub(crate) hash: String,
        pub(crate) size: i64,
        pub(crate) mime_type: String,
        pub(crate) is_image: bool,
        pub(crate) messages: i64,
        pub(crate) created_at: Timestamp,
        pub(crate) touched_at: Timestamp,
    }
}

crate::row! {
    /// A content that was not touched for a while.
    #[derive(Debug, Clone)]
    pub(crate) struct IdleContent {
        pub(crate) hash: String,
        pub(crate) size: i64,
        pub(crate) touched_at: Timestamp,
        pub(crate) linked: bool,
    }
}

pub(super) const NEWEST: &str = "
    SELECT a.hash, a.size, a.mime_type, a.is_image,
           (SELECT count(*) FROM message_attachments m WHERE m.hash = a.hash) AS messages, a.created_at, a.touched_at
      FROM attachments a
     ORDER BY a.touched_at DESC, a.hash
     LIMIT $1 OFFSET $2";

pub(super) const BY_HASH: &str = "
    SELECT a.hash, a.size, a.mime_type, a.is_image,
           (SELECT count(*) FROM message_attachments m WHERE m.hash = a.hash) AS messages, a.created_at, a.touched_at
      FROM attachments a
     WHERE a.hash > $1
     ORDER BY a.hash
     LIMIT $2";

pub(super) const DAMAGED: &str = "SELECT count(*) FROM attachments WHERE damaged_at IS NOT NULL";

pub(super) const IDLE: &str = "
    SELECT a.hash, a.size, a.touched_at,
           EXISTS (SELECT 1 FROM message_attachments m WHERE m.hash = a.hash) AS linked
      FROM attachments a
     WHERE a.touched_at < $1 AND a.touched_at >= $2 AND (a.touched_at > $2 OR a.hash > $3)
     ORDER BY a.touched_at, a.hash
     LIMIT $4";

pub(super) const IDLE_OF: &str = "
    SELECT a.hash, a.size, a.touched_at,
           EXISTS (SELECT 1 FROM message_attachments m WHERE m.hash = a.hash) AS linked
      FROM attachment_uploads u
      JOIN attachments a ON a.hash = u.hash
     WHERE u.participant_id = $1 AND u.hash > $3 AND a.touched_at < $2
     ORDER BY u.hash
     LIMIT $4";

pub(super) const UPLOAD_OF: &str = "
    SELECT u.filename, u.mime_type
      FROM attachment_uploads u
     WHERE u.hash = $1
       AND (u.participant_id = $2 OR u.participant_id IN (SELECT g.id FROM agents g WHERE g.owner_id = $3))
     ORDER BY u.created_at, u.participant_id
     LIMIT 1";

pub(super) const UPLOADER: &str = "
    SELECT p.handle
      FROM attachment_uploads u
      JOIN participants p ON p.id = u.participant_id
     WHERE u.hash = $1
       AND (u.participant_id = $2 OR u.participant_id IN (SELECT g.id FROM agents g WHERE g.owner_id = $3))
     ORDER BY u.created_at, u.participant_id
     LIMIT 1";

const FIRST_UPLOAD: &str = "
    SELECT u.filename, u.mime_type
      FROM attachment_uploads u
     WHERE u.hash = $1
     ORDER BY u.created_at, u.participant_id
     LIMIT 1";

pub(super) const UPLOADS: &str = "
    SELECT p.handle AS by, u.filename
      FROM attachment_uploads u
      JOIN participants p ON p.id = u.participant_id
     WHERE u.hash = $1
     ORDER BY u.created_at, u.participant_id";

pub(crate) async fn find(tx: &mut Tx, hash: &ContentHash) -> Result<Option<Content>> {
    tx.query("SELECT hash, size, mime_type, is_image FROM attachments WHERE hash = $1")
        .bind(hash.as_str())
        .fetch_optional()
        .await
}

/// Locks the row and updates its touch time; `None` if there is none.
pub(crate) async fn touch(tx: &mut Tx, hash: &ContentHash) -> Result<Option<Content>> {
    let now = tx.now();
    tx.query(
        "UPDATE attachments SET touched_at = $2 WHERE hash = $1
         RETURNING hash, size, mime_type, is_image",
    )
    .bind(hash.as_str())
    .bind(now)
    .fetch_optional()
    .await
}

pub(crate) async fn insert(tx: &mut Tx, hash: &ContentHash, size: i64, mime_type: &str, is_image: bool) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO attachments (hash, size, mime_type, is_image, created_at, touched_at)
         VALUES ($1, $2, $3, $4, $5, $5)
         ON CONFLICT (hash) DO UPDATE SET touched_at = $5, damaged_at = NULL",
    )
    .bind(hash.as_str())
    .bind(size)
    .bind(mime_type)
    .bind(is_image)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Records that a content is lost or does not match its hash; `false` if it has no row.
pub(crate) async fn note_damage(tx: &mut Tx, hash: &ContentHash) -> Result<bool> {
    let now = tx.now();
    let noted = tx
        .query("UPDATE attachments SET damaged_at = coalesce(damaged_at, $2) WHERE hash = $1")
        .bind(hash.as_str())
        .bind(now)
        .execute()
        .await?;
    Ok(noted == 1)
}

/// Whether a content is recorded as damaged.
pub(crate) async fn is_damaged(tx: &mut Tx, hash: &ContentHash) -> Result<bool> {
    let found: Option<(String,)> = tx
        .query("SELECT hash FROM attachments WHERE hash = $1 AND damaged_at IS NOT NULL")
        .bind(hash.as_str())
        .fetch_optional()
        .await?;
    Ok(found.is_some())
}

/// Records that a content is intact again.
pub(crate) async fn clear_damage(tx: &mut Tx, hash: &ContentHash) -> Result<()> {
    tx.query("UPDATE attachments SET damaged_at = NULL WHERE hash = $1 AND damaged_at IS NOT NULL")
        .bind(hash.as_str())
        .execute()
        .await?;
    Ok(())
}

/// The number of contents recorded as damaged.
pub(crate) async fn count_damaged(tx: &mut Tx) -> Result<i64> {
    tx.query(DAMAGED).fetch_value().await
}

/// Records an upload; the newest name replaces earlier ones.
pub(crate) async fn note_upload(tx: &mut Tx, hash: &ContentHash, by: ParticipantId, name: &Name) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO attachment_uploads (hash, participant_id, filename, mime_type, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (hash, participant_id) DO UPDATE SET filename = $3, mime_type = $4",
    )
    .bind(hash.as_str())
    .bind(by)
    .bind(name.filename.as_str())
    .bind(name.mime_type.as_str())
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The file name of an upload by a participant or one of their agents.
pub(crate) async fn upload_of(
    tx: &mut Tx,
    hash: &ContentHash,
    participant: ParticipantId,
    agents_of: Option<UserId>,
) -> Result<Option<Name>> {
    tx.query(UPLOAD_OF).bind(hash.as_str()).bind(participant).bind(agents_of).fetch_optional().await
}

/// The handle of the uploader: a participant, or one of their agents.
pub(crate) async fn uploader_of(
    tx: &mut Tx,
    hash: &ContentHash,
    by: ParticipantId,
    agents_of: Option<UserId>,
) -> Result<Option<String>> {
    let query = tx.query(UPLOADER).bind(hash.as_str()).bind(by).bind(agents_of);
    let found: Option<(String,)> = query.fetch_optional().await?;
    Ok(found.map(|(handle,)| handle))
}

/// The name of the first upload.
pub(crate) async fn first_upload(tx: &mut Tx, hash: &ContentHash) -> Result<Option<Name>> {
    tx.query(FIRST_UPLOAD).bind(hash.as_str()).fetch_optional().await
}

pub(crate) async fn uploads(tx: &mut Tx, hash: &ContentHash) -> Result<Vec<UploadFact>> {
    tx.query(UPLOADS).bind(hash.as_str()).fetch_all().await
}

/// Whether a participant outside of this list uploaded it.
pub(crate) async fn is_shared(tx: &mut Tx, hash: &ContentHash, with: &[ParticipantId]) -> Result<bool> {
    let uploaders: Vec<(ParticipantId,)> = tx
        .query("SELECT participant_id FROM attachment_uploads WHERE hash = $1")
        .bind(hash.as_str())
        .fetch_all()
        .await?;
    Ok(uploaders.iter().any(|(uploader,)| !with.contains(uploader)))
}

pub(crate) async fn newest(tx: &mut Tx, limit: i64, offset: i64) -> Result<Vec<ListedContent>> {
    tx.query(NEWEST).bind(limit).bind(offset).fetch_all().await
}

pub(crate) async fn by_hash(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<ListedContent>> {
    tx.query(BY_HASH).bind(after).bind(limit).fetch_all().await
}

/// The number of contents and their total size in bytes.
pub(crate) async fn totals(tx: &mut Tx) -> Result<(i64, i64)> {
    tx.query("SELECT count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM attachments").fetch_one().await
}

/// Contents not touched since `before`, the longest idle first.
pub(crate) async fn idle(
    tx: &mut Tx,
    before: Timestamp,
    after: &(Timestamp, String),
    limit: u32,
) -> Result<Vec<IdleContent>> {
    tx.query(IDLE).bind(before).bind(after.0).bind(after.1.as_str()).bind(limit).fetch_all().await
}

/// Contents uploaded by one participant and not touched since `before`, ordered by hash.
pub(crate) async fn idle_of(
    tx: &mut Tx,
    participant: ParticipantId,
    before: Timestamp,
    after: &str,
    limit: u32,
) -> Result<Vec<IdleContent>> {
    tx.query(IDLE_OF).bind(participant).bind(before).bind(after).bind(limit).fetch_all().await
}

/// Removes an unreferenced row that was not touched since `before`. A concurrent link or upload
/// touches it first, and then it stays.
pub(crate) async fn remove_idle(tx: &mut Tx, hash: &ContentHash, before: Timestamp) -> Result<bool> {
    let removed = tx
        .query(
            "DELETE FROM attachments
              WHERE hash = $1 AND touched_at < $2
                AND NOT EXISTS (SELECT 1 FROM message_attachments m WHERE m.hash = attachments.hash)",
        )
        .bind(hash.as_str())
        .bind(before)
        .execute()
        .await?;
    Ok(removed == 1)
}

/// The participant with this lowercase handle, who uploads a content.
pub(in crate::messaging::attachments) async fn uploader_named(
    tx: &mut Tx,
    handle_key: &str,
) -> Result<Option<ParticipantId>> {
    let found: Option<(ParticipantId,)> = tx
        .query("SELECT id FROM participants WHERE handle_key = $1 AND deleted_at IS NULL")
        .bind(handle_key)
        .fetch_optional()
        .await?;
    Ok(found.map(|(id,)| id))
}
