//! Taking a content back from an archive, as whoever runs the server.
//!
//! What always holds: what does not come to its hash is refused; what is there stays as it is; a row
//! whose blob was lost gets it back.

use std::sync::Arc;

use tokio::io::AsyncRead;

use super::filename;
use super::hash::ContentHash;
use super::model::{RestoreFacts, Restored};
use super::service::Attachments;
use super::store::moves::Direction;
use super::store::{contents, moves};
use super::upload::{NewContent, busy};
use crate::auth::Caller;
use crate::clock::random_hex;
use crate::db::Tx;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::ParticipantId;

/// What a content without a name is called while its type is decided.
const NAMELESS: &str = "file";

impl Attachments {
    /// Whether a content is there, its row and its blob.
    pub async fn is_present(&self, caller: &Caller, hash: &ContentHash) -> Result<bool> {
        caller.require_root()?;
        let row = self.db.read(hash.clone(), |tx, hash| Box::pin(contents::find(tx, hash))).await?;
        let Some(row) = row else { return Ok(false) };
        Ok(self.blobs.size(hash).await? == Some(row.size.unsigned_abs()))
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
        let new = Arc::new(NewContent { hash: facts.hash.clone(), size, kind, uploads, quota: None });
        if self.is_present(caller, &facts.hash).await? {
            // Only who had uploaded it may be new.
            let noted = self.db.write(new.clone(), |tx, new| Box::pin(note_present(tx, new))).await?;
            if noted {
                return Ok(Restored::Present);
            }
        }
        let holder = random_hex(self.entropy.as_ref(), 8);
        let unit = (facts.hash, holder.clone());
        let begun =
            self.db.write(unit, |tx, (hash, holder)| Box::pin(moves::begin(tx, hash, Direction::In, holder))).await?;
        if begun && self.bring_in(&new, &holder, &received.file).await? {
            return Ok(Restored::Stored);
        }
        Err(busy())
    }
}

/// `false` when it went away in the meantime.
async fn note_present(tx: &mut Tx, new: &NewContent) -> Result<bool> {
    if contents::touch(tx, &new.hash).await?.is_none() {
        return Ok(false);
    }
    for (by, name) in &new.uploads {
        contents::note_upload(tx, &new.hash, *by, name).await?;
    }
    Ok(true)
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
