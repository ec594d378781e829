//! Sending: messages go through the outbox, one after another, until the hub has them.

use svc_core::messages::NewMessage;

use super::context::Context;
use super::kept::Outgoing;
use crate::backend::{Cause, Place};

/// Puts a message into the outbox and begins to send. Says whether there was room.
pub(crate) fn send(message: NewMessage, context: &mut Context<'_>) -> bool {
    let key = context.shared.new_key();
    let room = context.shared.kept.push(Outgoing { key, message, refused: None, under_way: false });
    if room {
        pump(context);
    } else {
        context.note("The outbox is full: wait until the hub can be reached.");
    }
    room
}

/// Sends the next message of the outbox, if none is under way.
pub(crate) fn pump(context: &mut Context<'_>) {
    let Some(Outgoing { key, message, .. }) = context.shared.kept.next() else { return };
    let attempt = key.clone();
    context.ask_shared(
        move |hub| async move { hub.send(message, &attempt).await },
        move |answer, context| match answer {
            Ok(message) => {
                context.shared.kept.remove(&key);
                context.shared.sent.push(message);
                pump(context);
            }
            // After the next login it is sent.
            Err(failure) if failure.may_pass() || failure.cause == Cause::LoggedOut => {
                context.shared.kept.failed(&key, None);
            }
            Err(failure) => {
                context.shared.kept.failed(&key, Some(failure.message.clone()));
                context.fail(&failure);
                pump(context);
            }
        },
    );
}

/// Whether a message that waits goes to this conversation.
pub(crate) fn goes_to(message: &NewMessage, place: &Place) -> bool {
    destination(message).as_ref() == Some(place)
}

/// The conversation that a message that waits goes to.
pub(crate) fn destination(message: &NewMessage) -> Option<Place> {
    let channel = message.channel.clone().map(Place::Channel);
    channel.or_else(|| message.to.clone().map(Place::Direct))
}
