//! Deleting messages. A tombstone remains, with who deleted the message and when.
//!
//! With the text go its metadata, its earlier versions, its search entry, the links to its files, its reactions and
//! emoji, its pin, its place among saved messages, its dead letter, the texts that wait for webhooks, the beginning of
//! the text in the event log, and the copies that notified of mentions. Adjustments of trust stay.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::auth::Permission;
use svc_model::events::{EventBody, MessageCreated, MessageDeleted};
use svc_model::messages::Message;

use super::edit::{audience, is_copy};
use super::post::Party;
use super::send::sender;
use super::service::Messages;
use super::store;
use super::store::changes::{self, Target};
use super::store::leases::TABLE;
use super::viewer::Viewer;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Actor, Caller};
use crate::ids::MessageId;
use crate::messaging::search;
use crate::store::db::Tx;

/// The reason that the receipt of an unfinished message shows.
const REASON: &str = "the message was deleted";

/// A request to delete a message.
#[derive(Debug, Clone)]
struct Request {
    caller: Caller,
    id: MessageId,
}

#[boxed_futures]
impl Messages {
    /// Deletes a message: for its author, the owner of its channel, the humans of these, and admins. Returns the
    /// tombstone. Deleting a deleted message changes nothing.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let sent = hub.messages().send(&ann, NewMessage::in_channel("general", "The password is 1234.")).await?;
    /// let tombstone = hub.messages().delete(&ann, sent.id).await?;
    /// assert_eq!((tombstone.body.as_str(), tombstone.deleted_by.as_deref()), ("", Some("ann")));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn delete(&self, caller: &Caller, id: MessageId) -> Result<Message> {
        caller.require(Permission::Write)?;
        let key = caller.idempotency("messages.delete", &id)?;
        let request = Request { caller: caller.clone(), id };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(apply(tx, request))).await?.value)
    }
}

async fn apply(tx: &mut Tx, request: &Request) -> Result<Message> {
    let viewer = Viewer::of(&request.caller);
    store::visible(tx, &viewer, request.id).await?;
    let target = changes::target(tx, request.id).await?;
    check(&request.caller, &target)?;
    if target.deleted_at.is_none() {
        // Ordered by id, the lock order of every operation on several messages: the parent, the message, its copies.
        if let Some(parent) = target.reply_to {
            TABLE.hold(tx, parent).await?;
        }
        TABLE.hold(tx, request.id).await?;
        let target = changes::target(tx, request.id).await?;
        if target.deleted_at.is_none() {
            delete(tx, &request.caller, &target).await?;
        }
    }
    let row = store::visible(tx, &viewer, request.id).await?;
    store::complete_one(tx, &viewer, row).await
}

fn check(caller: &Caller, target: &Target) -> Result<()> {
    if !may_delete(caller, target) {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "not_author",
            "Only its author, the owner of its channel and admins can delete this message.",
        ));
    }
    target.mention_of.map_or(Ok(()), |original| Err(is_copy(original)))
}

/// Whether a caller wrote the message or owns its channel, is the human of one that did, or is an admin.
fn may_delete(caller: &Caller, target: &Target) -> bool {
    let themselves = [Some(target.sender_id), target.channel_owner_id];
    let their_humans = [target.sender_owner_id, target.channel_owner_human];
    let is_one = caller.participant().is_some_and(|by| themselves.contains(&Some(by)));
    let is_human = match caller.actor() {
        Actor::User(user) => their_humans.contains(&Some(user.id)),
        Actor::Agent(_) | Actor::Root => false,
    };
    is_one || is_human || caller.require_admin().is_ok()
}

async fn delete(tx: &mut Tx, caller: &Caller, target: &Target) -> Result<()> {
    let by = sender(tx, caller).await?;
    let copies = changes::copies(tx, target.id).await?;
    for message in [target].into_iter().chain(&copies) {
        changes::bury(tx, message.id, by.id, REASON).await?;
        record(tx, message, &by).await?;
    }
    if let Some(parent) = target.reply_to {
        changes::uncount_reply(tx, parent, target.conversation_id).await?;
    }
    let ids: Vec<MessageId> = copies.iter().map(|copy| copy.id).chain([target.id]).collect();
    search::forget(tx, &ids).await?;
    redact(tx, target, &ids).await?;
    let entry = NewEntry::by(AuditEvent::MessageDeleted, caller)
        .detail("message_id", target.id.0)
        .detail("author", target.sender.as_str())
        .detail("channel", target.channel.clone())
        .detail("by", by.handle.as_str());
    audit::record(tx, &entry).await
}

async fn record(tx: &mut Tx, target: &Target, by: &Party) -> Result<()> {
    let deleted = MessageDeleted {
        message_id: target.id,
        conversation_id: target.conversation_id,
        audience: audience(target),
        by: by.handle.clone(),
        deleted_at: tx.now(),
    };
    tx.record(EventBody::MessageDeleted(deleted)).await?;
    Ok(())
}

/// Removes the beginning of the text from the events that told of these messages, for streams that resume. All of them
/// were written at the time of the message.
async fn redact(tx: &mut Tx, target: &Target, ids: &[MessageId]) -> Result<()> {
    for event in tx.events_at("message.created", target.created_at).await? {
        let Ok(EventBody::MessageCreated(created)) = event.body() else { continue };
        if ids.contains(&created.message_id) {
            let redacted = MessageCreated { preview: String::new(), ..created };
            tx.rewrite_event(event.seq, &EventBody::MessageCreated(redacted)).await?;
        }
    }
    Ok(())
}
