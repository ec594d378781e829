//! Sending messages.

use serde_json::Value;
use svc_macros::boxed_futures;
use svc_model::attachments::Attachment;
use svc_model::auth::Permission;
use svc_model::messages::{Message, MessageStatus, NewMessage};
use svc_model::participants::{ParticipantKind, SYSTEM_HANDLE};

use super::depth::{self, Parent};
use super::draft::{Draft, Target};
use super::mention::{self, Mention};
use super::post::{Destination, Party, Post, Reply, post};
use super::service::Messages;
use super::viewer::Viewer;
use super::{conversations, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::channels;
use crate::messaging::reactions::workflow;
use crate::store::db::Tx;
use crate::store::idempotency::Once;

#[boxed_futures]
impl Messages {
    /// Sends a message. It is durable when this returns.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let asked = hub.messages().send(&ann, NewMessage::to("scout", "Is the build green?")).await?;
    /// assert_eq!(asked.to.as_deref(), Some("scout"));
    ///
    /// let told = NewMessage { priority: Some(8), ..NewMessage::in_channel("general", "The build is red.") };
    /// hub.messages().send(&ann, told).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn send(&self, caller: &Caller, new: NewMessage) -> Result<Message> {
        let draft = prepare(caller, new)?;
        let once = caller.idempotency("messages.send", &draft)?;
        let admitted = self.quotas.admit(caller).await?;
        let input = (caller.clone(), draft);
        let sent = self.db.write_once(once, input, |tx, (caller, draft)| Box::pin(send(tx, caller, draft))).await;
        admitted.ended(sent.as_ref().is_ok_and(|sent| !sent.replayed));
        sent.map(Once::into_value)
    }
}

/// The checks that need no store access.
fn prepare(caller: &Caller, new: NewMessage) -> Result<Draft> {
    caller.require(Permission::Write)?;
    let draft = Draft::checked(new)?;
    match &draft.target {
        Target::Direct(_) => caller.require_direct()?,
        Target::Channel(name) => caller.require_channel(name)?,
    }
    Ok(draft)
}

async fn send(tx: &mut Tx, caller: &Caller, draft: &Draft) -> Result<Message> {
    let from = sender(tx, caller).await?;
    match &draft.target {
        Target::Direct(handle) => send_direct(tx, caller, draft, &from, handle).await,
        Target::Channel(name) => send_to_channel(tx, caller, draft, &from, name).await,
    }
}

/// The sender of a message, or whoever deletes one; the system participant for the admin socket.
pub(super) async fn sender(tx: &mut Tx, caller: &Caller) -> Result<Party> {
    match Party::of(caller) {
        Some(party) => Ok(party),
        None => store::party(tx, SYSTEM_HANDLE).await?.ok_or_else(|| Error::internal("no system participant")),
    }
}

async fn send_direct(tx: &mut Tx, caller: &Caller, draft: &Draft, from: &Party, handle: &str) -> Result<Message> {
    let to = recipient(tx, from, handle).await?;
    let parent = parent(tx, caller, draft.reply_to).await?;
    let depth = depth::of_message(tx, caller, from, parent.as_ref()).await?;
    let conversation = conversations::direct(tx, from.id, to.id, &draft.subject).await?;
    let viewer = Viewer::of(caller);
    let new = Post {
        from,
        conversation,
        destination: Destination::Direct { to, subject: draft.subject.clone(), mention_of: None },
        body: &draft.body,
        priority: draft.priority,
        metadata: &draft.metadata,
        reply: parent.map(|parent| parent.reply),
        attachments: &draft.attachments,
        viewer: Some(&viewer),
        depth,
        traceparent: draft.traceparent.as_deref(),
    };
    let (id, files) = post(tx, &new).await?;
    Ok(sent(tx, id, new, files))
}

/// The recipient of a direct message.
async fn recipient(tx: &mut Tx, from: &Party, handle: &str) -> Result<Party> {
    let to = store::party(tx, handle)
        .await?
        .filter(|to| to.kind != ParticipantKind::System)
        .ok_or_else(|| Error::invalid("to", "is not a participant who can receive messages"))?;
    if to.id == from.id {
        return Err(Error::invalid("to", "is yourself: name another participant"));
    }
    Ok(to)
}

async fn send_to_channel(tx: &mut Tx, caller: &Caller, draft: &Draft, from: &Party, name: &str) -> Result<Message> {
    // Checked before anything is written, such as the membership of the sender.
    let parent = parent(tx, caller, draft.reply_to).await?;
    let depth = depth::of_message(tx, caller, from, parent.as_ref()).await?;
    let room = channels::for_posting(tx, caller, from, name).await?;
    let parties = mention::mentioned(tx, room.id, from, &draft.body).await?;
    let viewer = Viewer::of(caller);
    let new = Post {
        from,
        conversation: room.conversation_id,
        destination: Destination::Channel {
            id: room.id,
            name: room.name.clone(),
            public: room.public,
            state: room.workflow_enabled.then(|| workflow::beginning(room.auto_approve)),
            mentioned: parties.iter().map(|party| party.id).collect(),
        },
        body: &draft.body,
        priority: draft.priority,
        metadata: &draft.metadata,
        reply: parent.map(|parent| parent.reply),
        attachments: &draft.attachments,
        viewer: Some(&viewer),
        depth,
        traceparent: draft.traceparent.as_deref(),
    };
    let (id, files) = post(tx, &new).await?;
    let mention = Mention {
        channel: room.id,
        channel_name: &room.name,
        message: id,
        from,
        body: &draft.body,
        priority: draft.priority,
        depth: new.depth,
        traceparent: new.traceparent,
    };
    mention::notify(tx, &mention, &parties).await?;
    Ok(sent(tx, id, new, files))
}

/// Posts a message in a channel as part of a larger operation of the caller. The metadata is
/// written by the hub.
pub(crate) async fn post_in_channel(
    tx: &mut Tx,
    caller: &Caller,
    from: &Party,
    channel: &str,
    body: String,
    metadata: Value,
) -> Result<MessageId> {
    let draft = Draft {
        target: Target::Channel(channel.to_owned()),
        subject: String::new(),
        body,
        priority: limits::PRIORITY_DEFAULT,
        reply_to: None,
        metadata,
        attachments: Vec::new(),
        traceparent: None,
    };
    Ok(send_to_channel(tx, caller, &draft, from, channel).await?.id)
}

/// Sends a message as part of a larger operation of the hub on behalf of the caller. It counts for no quota.
pub(crate) async fn answer(tx: &mut Tx, caller: &Caller, new: NewMessage) -> Result<MessageId> {
    let draft = prepare(caller, new)?;
    Ok(send(tx, caller, &draft).await?.id)
}

/// Checks the fields of a message that will be sent later.
pub(crate) fn check(caller: &Caller, new: NewMessage) -> Result<()> {
    prepare(caller, new).map(drop)
}

/// Checks a message that will be sent later, as far as that is known now. Returns the handle of its recipient, or the
/// name of its channel.
pub(crate) async fn check_later(tx: &mut Tx, caller: &Caller, new: NewMessage) -> Result<String> {
    let draft = prepare(caller, new)?;
    let from = sender(tx, caller).await?;
    parent(tx, caller, draft.reply_to).await?;
    match draft.target {
        Target::Direct(handle) => Ok(recipient(tx, &from, &handle).await?.handle),
        Target::Channel(name) => {
            channels::require_posting(tx, caller, &from, &name).await?;
            Ok(name)
        }
    }
}

/// The message that is replied to; an error if the sender cannot see it.
async fn parent(tx: &mut Tx, caller: &Caller, to: Option<MessageId>) -> Result<Option<Parent>> {
    let Some(to) = to else { return Ok(None) };
    let parent = store::find(tx, &Viewer::of(caller), to)
        .await?
        .ok_or_else(|| Error::invalid("reply_to", "is not a message that you can see"))?;
    let reply = Reply { to, root: store::root_of(tx, parent.id).await? };
    Ok(Some(Parent { reply, sender: parent.sender_id, depth: parent.depth }))
}

/// The stored message as it is returned.
fn sent(tx: &Tx, id: MessageId, post: Post<'_>, attachments: Vec<Attachment>) -> Message {
    let (channel, channel_id, to, subject, workflow_state) = match post.destination {
        Destination::Direct { to, subject, .. } => (None, None, Some(to.handle), subject, None),
        Destination::Channel { id, name, state, .. } => (Some(name), Some(id), None, String::new(), state),
    };
    Message {
        id,
        conversation_id: post.conversation,
        channel,
        channel_id,
        from: post.from.handle.clone(),
        from_kind: post.from.kind,
        to,
        subject,
        body: post.body.to_owned(),
        priority: post.priority,
        status: MessageStatus::Pending,
        metadata: post.metadata.clone(),
        reply_to: post.reply.map(|reply| reply.to),
        reply_count: 0,
        attachments,
        reactions: Vec::new(),
        emoji: Vec::new(),
        workflow_state,
        escalated_at: None,
        claimed_by: None,
        lease_expires_at: None,
        depth: post.depth,
        traceparent: post.traceparent.map(ToOwned::to_owned),
        version: 1,
        edited_at: None,
        edited_since_claim: false,
        deleted_at: None,
        deleted_by: None,
        created_at: tx.now(),
        updated_at: tx.now(),
    }
}
