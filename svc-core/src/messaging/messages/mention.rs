//! Notifying participants that they were mentioned in a channel, by one direct message each.
//!
//! For an agent this message is work in its inbox. For a person it only keeps the mention: it belongs to no direct
//! conversation, and is read with the channel (see [`notifications`](crate::messaging::notifications)).

use serde_json::json;
use svc_model::participants::ParticipantKind;

use super::conversations;
use super::post::{Destination, Party, Post, post};
use super::store;
use crate::error::Result;
use crate::ids::{ChannelId, MessageId};
use crate::messaging::notifications;
use crate::store::db::Tx;
use crate::text;

/// The channel message in which participants were mentioned.
pub(super) struct Mention<'a> {
    pub(super) channel: ChannelId,
    pub(super) channel_name: &'a str,
    pub(super) message: MessageId,
    pub(super) from: &'a Party,
    pub(super) body: &'a str,
    pub(super) priority: u32,
    pub(super) depth: u32,
    pub(super) traceparent: Option<&'a str>,
}

/// The mentioned participants who may read the channel, without the author, ordered by id.
pub(super) async fn mentioned(tx: &mut Tx, channel: ChannelId, from: &Party, body: &str) -> Result<Vec<Party>> {
    // A fast path: most bodies mention nobody.
    if !body.contains('@') {
        return Ok(Vec::new());
    }
    let handles = text::links(body).mentions;
    if handles.is_empty() {
        return Ok(Vec::new());
    }
    let mut parties = store::readers_among(tx, channel, &handles).await?;
    parties.retain(|party| party.id != from.id);
    Ok(parties)
}

/// Writes the direct messages in the order of their conversations. Claims move their cursors in the
/// same order, so that no deadlock can occur.
pub(super) async fn notify(tx: &mut Tx, mention: &Mention<'_>, parties: &[Party]) -> Result<()> {
    let metadata = json!({ "mention": { "channel": mention.channel_name, "message_id": mention.message } });
    let mut conversations_by_id = Vec::with_capacity(parties.len());
    for party in parties {
        conversations_by_id.push((conversations::direct(tx, mention.from.id, party.id, "").await?, party));
    }
    conversations_by_id.sort_unstable_by_key(|(conversation, _)| *conversation);
    for (conversation, party) in conversations_by_id {
        let copy = Post {
            from: mention.from,
            conversation,
            destination: Destination::Direct {
                to: party.clone(),
                subject: String::new(),
                mention_of: Some((mention.channel, mention.message)),
            },
            body: mention.body,
            priority: mention.priority,
            metadata: &metadata,
            reply: None,
            attachments: &[],
            viewer: None,
            depth: mention.depth,
            traceparent: mention.traceparent,
        };
        let (id, _) = post(tx, &copy).await?;
        if party.kind == ParticipantKind::Human {
            conversations::pass_unseen(tx, party.id, conversation, id).await?;
            notifications::store::mentions::start(tx, party.id, mention.channel, mention.message).await?;
        }
    }
    Ok(())
}
