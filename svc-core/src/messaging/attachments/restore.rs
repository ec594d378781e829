//! Restoring a content from an archive, for operators.
//!
//! Invariants:
//! - A content that does not match its hash is rejected.
//! - A present and undamaged content stays unchanged.
//! - A row whose blob was lost or damaged gets its blob back.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::attachments::{ContentHash, RestoreFacts, Restored};
use tokio::io::AsyncRead;

use super::filename;
use super::service::Attachments;
use super::store::contents;
use super::upload::NewContent;
use super::verify::{Condition, VerifyMode};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::store::db::Tx;

/// The name used to determine the type of a content without a name.
const NAMELESS: &str = "file";

#[boxed_futures]
impl Attachments {
    /// Whether the row and the blob of a content are present and match its hash. Requires the admin
    /// socket.
    pub async fn is_present(&self, caller: &Caller, hash: &ContentHash) -> Result<bool> {
        caller.require_root()?;
        let row = self.db.read(hash.clone(), |tx, hash| Box::pin(contents::find(tx, hash))).await?;
        let Some(row) = row else { return Ok(false) };
        let condition = self.condition(hash, row.size.unsigned_abs(), VerifyMode::IfNeeded).await;
        Ok(condition? == Condition::Sound)
    }

    /// Restores a content, which must match its hash. Requires the admin socket.
    pub async fn restore<R>(&self, caller: &Caller, facts: RestoreFacts, content: R) -> Result<Restored>
    where
        R: AsyncRead + Send,
    {
        caller.require_root()?;
        let received = self.receive(content).await?;
        if received.hash != facts.hash || received.size != facts.size {
            return Err(Error::new(
                ErrorKind::Invalid,
                "content_damaged",
                format!("The content for {} does not match its hash: the archive is damaged.", facts.hash),
            ));
        }
        let name = facts.uploads.first().map_or(NAMELESS, |upload| &upload.filename);
        let kind = received.kind(&filename::clean(name))?;
        let uploads = self.db.read(facts.clone(), |tx, facts| Box::pin(known_uploaders(tx, facts))).await?;
        let named = |(by, filename)| received.named(filename).map(|name| (by, name));
        let uploads = uploads.into_iter().map(named).collect::<Result<_>>()?;
        let size = received.size.cast_signed();
        let new = Arc::new(NewContent { hash: facts.hash, size, kind, uploads, quota: None });
        self.keep(new, &received.file).await
    }
}

async fn known_uploaders(tx: &mut Tx, facts: &RestoreFacts) -> Result<Vec<(ParticipantId, String)>> {
    let mut found = Vec::new();
    for upload in &facts.uploads {
        let known = contents::uploader_named(tx, &upload.by.to_ascii_lowercase()).await?;
        found.extend(known.map(|id| (id, filename::clean(&upload.filename))));
    }
    Ok(found)
}
