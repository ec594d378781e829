//! Taking a content back from an archive, as whoever runs the server.
//!
//! What always holds: what does not come to its hash is refused; what is there and sound stays as it is;
//! a row whose blob was lost or damaged gets it back.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::attachments::{ContentHash, RestoreFacts, Restored};
use tokio::io::AsyncRead;

use super::filename;
use super::service::Attachments;
use super::store::contents;
use super::upload::NewContent;
use super::verify::{Condition, Look};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::store::db::Tx;

/// What a content without a name is called while its type is decided.
const NAMELESS: &str = "file";

#[boxed_futures]
impl Attachments {
    /// Whether a content is there, its row and its blob, and is what its hash says.
    pub async fn is_present(&self, caller: &Caller, hash: &ContentHash) -> Result<bool> {
        caller.require_root()?;
        let row = self.db.read(hash.clone(), |tx, hash| Box::pin(contents::find(tx, hash))).await?;
        let Some(row) = row else { return Ok(false) };
        let condition = self.condition(hash, row.size.unsigned_abs(), Look::IfNeeded).await;
        Ok(condition? == Condition::Sound)
    }

    /// Takes a content in that has to come to the hash it is said to have.
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
                format!("What came for {} is another content: the archive is damaged.", facts.hash),
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
        let known: Option<(ParticipantId,)> = tx
            .query("SELECT id FROM participants WHERE handle_key = $1 AND deleted_at IS NULL")
            .bind(upload.by.to_ascii_lowercase())
            .fetch_optional()
            .await?;
        found.extend(known.map(|(id,)| (id, filename::clean(&upload.filename))));
    }
    Ok(found)
}
