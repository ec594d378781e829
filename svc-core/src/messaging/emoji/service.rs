//! Adding and removing emoji.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::emoji::{Emoji, MessageEmoji};
use svc_model::events::{EmojiChanged, EventBody};

use super::store::{self, Subject};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::{self, Party};
use crate::store::db::{Db, Tx};

/// Emoji under messages of a hub; see [`Hub::emoji`](crate::Hub::emoji).
#[derive(Clone)]
pub struct Emojis {
    db: Db,
}

/// A request to add or remove an emoji.
struct Request {
    by: Party,
    viewer: Viewer,
    message: MessageId,
    emoji: Emoji,
}

#[boxed_futures]
impl Emojis {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Adds an emoji of the caller to a message that is visible to it. One that is there already is left unchanged.
    ///
    /// ```
    /// # use svc_core::{Caller, Hub, Result, ids::MessageId};
    /// # async fn example(hub: Hub, ann: Caller, plan: MessageId) -> Result<()> {
    /// let under = hub.emoji().add(&ann, plan, "🎉").await?;
    /// assert!(under.emoji.iter().any(|one| one.emoji == "🎉" && one.mine));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn add(&self, caller: &Caller, message: MessageId, emoji: &str) -> Result<MessageEmoji> {
        let request = Request::new(caller, message, emoji)?;
        self.db.write(request, |tx, request| Box::pin(add(tx, request))).await
    }

    /// Removes an emoji of the caller from a message. One that is not there is no error.
    pub async fn remove(&self, caller: &Caller, message: MessageId, emoji: &str) -> Result<MessageEmoji> {
        let request = Request::new(caller, message, emoji)?;
        self.db.write(request, |tx, request| Box::pin(remove(tx, request))).await
    }
}

impl Request {
    fn new(caller: &Caller, message: MessageId, emoji: &str) -> Result<Self> {
        caller.require(Permission::Write)?;
        let by = Party::of(caller).ok_or_else(|| {
            Error::new(
                ErrorKind::Forbidden,
                "participant_required",
                "The admin socket has no emoji. Act as a user or as an agent.",
            )
        })?;
        Ok(Self { by, viewer: Viewer::of(caller), message, emoji: Emoji::parse(emoji)? })
    }
}

async fn add(tx: &mut Tx, request: &Request) -> Result<MessageEmoji> {
    let subject = locked_subject(tx, request).await?;
    let (id, by, emoji) = (subject.id, request.by.id, request.emoji.as_str());
    if !store::has(tx, id, by, emoji).await? {
        check_room(tx, request).await?;
        store::insert(tx, id, by, emoji).await?;
        record(tx, request, &subject, EventBody::EmojiAdded).await?;
    }
    shown(tx, request).await
}

async fn remove(tx: &mut Tx, request: &Request) -> Result<MessageEmoji> {
    let subject = locked_subject(tx, request).await?;
    if store::delete(tx, subject.id, request.by.id, request.emoji.as_str()).await? {
        record(tx, request, &subject, EventBody::EmojiRemoved).await?;
    }
    shown(tx, request).await
}

/// Locks the message for this transaction.
async fn locked_subject(tx: &mut Tx, request: &Request) -> Result<Subject> {
    let seen = messages::store::visible(tx, &request.viewer, request.message).await?;
    store::hold(tx, seen.id).await?;
    let subject = store::subject(tx, seen.id).await?;
    if subject.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: emoji cannot be changed."));
    }
    match subject.deleted_at {
        Some(deleted_at) => Err(messages::lifecycle::message_deleted(deleted_at)),
        None => Ok(subject),
    }
}

/// Whether the message has room for one more emoji of this participant.
async fn check_room(tx: &mut Tx, request: &Request) -> Result<()> {
    let own = store::count_of(tx, request.message, request.by.id).await?;
    if own >= limits::EMOJI_PER_PARTICIPANT {
        let most = limits::EMOJI_PER_PARTICIPANT;
        return Err(Error::conflict("too_many_emoji", format!("You have {most} emoji under this message already.")));
    }
    let (different, is_there) = store::variety(tx, request.message, request.emoji.as_str()).await?;
    if !is_there && different >= limits::EMOJI_PER_MESSAGE {
        let most = limits::EMOJI_PER_MESSAGE;
        return Err(Error::conflict("too_many_emoji", format!("This message has {most} different emoji already.")));
    }
    Ok(())
}

/// Writes the new number of emoji and the event.
async fn record(tx: &mut Tx, request: &Request, subject: &Subject, event: fn(EmojiChanged) -> EventBody) -> Result<()> {
    store::set_count(tx, subject.id).await?;
    let changed = EmojiChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: subject.audience(),
        by: request.by.handle.clone(),
        by_id: request.by.id,
        emoji: request.emoji.to_string(),
        count: store::choosers(tx, subject.id, request.emoji.as_str()).await?,
    };
    tx.record(event(changed)).await?;
    Ok(())
}

/// The emoji under the message as the caller sees them.
async fn shown(tx: &mut Tx, request: &Request) -> Result<MessageEmoji> {
    let mut found = store::of_messages(tx, request.by.id, &[request.message]).await?;
    Ok(MessageEmoji { emoji: found.remove(&request.message).unwrap_or_default() })
}
