//! Reading files, and the access rules for it.

use svc_macros::boxed_futures;
use svc_model::attachments::{Attachment, AttachmentPage, ContentHash, StoredAttachment};
use svc_model::auth::Permission;

use super::model::{Content, Download, Name};
use super::service::Attachments;
use super::store::contents::{self, ListedContent};
use super::store::links;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::viewer::Viewer;
use crate::page::Page;
use crate::store::db::Tx;

#[boxed_futures]
impl Attachments {
    /// The description of a file.
    pub async fn meta(&self, caller: &Caller, hash: &str) -> Result<Attachment> {
        caller.require(Permission::Read)?;
        let hash = known(hash)?;
        self.db.read((caller.clone(), hash), |tx, (caller, hash)| Box::pin(readable(tx, caller, hash))).await
    }

    /// Opens a file for reading, whole or in part.
    pub async fn open_file(&self, caller: &Caller, hash: &str) -> Result<Download> {
        let attachment = self.meta(caller, hash).await?;
        Ok(Download { hash: known(&attachment.hash)?, attachment, files: self.clone() })
    }

    /// The handle of the participant from whom the caller has a file: its uploader if that is the
    /// caller or one of their agents, otherwise the sender of the message that carries it.
    pub async fn author(&self, caller: &Caller, hash: &str) -> Result<Option<String>> {
        caller.require(Permission::Read)?;
        let hash = known(hash)?;
        let Some(participant) = caller.participant() else { return Ok(None) };
        self.db
            .read((participant, Viewer::of(caller), hash), |tx, (participant, viewer, hash)| {
                Box::pin(links::author_for(tx, (*participant, viewer), hash))
            })
            .await
    }

    /// All contents, the latest touched first. Requires the admin socket.
    pub async fn list(&self, caller: &Caller, page: Page) -> Result<AttachmentPage> {
        caller.require_root()?;
        self.db
            .read(page, |tx, page| {
                Box::pin(async move {
                    let found = contents::newest(tx, page.limit(), page.offset()).await?;
                    page_of(tx, found).await
                })
            })
            .await
    }

    /// The contents after this hash, ordered by hash. Requires the admin socket.
    pub async fn list_after(&self, caller: &Caller, after: Option<ContentHash>, limit: u32) -> Result<AttachmentPage> {
        caller.require_root()?;
        self.db
            .read((after, limit), |tx, (after, limit)| {
                Box::pin(async move {
                    let after = after.as_ref().map_or("", ContentHash::as_str);
                    let found = contents::by_hash(tx, after, i64::from(*limit)).await?;
                    page_of(tx, found).await
                })
            })
            .await
    }
}

/// Parses a hash; an invalid one is not found.
pub(super) fn known(hash: &str) -> Result<ContentHash> {
    hash.parse().map_err(|_| missing())
}

pub(super) fn missing() -> Error {
    Error::not_found("attachment")
}

/// A file under the name that the caller knows it by; `not_found` if it is not readable by them.
async fn readable(tx: &mut Tx, caller: &Caller, hash: &ContentHash) -> Result<Attachment> {
    let content: Content = contents::find(tx, hash).await?.ok_or_else(missing)?;
    let name = name_for(tx, caller, &content, hash).await?.ok_or_else(missing)?;
    Ok(content.named(name))
}

/// The name of the caller's own upload, otherwise of one of their agents', otherwise in a visible
/// message.
async fn name_for(tx: &mut Tx, caller: &Caller, content: &Content, hash: &ContentHash) -> Result<Option<Name>> {
    let Some(participant) = caller.participant() else {
        return name_for_root(tx, content, hash).await.map(Some);
    };
    links::name_for(tx, (participant, &Viewer::of(caller)), hash).await
}

async fn name_for_root(tx: &mut Tx, content: &Content, hash: &ContentHash) -> Result<Name> {
    if let Some(name) = contents::first_upload(tx, hash).await? {
        return Ok(name);
    }
    let nameless = || Name { filename: hash.to_string(), mime_type: content.mime_type.clone() };
    Ok(links::any_name(tx, hash).await?.unwrap_or_else(nameless))
}

async fn page_of(tx: &mut Tx, found: Vec<ListedContent>) -> Result<AttachmentPage> {
    let (total, bytes) = contents::totals(tx).await?;
    let mut attachments = Vec::with_capacity(found.len());
    for content in found {
        let uploads = contents::uploads(tx, &known(&content.hash)?).await?;
        attachments.push(StoredAttachment {
            hash: content.hash,
            size: content.size.unsigned_abs(),
            mime_type: content.mime_type,
            is_image: content.is_image,
            messages: content.messages.unsigned_abs(),
            uploads,
            created_at: content.created_at,
            touched_at: content.touched_at,
        });
    }
    Ok(AttachmentPage { attachments, total, bytes: bytes.unsigned_abs() })
}
