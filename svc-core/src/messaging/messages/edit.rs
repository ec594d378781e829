//! Editing messages, and reading their earlier texts.
//!
//! An edit changes the text alone. It mentions nobody again and starts no run: whoever was told of the message reads
//! its new text, and whoever works on it finds that it changed.

use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::events::{Audience, EventBody, MessageEdited};
use svc_model::messages::{Message, MessageEdit, MessageVersion, MessageVersions};

use super::draft::{body_fault, is_written_by_hub};
use super::lifecycle::message_deleted;
use super::service::Messages;
use super::store;
use super::store::changes::{self, Target};
use super::store::leases::TABLE;
use super::viewer::Viewer;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::messaging::search;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A request to change the text of a message.
#[derive(Debug, Clone)]
struct Request {
    caller: Caller,
    id: MessageId,
    edit: MessageEdit,
    window: Duration,
}

#[boxed_futures]
impl Messages {
    /// Replaces the text of a message of the caller, for a limited time after it was sent. The earlier texts are kept.
    /// Repeating an edit changes nothing.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::messages::MessageEdit;
    /// use svc_core::prelude::*;
    ///
    /// let sent = hub.messages().send(&ann, NewMessage::to("scout", "Deploy on Mnday.")).await?;
    /// let edited = hub.messages().edit(&ann, sent.id, MessageEdit::of("Deploy on Monday.")).await?;
    /// assert_eq!(edited.version, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn edit(&self, caller: &Caller, id: MessageId, edit: MessageEdit) -> Result<Message> {
        caller.require(Permission::Write)?;
        if let Some(fault) = body_fault(&edit.body) {
            return Err(Error::invalid("body", fault));
        }
        let key = caller.idempotency("messages.edit", &(id, &edit))?;
        let request = Request { caller: caller.clone(), id, edit, window: self.edit_window };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(apply(tx, request))).await?.value)
    }

    /// All texts of a message that is visible to the caller, the oldest first. A deleted message has none.
    pub async fn versions(&self, caller: &Caller, id: MessageId) -> Result<MessageVersions> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), id), |tx, (viewer, id)| {
                Box::pin(async move {
                    let row = store::visible(tx, viewer, *id).await?;
                    let mut versions = changes::earlier(tx, row.id).await?;
                    if row.deleted_at.is_none() {
                        let created_at = row.edited_at.unwrap_or(row.created_at);
                        versions.push(MessageVersion { version: row.version, body: row.body, created_at });
                    }
                    Ok(MessageVersions { message_id: row.id, versions })
                })
            })
            .await
    }
}

async fn apply(tx: &mut Tx, request: &Request) -> Result<Message> {
    let viewer = Viewer::of(&request.caller);
    store::visible(tx, &viewer, request.id).await?;
    let (now, author) = (tx.now(), request.caller.participant());
    // A request that fails locks nothing and writes nothing.
    decide(now, author, &changes::target(tx, request.id).await?, &request.edit, request.window)?;
    TABLE.hold(tx, request.id).await?;
    let target = changes::target(tx, request.id).await?;
    if decide(now, author, &target, &request.edit, request.window)? == Change::Wanted {
        change(tx, &target, &request.edit.body).await?;
    }
    let row = store::visible(tx, &viewer, request.id).await?;
    store::complete_one(tx, &viewer, row).await
}

/// The effect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Wanted,
}

/// Decides whether a request is allowed, and whether it changes anything.
fn decide(
    now: Timestamp,
    by: Option<ParticipantId>,
    target: &Target,
    edit: &MessageEdit,
    window: Duration,
) -> Result<Change> {
    if by != Some(target.sender_id) {
        return Err(Error::new(ErrorKind::Forbidden, "not_author", "Only the author of a message can edit it."));
    }
    if let Some(deleted_at) = target.deleted_at {
        return Err(message_deleted(deleted_at));
    }
    if let Some(original) = target.mention_of {
        return Err(is_copy(original));
    }
    if is_written_by_hub(&target.metadata) {
        return Err(Error::conflict("not_editable", "The hub wrote this message for you, so it cannot be edited."));
    }
    if target.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: its messages cannot be edited."));
    }
    // A request that is repeated because its answer was lost gets the same answer.
    if edit.body == target.body {
        return Ok(Change::None);
    }
    if edit.version.is_some_and(|version| version != target.version) {
        let message = format!("This message is at version {} by now. Read it again.", target.version);
        return Err(Error::conflict("version_conflict", message).with_detail("version", target.version));
    }
    if window.is_zero() || now.since(target.created_at) > window {
        let message = "The time in which this message could be edited is over. Send a new one.";
        return Err(Error::new(ErrorKind::Forbidden, "edit_window_over", message)
            .with_detail("edit_window_seconds", window.as_secs()));
    }
    if target.version >= limits::MESSAGE_VERSIONS_MAX {
        let message = format!("A message has at most {} versions. Send a new one.", limits::MESSAGE_VERSIONS_MAX);
        return Err(Error::conflict("too_many_versions", message));
    }
    Ok(Change::Wanted)
}

/// The error for a change of the direct message that notifies of a mention.
pub(crate) fn is_copy(original: MessageId) -> Error {
    let message = format!("This message tells of a mention in message {original}: change that one.");
    Error::conflict("mention_copy", message).with_detail("original", original.0)
}

/// Changes the text of a message, and of the copies that its mentioned readers have.
async fn change(tx: &mut Tx, target: &Target, body: &str) -> Result<()> {
    changes::edit(tx, target, body).await?;
    search::reindex(tx, target.id, &target.subject, body).await?;
    record(tx, target).await?;
    // Ordered by id, the lock order of every operation on several messages.
    for copy in changes::readable_copies(tx, target.id).await? {
        changes::edit(tx, &copy, body).await?;
        record(tx, &copy).await?;
    }
    Ok(())
}

async fn record(tx: &mut Tx, target: &Target) -> Result<()> {
    let edited = MessageEdited {
        message_id: target.id,
        conversation_id: target.conversation_id,
        audience: audience(target),
        version: target.version.saturating_add(1),
        claimed_by: target.claimed_by.clone(),
        edited_at: tx.now(),
    };
    tx.record(EventBody::MessageEdited(edited)).await?;
    Ok(())
}

/// The location of a message, and the participants who may see it.
pub(super) fn audience(target: &Target) -> Audience {
    Audience {
        channel_id: target.channel_id,
        channel: target.channel.clone(),
        public: target.public.unwrap_or(false),
        sender_id: Some(target.sender_id),
        sender_owner_id: target.sender_owner_id,
        recipient_id: target.recipient_id,
        recipient_owner_id: target.recipient_owner_id,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::{ChannelId, ConversationId, UserId};

    const DAY: Duration = Duration::from_hours(24);

    fn target() -> Target {
        Target {
            id: MessageId(7),
            conversation_id: ConversationId(3),
            channel_id: Some(ChannelId(2)),
            channel: Some("ops".into()),
            public: Some(true),
            archived_at: None,
            channel_owner_id: Some(ParticipantId(1)),
            channel_owner_human: None,
            sender_id: ParticipantId(11),
            sender: "ann".into(),
            sender_owner_id: Some(UserId(11)),
            recipient_id: None,
            recipient_owner_id: None,
            subject: String::new(),
            body: "first".into(),
            metadata: json!({}),
            reply_to: None,
            mention_of: None,
            claimed_by: None,
            version: 1,
            deleted_at: None,
            created_at: Timestamp::from_micros(0),
        }
    }

    fn code(now: Timestamp, by: i64, target: &Target, edit: &MessageEdit, window: Duration) -> &'static str {
        decide(now, Some(ParticipantId(by)), target, edit, window).unwrap_err().code()
    }

    #[test]
    fn the_author_edits_within_the_window() {
        let (at, edit) = (Timestamp::from_micros(0).plus(DAY), MessageEdit::of("second"));
        assert_eq!(decide(at, Some(ParticipantId(11)), &target(), &edit, DAY).unwrap(), Change::Wanted);
        let late = at.plus(Duration::from_secs(1));
        assert_eq!(code(late, 11, &target(), &edit, DAY), "edit_window_over");
        assert_eq!(code(at, 11, &target(), &edit, Duration::ZERO), "edit_window_over");
        assert_eq!(code(at, 1, &target(), &edit, DAY), "not_author");
        assert_eq!(decide(at, None, &target(), &edit, DAY).unwrap_err().code(), "not_author");
    }

    #[test]
    fn each_refusal_has_its_code() {
        let (at, edit) = (Timestamp::from_micros(0), MessageEdit::of("second"));
        let stale = MessageEdit { version: Some(2), ..edit.clone() };
        for (target, edit, expected) in [
            (Target { deleted_at: Some(at), ..target() }, &edit, "message_deleted"),
            (Target { mention_of: Some(MessageId(5)), ..target() }, &edit, "mention_copy"),
            (Target { metadata: json!({ "svc.quotes": [] }), ..target() }, &edit, "not_editable"),
            (Target { archived_at: Some(at), ..target() }, &edit, "channel_archived"),
            (Target { version: limits::MESSAGE_VERSIONS_MAX, ..target() }, &edit, "too_many_versions"),
            (target(), &stale, "version_conflict"),
        ] {
            assert_eq!(code(at, 11, &target, edit, DAY), expected);
        }
    }

    #[test]
    fn the_text_of_now_changes_nothing_whatever_the_version() {
        let edit = MessageEdit { version: Some(9), ..MessageEdit::of("first") };
        let late = Timestamp::from_micros(0).plus(3 * DAY);
        assert_eq!(decide(late, Some(ParticipantId(11)), &target(), &edit, DAY).unwrap(), Change::None);
    }
}
