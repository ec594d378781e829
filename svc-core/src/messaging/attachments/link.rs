//! Attaching files to messages, inside the transaction that sends the message.

use std::collections::{BTreeSet, HashMap};

use svc_model::attachments::{Attachment, ContentHash};

use super::model::{Content, Name};
use super::store::{contents, links};
use crate::error::{Error, Result};
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

/// Files that may be attached; they are not removed until the message carries them.
pub(crate) struct SelectedFiles(Vec<(ContentHash, Attachment)>);

/// Selects files for a message that is about to be stored. Each was uploaded by its sender or one
/// of their agents, or is carried by a message that is visible to the sender.
pub(crate) async fn select(tx: &mut Tx, by: (ParticipantId, &Viewer), hashes: &[String]) -> Result<SelectedFiles> {
    let hashes = checked(hashes)?;
    let mut selected = Vec::with_capacity(hashes.len());
    for (index, hash) in hashes.iter().enumerate() {
        let name = links::name_for(tx, by, hash).await?.ok_or_else(|| unknown(index))?;
        selected.push((hash.clone(), name));
    }
    let locked = lock_rows(tx, &hashes).await?;
    let named = |(index, (hash, name)): (usize, (ContentHash, Name))| {
        let content = locked.get(&hash).ok_or_else(|| unknown(index))?;
        let file = content.clone().named(name);
        Ok((hash, file))
    };
    Ok(SelectedFiles(selected.into_iter().enumerate().map(named).collect::<Result<_>>()?))
}

impl SelectedFiles {
    /// Attaches the files to a message.
    pub(crate) async fn attach(self, tx: &mut Tx, message: MessageId) -> Result<Vec<Attachment>> {
        for (index, (hash, file)) in self.0.iter().enumerate() {
            let position = i64::try_from(index).unwrap_or(i64::MAX);
            links::insert(tx, message, position, hash, file).await?;
        }
        Ok(self.0.into_iter().map(|(_, file)| file).collect())
    }
}

/// The files of each of these messages; messages without files are omitted.
pub(crate) async fn of_messages(tx: &mut Tx, ids: &[MessageId]) -> Result<HashMap<MessageId, Vec<Attachment>>> {
    let mut found = HashMap::new();
    for id in ids {
        let files = links::of_message(tx, *id).await?;
        if !files.is_empty() {
            found.insert(*id, files);
        }
    }
    Ok(found)
}

fn checked(hashes: &[String]) -> Result<Vec<ContentHash>> {
    if hashes.len() > limits::ATTACHMENTS_PER_MESSAGE {
        let most = limits::ATTACHMENTS_PER_MESSAGE;
        return Err(Error::invalid("attachments", format!("must be at most {most} files")));
    }
    let mut parsed = Vec::with_capacity(hashes.len());
    for (index, hash) in hashes.iter().enumerate() {
        let hash: ContentHash = hash.parse().map_err(|_| unknown(index))?;
        if parsed.contains(&hash) {
            return Err(Error::invalid(format!("attachments[{index}]"), "is a duplicate"));
        }
        parsed.push(hash);
    }
    Ok(parsed)
}

fn unknown(index: usize) -> Error {
    Error::invalid(format!("attachments[{index}]"), "is not a file that you uploaded or can see")
}

/// Touches each row in hash order, so that two messages with the same files cannot deadlock.
async fn lock_rows(tx: &mut Tx, hashes: &[ContentHash]) -> Result<HashMap<ContentHash, Content>> {
    let mut locked = HashMap::new();
    for hash in hashes.iter().collect::<BTreeSet<_>>() {
        if let Some(content) = contents::touch(tx, hash).await? {
            locked.insert(hash.clone(), content);
        }
    }
    Ok(locked)
}
