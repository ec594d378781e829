//! Telling participants that they were mentioned in a channel: one direct message each.

use serde_json::json;

use super::conversations;
use super::post::{Party, Place, Post, post};
use super::store;
use crate::error::Result;
use crate::ids::{ChannelId, MessageId};
use crate::store::db::Tx;
use crate::text;

/// Where somebody was mentioned.
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

/// Whom a body mentions who may read the channel, without its author, by id.
pub(super) async fn mentioned(tx: &mut Tx, channel: ChannelId, from: &Party, body: &str) -> Result<Vec<Party>> {
    // Most bodies mention nobody, and this is all that they cost.
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

/// Writes the direct messages, in the order of their conversations: so do claims move their cursors, and
/// nobody waits for another one who waits for them.
pub(super) async fn tell(tx: &mut Tx, mention: &Mention<'_>, parties: &[Party]) -> Result<()> {
    let metadata = json!({ "mention": { "channel": mention.channel_name, "message_id": mention.message } });
    let mut places = Vec::with_capacity(parties.len());
    for party in parties {
        places.push((conversations::direct(tx, mention.from.id, party.id, "").await?, party));
    }
    places.sort_unstable_by_key(|(conversation, _)| *conversation);
    for (conversation, party) in places {
        let copy = Post {
            from: mention.from,
            conversation,
            place: Place::Direct {
                to: party.clone(),
                subject: String::new(),
                mention_of: Some((mention.channel, mention.message)),
            },
            body: mention.body,
            priority: mention.priority,
            metadata: &metadata,
            reply: None,
            attachments: &[],
            sight: None,
            depth: mention.depth,
            traceparent: mention.traceparent,
        };
        post(tx, &copy).await?;
    }
    Ok(())
}
