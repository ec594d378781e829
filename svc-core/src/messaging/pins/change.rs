//! Pinning a message, and removing the pin.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::events::{Audience, EventBody, PinChanged};
use svc_model::pins::Pin;

use super::service::{Pins, shown};
use super::store::{self, Subject};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::channels;
use crate::messaging::messages::lifecycle::message_deleted;
use crate::messaging::messages::store as messages;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::{Party, is_copy};
use crate::store::db::Tx;

struct Request {
    by: Party,
    viewer: Viewer,
    message: MessageId,
}

#[boxed_futures]
impl Pins {
    /// Pins a message, for members of its channel and for the two of a direct conversation. A message that is pinned
    /// stays as it is.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let rules = hub.messages().send(&ann, NewMessage::in_channel("general", "Deploys are on Mondays.")).await?;
    /// let pin = hub.pins().pin(&ann, rules.id).await?;
    /// assert_eq!((pin.message.id, pin.pinned_by.as_str()), (rules.id, "ann"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn pin(&self, caller: &Caller, message: MessageId) -> Result<Pin> {
        let request = request(caller, message)?;
        self.db.write(request, |tx, request| Box::pin(pin(tx, request))).await
    }

    /// Removes the pin of a message, if it has one.
    pub async fn unpin(&self, caller: &Caller, message: MessageId) -> Result<()> {
        let request = request(caller, message)?;
        self.db.write(request, |tx, request| Box::pin(unpin(tx, request))).await
    }
}

fn request(caller: &Caller, message: MessageId) -> Result<Request> {
    caller.require(Permission::Write)?;
    let by = Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "The admin socket cannot pin messages. Pin as a user or as an agent.",
        )
    })?;
    Ok(Request { by, viewer: Viewer::of(caller), message })
}

async fn pin(tx: &mut Tx, request: &Request) -> Result<Pin> {
    let subject = checked(tx, request).await?;
    if let Some(deleted_at) = subject.deleted_at {
        return Err(message_deleted(deleted_at));
    }
    if let Some(original) = subject.notifies_person_of() {
        return Err(is_copy(original));
    }
    if store::of_message(tx, subject.id).await?.is_none() {
        store::hold(tx, &subject).await?;
        // Another request may have pinned or deleted the message meanwhile.
        let subject = store::subject(tx, subject.id).await?;
        if let Some(deleted_at) = subject.deleted_at {
            return Err(message_deleted(deleted_at));
        }
        if store::of_message(tx, subject.id).await?.is_none() {
            insert(tx, request, &subject).await?;
        }
    }
    let row = store::of_message(tx, subject.id).await?.ok_or_else(|| Error::internal("the pin was not found"))?;
    shown(tx, &request.viewer, vec![row]).await?.pop().ok_or_else(|| Error::not_found("message"))
}

async fn insert(tx: &mut Tx, request: &Request, subject: &Subject) -> Result<()> {
    if store::count(tx, subject.conversation_id).await? >= limits::PINS_MAX {
        let message = format!(
            "This conversation already has {} pins, which is the maximum. Remove one that is no longer needed.",
            limits::PINS_MAX
        );
        return Err(Error::conflict("too_many_pins", message));
    }
    store::insert(tx, subject, request.by.id).await?;
    record(tx, EventBody::MessagePinned, request, subject).await
}

async fn unpin(tx: &mut Tx, request: &Request) -> Result<()> {
    let subject = checked(tx, request).await?;
    if store::remove(tx, subject.id).await? {
        record(tx, EventBody::MessageUnpinned, request, &subject).await?;
    }
    Ok(())
}

/// The message, if the participant may set and remove its pin.
async fn checked(tx: &mut Tx, request: &Request) -> Result<Subject> {
    messages::visible(tx, &request.viewer, request.message).await?;
    let subject = store::subject(tx, request.message).await?;
    let by = request.by.id;
    match subject.channel_id {
        Some(channel) => {
            if !channels::is_member(tx, channel, by).await? {
                return Err(Error::new(
                    ErrorKind::Forbidden,
                    "not_a_member",
                    "Only members of the channel can pin its messages. Join the channel first.",
                ));
            }
        }
        None if subject.sender_id == by || subject.recipient_id == Some(by) => {}
        None => {
            return Err(Error::new(
                ErrorKind::Forbidden,
                "not_in_conversation",
                "Only the sender and the recipient of a direct message can pin it.",
            ));
        }
    }
    if subject.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: its pins cannot be changed."));
    }
    Ok(subject)
}

async fn record(tx: &mut Tx, event: fn(PinChanged) -> EventBody, request: &Request, subject: &Subject) -> Result<()> {
    let changed = PinChanged {
        message_id: subject.id,
        conversation_id: subject.conversation_id,
        audience: Audience {
            channel_id: subject.channel_id,
            channel: subject.channel.clone(),
            public: subject.public.unwrap_or(false),
            sender_id: Some(subject.sender_id),
            sender_owner_id: subject.sender_owner_id,
            recipient_id: subject.recipient_id,
            recipient_owner_id: subject.recipient_owner_id,
        },
        by: request.by.handle.clone(),
    };
    tx.record(event(changed)).await?;
    Ok(())
}
