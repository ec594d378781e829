//! Writing a message: conversation position, row, files and event. Every message that is sent is
//! written here.

use serde_json::Value;
use svc_model::attachments::Attachment;
use svc_model::events::{Audience, EventBody, MessageCreated};
use svc_model::participants::ParticipantKind;
use svc_model::reactions::WorkflowState;

use super::viewer::Viewer;
use super::{conversations, store};
use crate::error::Result;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::messaging::attachments;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A participant as a sender or recipient of a message.
#[derive(Debug, Clone)]
pub(crate) struct Party {
    pub(crate) id: ParticipantId,
    pub(crate) kind: ParticipantKind,
    pub(crate) handle: String,
    /// The human user or the owner of the agent; none for the system.
    pub(crate) owner: Option<UserId>,
}

impl Party {
    /// The participant that a caller acts as; none for the admin socket.
    pub(crate) fn of(caller: &Caller) -> Option<Self> {
        match caller.actor() {
            Actor::Root => None,
            Actor::User(user) => Some(Party {
                id: ParticipantId(user.id.0),
                kind: ParticipantKind::Human,
                handle: user.username.to_string(),
                owner: Some(user.id),
            }),
            Actor::Agent(agent) => Some(Party {
                id: ParticipantId(agent.id.0),
                kind: ParticipantKind::Agent,
                handle: agent.name.to_string(),
                owner: Some(agent.owner),
            }),
        }
    }
}

/// The destination of a message.
pub(super) enum Destination {
    Direct { to: Party, subject: String, mention_of: Option<(ChannelId, MessageId)> },
    Channel { id: ChannelId, name: String, public: bool, state: Option<WorkflowState>, mentioned: Vec<ParticipantId> },
}

/// A message to be stored.
pub(super) struct Post<'a> {
    pub(super) from: &'a Party,
    pub(super) conversation: ConversationId,
    pub(super) destination: Destination,
    pub(super) body: &'a str,
    pub(super) priority: u32,
    pub(super) metadata: &'a Value,
    pub(super) reply: Option<Reply>,
    pub(super) attachments: &'a [String],
    /// The viewer whose visible files can be attached; none if the message has no files.
    pub(super) viewer: Option<&'a Viewer>,
    pub(super) depth: u32,
    pub(super) traceparent: Option<&'a str>,
}

impl Post<'_> {
    /// Whether this notifies a person of a mention, and is therefore no part of the conversation that it is stored in.
    fn notifies_person(&self) -> bool {
        let Destination::Direct { to, mention_of, .. } = &self.destination else { return false };
        mention_of.is_some() && to.kind == ParticipantKind::Human
    }
}

/// The parent of a reply and the root of its thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reply {
    pub(super) to: MessageId,
    pub(super) root: MessageId,
}

/// Stores the message. Returns its id and its attached files.
pub(super) async fn post(tx: &mut Tx, post: &Post<'_>) -> Result<(MessageId, Vec<Attachment>)> {
    // Checked before anything is written, because on SQLite other writes share the transaction.
    let selected = match post.viewer.filter(|_| !post.attachments.is_empty()) {
        Some(viewer) => Some(attachments::select(tx, (post.from.id, viewer), post.attachments).await?),
        None => None,
    };
    if post.notifies_person() {
        conversations::advance_unseen(tx, post.conversation).await?;
    } else {
        conversations::advance(tx, post.conversation).await?;
    }
    let id = store::insert(tx, post).await?;
    let files = match selected {
        Some(selected) => selected.attach(tx, id).await?,
        None => Vec::new(),
    };
    if let Some(reply) = post.reply {
        // Counted only inside the conversation of the parent: its readers must learn nothing of
        // replies elsewhere.
        store::count_reply(tx, reply.to, post.conversation).await?;
    }
    conversations::count_own(tx, post.from.id, post.conversation).await?;
    tx.record(EventBody::MessageCreated(created(tx.now(), id, post))).await?;
    Ok((id, files))
}

fn created(now: Timestamp, id: MessageId, post: &Post<'_>) -> MessageCreated {
    let audience = Audience { sender_id: Some(post.from.id), sender_owner_id: post.from.owner, ..Audience::default() };
    let created = MessageCreated {
        message_id: id,
        conversation_id: post.conversation,
        reply_to: post.reply.map(|reply| reply.to),
        audience,
        from: post.from.handle.clone(),
        from_kind: post.from.kind,
        to: None,
        subject: String::new(),
        preview: preview(post.body),
        priority: post.priority,
        depth: post.depth,
        mentioned: Vec::new(),
        mention_of: None,
        created_at: now,
    };
    match &post.destination {
        Destination::Direct { to, subject, mention_of } => MessageCreated {
            audience: Audience { recipient_id: Some(to.id), recipient_owner_id: to.owner, ..created.audience },
            to: Some(to.handle.clone()),
            subject: subject.clone(),
            mention_of: mention_of.map(|(_, message)| message),
            ..created
        },
        Destination::Channel { id, name, public, mentioned, .. } => MessageCreated {
            audience: Audience {
                channel_id: Some(*id),
                channel: Some(name.clone()),
                public: *public,
                ..created.audience
            },
            mentioned: mentioned.clone(),
            ..created
        },
    }
}

/// The beginning of a body as one line.
pub(crate) fn preview(body: &str) -> String {
    let mut words = body.split_whitespace();
    let mut line = String::with_capacity(limits::PREVIEW_MAX + 8);
    let mut length = 0;
    for word in &mut words {
        if length >= limits::PREVIEW_MAX - 1 {
            line.push('…');
            return line;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length >= limits::PREVIEW_MAX - 1 {
                // Drops the space before a word that does not fit, to make room for the ellipsis.
                line.truncate(line.trim_end().len());
                line.push('…');
                return line;
            }
            line.push(character);
            length += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_preview_is_one_line_and_short() {
        assert_eq!(preview("  two\n\nlines "), "two lines");
        let long = preview(&"ü".repeat(500));
        assert_eq!(long.chars().count(), limits::PREVIEW_MAX);
        assert!(long.ends_with('…'));
    }

    proptest! {
        #[test]
        fn no_preview_exceeds_its_maximum_length(body in ".{0,400}") {
            let preview = preview(&body);
            prop_assert!(preview.chars().count() <= limits::PREVIEW_MAX);
            prop_assert!(!preview.contains('\n'));
        }
    }
}
