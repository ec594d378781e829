//! `attachments.*`: attachments of messages. An archive of them is written and read by the command, and their content
//! passes through the socket in pieces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use svc_core::attachments::{AttachmentPage, Collected, ContentHash, RestoreFacts, Restored};
use svc_core::{Error, Result, limits};

use super::{Method, Paged, Server, root};

/// Size of a piece on the socket: it must fit into a line of a request.
pub const PIECE: u64 = 512 * 1024;

/// Lists attachments.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// Sorted by hash, only those after this one; from the beginning when it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Method for List {
    const NAME: &'static str = "attachments.list";
    const ABOUT: &'static str = "List attachments, the latest used first, or by hash.";
    type Params = ListParams;
    type Answer = AttachmentPage;

    async fn run(server: &Server, params: ListParams) -> Result<AttachmentPage> {
        let page = Paged { limit: params.limit, offset: params.offset }.page()?;
        let attachments = server.hub.attachments();
        let Some(after) = params.after else {
            return attachments.list(&root(), page).await;
        };
        let after = if after.is_empty() {
            None
        } else {
            let refuse = |_| Error::invalid("after", "must be a SHA-256 hash of 64 lower-case hexadecimal digits");
            Some(after.parse::<ContentHash>().map_err(refuse)?)
        };
        attachments.list_after(&root(), after, svc_core::page::checked_limit(params.limit)?).await
    }
}

/// Removes unreferenced attachments.
pub struct Gc;

/// Parameters of [`Gc`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GcParams {
    /// Whether to remove all of them, however many there are.
    #[serde(default)]
    pub force: bool,
}

impl Method for Gc {
    const NAME: &'static str = "attachments.gc";
    const ABOUT: &'static str = "Remove attachments that were unreferenced for a day.";
    type Params = GcParams;
    type Answer = Collected;

    async fn run(server: &Server, params: GcParams) -> Result<Collected> {
        let attachments = server.hub.attachments();
        if params.force { attachments.gc_all(&root()).await } else { attachments.gc(&root()).await }
    }
}

/// Bytes encoded as base64 in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Piece(pub Vec<u8>);

impl TryFrom<String> for Piece {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, base64::DecodeError> {
        STANDARD.decode(text).map(Self)
    }
}

impl From<Piece> for String {
    fn from(piece: Piece) -> Self {
        STANDARD.encode(piece.0)
    }
}

/// Reads a piece of an attachment for an archive.
pub struct Backup;

/// Parameters of [`Backup`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupParams {
    /// Hash of the attachment.
    pub hash: String,
    /// Offset of the piece.
    pub offset: u64,
}

/// A piece of an attachment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BackupPiece {
    /// Total size of the attachment in bytes.
    pub size: u64,
    /// The piece, which is empty past the end.
    pub content: Piece,
}

impl Method for Backup {
    const NAME: &'static str = "attachments.backup";
    const ABOUT: &'static str = "Read a piece of an attachment, for a command that writes an archive.";
    type Params = BackupParams;
    type Answer = BackupPiece;

    async fn run(server: &Server, params: BackupParams) -> Result<BackupPiece> {
        let file = server.hub.attachments().open_file(&root(), &params.hash).await?;
        let size = file.size();
        let start = params.offset.min(size);
        let mut pieces = file.read(start..size.min(start.saturating_add(PIECE))).await?;
        let mut content = Vec::new();
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        Ok(BackupPiece { size, content: Piece(content) })
    }
}

/// Restores an attachment from an archive, step by step.
pub struct Restore;

/// One step of a restore.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RestoreParams {
    /// Begins with the metadata of the attachment.
    Begin(RestoreFacts),
    /// Continues with the next bytes.
    Piece {
        /// Id of the restore, returned by `Begin`.
        restore: String,
        /// The bytes.
        content: Piece,
    },
    /// Ends the restore.
    End {
        /// Id of the restore, returned by `Begin`.
        restore: String,
    },
}

/// Result of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoreStep {
    /// More steps are expected, with this id.
    Going(String),
    /// The restore has ended.
    Ended(Restored),
}

impl Method for Restore {
    const NAME: &'static str = "attachments.restore";
    const ABOUT: &'static str = "Restore an attachment piece by piece, for a command that reads an archive.";
    type Params = RestoreParams;
    type Answer = RestoreStep;

    async fn run(server: &Server, params: RestoreParams) -> Result<RestoreStep> {
        match params {
            RestoreParams::Begin(facts) => begin(server, facts).await,
            RestoreParams::Piece { restore, content } => {
                server.restores.write(&restore, &content.0).await?;
                Ok(RestoreStep::Going(restore))
            }
            RestoreParams::End { restore } => Ok(RestoreStep::Ended(server.restores.end(&restore).await?)),
        }
    }
}

async fn begin(server: &Server, facts: RestoreFacts) -> Result<RestoreStep> {
    if !(1..=limits::ATTACHMENT_MAX).contains(&facts.size) {
        return Err(Error::invalid("size", format!("must be 1 to {}", limits::ATTACHMENT_MAX)));
    }
    let attachments = server.hub.attachments();
    if attachments.is_present(&root(), &facts.hash).await? {
        return Ok(RestoreStep::Ended(Restored::Present));
    }
    let attachments = attachments.clone();
    let task = async move |content| attachments.restore(&root(), facts, content).await;
    Ok(RestoreStep::Going(server.restores.begin(task)?))
}
