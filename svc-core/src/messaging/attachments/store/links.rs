//! The SQL of the links between messages and files.

use svc_model::attachments::{Attachment, ContentHash};

use crate::error::Result;
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::messaging::attachments::model::Name;
use crate::messaging::messages::viewer::{Viewer, visible_message};
use crate::store::db::Tx;

pub(super) const OF_MESSAGE: &str = "
    SELECT m.hash, m.filename, a.size, m.mime_type, a.is_image
      FROM message_attachments m
      JOIN attachments a ON a.hash = m.hash
     WHERE m.message_id = $1
     ORDER BY m.position";

pub(super) const SEEN: &str = concat!(
    "SELECT l.filename, l.mime_type
       FROM message_attachments l
       JOIN messages m ON m.id = l.message_id
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE l.hash = $5 AND ",
    visible_message!(),
    " ORDER BY l.message_id LIMIT 1"
);

pub(super) const SENDER: &str = concat!(
    "SELECT p.handle
       FROM message_attachments l
       JOIN messages m ON m.id = l.message_id
       JOIN participants p ON p.id = m.sender_id
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE l.hash = $5 AND ",
    visible_message!(),
    " ORDER BY l.message_id LIMIT 1"
);

crate::row! {
    struct LinkedFile {
        hash: String,
        filename: String,
        size: i64,
        mime_type: String,
        is_image: bool,
    }
}

pub(crate) async fn insert(
    tx: &mut Tx,
    message: MessageId,
    position: i64,
    hash: &ContentHash,
    file: &Attachment,
) -> Result<()> {
    tx.query(
        "INSERT INTO message_attachments (message_id, position, hash, filename, mime_type)
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(message)
    .bind(position)
    .bind(hash.as_str())
    .bind(file.filename.as_str())
    .bind(file.mime_type.as_str())
    .execute()
    .await?;
    Ok(())
}

/// The files of a message, in the order of attachment.
pub(crate) async fn of_message(tx: &mut Tx, message: MessageId) -> Result<Vec<Attachment>> {
    let files: Vec<LinkedFile> = tx.query(OF_MESSAGE).bind(message).fetch_all().await?;
    Ok(files
        .into_iter()
        .map(|LinkedFile { hash, filename, size, mime_type, is_image }| Attachment {
            hash,
            filename,
            size,
            mime_type,
            is_image,
        })
        .collect())
}

/// The file name in the first visible message that carries the content.
pub(crate) async fn seen_name(tx: &mut Tx, viewer: &Viewer, hash: &ContentHash) -> Result<Option<Name>> {
    viewer.bind(tx.query(SEEN)).bind(hash.as_str()).fetch_optional().await
}

/// The file name of the participant's own upload, otherwise of one of their agents', otherwise in a
/// visible message. A key that is limited to channels can use an upload only while no message
/// carries it.
pub(crate) async fn name_for(
    tx: &mut Tx,
    (participant, viewer): (ParticipantId, &Viewer),
    hash: &ContentHash,
) -> Result<Option<Name>> {
    // A participant that is not human has no agents, and a limited key has no access to its
    // owner's.
    let agents_of = (!viewer.is_limited()).then_some(UserId(participant.0));
    let upload = super::contents::upload_of(tx, hash, participant, agents_of).await?;
    if upload.is_some() && (!viewer.is_limited() || any_name(tx, hash).await?.is_none()) {
        return Ok(upload);
    }
    seen_name(tx, viewer, hash).await
}

/// The handle of the participant who provided a content: the uploader if [`name_for`] uses an
/// upload, otherwise the sender of the message.
pub(crate) async fn author_for(
    tx: &mut Tx,
    (participant, viewer): (ParticipantId, &Viewer),
    hash: &ContentHash,
) -> Result<Option<String>> {
    let agents_of = (!viewer.is_limited()).then_some(UserId(participant.0));
    let uploader = super::contents::uploader_of(tx, hash, participant, agents_of).await?;
    if uploader.is_some() && (!viewer.is_limited() || any_name(tx, hash).await?.is_none()) {
        return Ok(uploader);
    }
    let sender: Option<(String,)> = viewer.bind(tx.query(SENDER)).bind(hash.as_str()).fetch_optional().await?;
    Ok(sender.map(|(handle,)| handle))
}

/// The file name in any message that carries the content.
pub(crate) async fn any_name(tx: &mut Tx, hash: &ContentHash) -> Result<Option<Name>> {
    tx.query("SELECT filename, mime_type FROM message_attachments WHERE hash = $1 ORDER BY message_id LIMIT 1")
        .bind(hash.as_str())
        .fetch_optional()
        .await
}
