//! The handle of saved messages.

use std::collections::HashMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::saved::{SaveMessage, SavedFilter, SavedMessage, SavedPage};

use super::store::{self, SavedRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::identity::users;
use crate::ids::{MessageId, SavedMessageId, UserId};
use crate::limits;
use crate::messaging::messages::lifecycle::message_deleted;
use crate::messaging::messages::store as messages;
use crate::messaging::messages::viewer::Viewer;
use crate::names::line;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};

/// Saved messages of a hub; see [`Hub::saved`](crate::Hub::saved).
#[derive(Clone)]
pub struct SavedMessages {
    db: Db,
}

/// What becomes of the note.
#[derive(Debug, Clone)]
enum Note {
    /// It stays as it is.
    Kept,
    /// It is replaced, or removed.
    Set(Option<String>),
}

struct Request {
    user: UserId,
    viewer: Viewer,
    message: MessageId,
    note: Note,
}

#[boxed_futures]
impl SavedMessages {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Saves a message for the human who calls. One that is saved keeps its place, and gets the note if there is one.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    /// use svc_core::saved::{SaveMessage, SavedFilter};
    ///
    /// let sent = hub.messages().send(&ann, NewMessage::in_channel("general", "The report is ready.")).await?;
    /// hub.saved().save(&ann, sent.id, SaveMessage { note: Some("Read on Monday".into()) }).await?;
    /// assert_eq!(hub.saved().list(&ann, SavedFilter::default()).await?.saved.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn save(&self, caller: &Caller, message: MessageId, save: SaveMessage) -> Result<SavedMessage> {
        caller.require(Permission::Write)?;
        let request = Request { user: human(caller)?, viewer: Viewer::of(caller), message, note: note(save)? };
        self.db.write(request, |tx, request| Box::pin(keep(tx, request))).await
    }

    /// Removes a message from the saved ones of the human who calls, if it is among them.
    pub async fn remove(&self, caller: &Caller, message: MessageId) -> Result<()> {
        caller.require(Permission::Write)?;
        self.db
            .write((human(caller)?, message), |tx, (user, message)| Box::pin(store::remove(tx, *user, *message)))
            .await
    }

    /// The messages that the human who calls has saved and still sees, the newest first.
    pub async fn list(&self, caller: &Caller, filter: SavedFilter) -> Result<SavedPage> {
        caller.require(Permission::Read)?;
        let (user, limit) = (human(caller)?, checked_limit(filter.limit)?);
        let before = filter.before.unwrap_or(SavedMessageId(i64::MAX));
        self.db
            .read((Viewer::of(caller), user, before, limit), |tx, (viewer, user, before, limit)| {
                Box::pin(async move {
                    let mut rows = store::list(tx, viewer, *user, *before, limit + 1).await?;
                    let has_more = rows.len() > *limit as usize;
                    rows.truncate(*limit as usize);
                    Ok(SavedPage { saved: shown(tx, viewer, rows).await?, has_more })
                })
            })
            .await
    }
}

/// The human who calls. Agents and the admin socket save nothing.
fn human(caller: &Caller) -> Result<UserId> {
    match caller.actor() {
        Actor::User(user) => Ok(user.id),
        Actor::Agent(_) | Actor::Root => Err(Error::new(
            ErrorKind::Forbidden,
            "human_required",
            "Only a human saves messages: log in, or use a key of your own.",
        )),
    }
}

fn note(save: SaveMessage) -> Result<Note> {
    let Some(text) = save.note else { return Ok(Note::Kept) };
    Ok(Note::Set(line("note", &text, limits::SAVED_NOTE_MAX)?))
}

async fn keep(tx: &mut Tx, request: &Request) -> Result<SavedMessage> {
    let Request { user, viewer, message, note } = request;
    let row = messages::visible(tx, viewer, *message).await?;
    if let Some(deleted_at) = row.deleted_at {
        return Err(message_deleted(deleted_at));
    }
    // Other requests of the account wait, so that messages are counted.
    users::store::hold(tx, *user).await?;
    if store::find(tx, *user, *message).await?.is_none() {
        if store::count(tx, *user).await? >= limits::SAVED_MAX {
            let message = format!(
                "You have saved {} messages, which is the maximum. Remove some that you no longer need.",
                limits::SAVED_MAX
            );
            return Err(Error::conflict("too_many_saved", message));
        }
        // The message may have been deleted meanwhile, with its place among the saved ones.
        store::hold_message(tx, *message).await?;
        if let Some(deleted_at) = messages::visible(tx, viewer, *message).await?.deleted_at {
            return Err(message_deleted(deleted_at));
        }
        store::insert(tx, *user, *message).await?;
    }
    if let Note::Set(note) = note {
        store::set_note(tx, *user, *message, note.as_deref()).await?;
    }
    let row = store::find(tx, *user, *message).await?.ok_or_else(|| Error::not_found("message"))?;
    shown(tx, viewer, vec![row]).await?.pop().ok_or_else(|| Error::not_found("message"))
}

/// Saved messages in the order of the rows.
async fn shown(tx: &mut Tx, viewer: &Viewer, rows: Vec<SavedRow>) -> Result<Vec<SavedMessage>> {
    let ids: Vec<MessageId> = rows.iter().map(|row| row.message_id).collect();
    let found = messages::by_ids(tx, &ids).await?;
    let found = messages::complete_seen(tx, viewer, found).await?;
    let mut found: HashMap<MessageId, _> = found.into_iter().map(|message| (message.id, message)).collect();
    let saved = rows.into_iter().filter_map(|row| {
        let message = found.remove(&row.message_id)?;
        Some(SavedMessage { id: row.id, message, note: row.note, saved_at: row.saved_at })
    });
    Ok(saved.collect())
}
