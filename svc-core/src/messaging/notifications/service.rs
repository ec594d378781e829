//! Listing unread counts and direct conversation partners.

use std::collections::HashMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{ConversationKind, LastMessage};
use svc_model::notifications::{AttentionLevel, ConversationLevel, Partner, Unread};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::limits;
use crate::messaging::messages::preview;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Db;

/// Unread counts of a hub; see [`Hub::notifications`](crate::Hub::notifications).
#[derive(Clone)]
pub struct Notifications {
    pub(super) db: Db,
}

#[boxed_futures]
impl Notifications {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The unread counts of all channels of which the caller is a member and of all direct
    /// conversation partners, latest first; at most a thousand. For a person also those of visible channels of which
    /// they are no member, while there are unread mentions of them.
    pub async fn unread(&self, caller: &Caller) -> Result<Vec<Unread>> {
        caller.require(Permission::Read)?;
        let participant = reader(caller)?;
        let direct = caller.require_direct().is_ok().then_some(participant);
        self.db
            .read((Viewer::of(caller), direct), |tx, (viewer, direct)| {
                Box::pin(async move {
                    let mut channels = store::channels(tx, viewer, limits::UNREAD_MAX).await?;
                    channels.extend(store::mentions::elsewhere(tx, viewer, limits::UNREAD_MAX).await?);
                    let pairs = match direct {
                        Some(participant) => store::pairs(tx, *participant, limits::UNREAD_MAX).await?,
                        None => Vec::new(),
                    };
                    let levels = store::levels(tx, viewer).await?;
                    Ok(merged(channels, pairs, &levels))
                })
            })
            .await
    }

    /// The participants with whom the caller exchanged direct messages, latest first.
    pub async fn partners(&self, caller: &Caller, limit: u32) -> Result<Vec<Partner>> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let participant = reader(caller)?;
        self.db
            .read((participant, limit), |tx, (participant, limit)| {
                Box::pin(async move {
                    let pairs = store::pairs(tx, *participant, *limit).await?;
                    let mut ids: Vec<_> =
                        pairs.iter().flat_map(|pair| [pair.last_message_id, pair.last_unread_id]).collect();
                    ids.sort_unstable();
                    ids.dedup();
                    let ids: Vec<_> = ids.into_iter().flatten().collect();
                    let mut beginnings = HashMap::with_capacity(ids.len());
                    for ids in ids.chunks(limits::PAGE_MAX as usize) {
                        let found = store::beginnings(tx, ids).await?;
                        beginnings.extend(found.into_iter().map(|(id, body, at)| (id, (preview(&body), at))));
                    }
                    let partner = |pair: store::PairRow| {
                        let last_message_id = pair.last_message_id?;
                        let (newest, last_message_at) = beginnings.get(&last_message_id)?.clone();
                        let last_unread = pair.last_unread_id.and_then(|id| {
                            let (preview, created_at) = beginnings.get(&id)?.clone();
                            Some(LastMessage { id, from: pair.name.clone(), preview, created_at })
                        });
                        Some(Partner {
                            name: pair.name,
                            display_name: pair.display_name,
                            kind: pair.kind,
                            preview: newest,
                            last_message_id,
                            last_message_at,
                            last_unread,
                            unread: pair.unread,
                            mention_copies: pair.mention_copies,
                        })
                    };
                    Ok(pairs.into_iter().filter_map(partner).collect())
                })
            })
            .await
    }
}

/// The participant whose cursors are used; an error for the admin socket, which has none.
pub(super) fn reader(caller: &Caller) -> Result<ParticipantId> {
    caller.participant().ok_or_else(|| {
        Error::conflict("no_participant", "The admin socket has no read cursors. Act as a user or as an agent.")
    })
}

fn merged(channels: Vec<store::ChannelRow>, pairs: Vec<store::PairRow>, levels: &[ConversationLevel]) -> Vec<Unread> {
    let levels: HashMap<_, _> = levels.iter().map(|entry| ((entry.kind, entry.name.as_str()), entry.level)).collect();
    let level = |kind: ConversationKind, name: &str| {
        levels.get(&(kind, name)).copied().unwrap_or_else(|| AttentionLevel::default_of(kind))
    };
    let channels = channels.into_iter().map(|row| {
        let unread = Unread {
            kind: ConversationKind::Channel,
            level: level(ConversationKind::Channel, &row.name),
            name: row.name,
            unread: row.unread,
            mentions: row.mentions,
            mention_copies: 0,
            last_message_id: row.last_message_id,
            last_read_message_id: row.last_read_message_id,
        };
        (row.last_message_at, unread)
    });
    let pairs = pairs.into_iter().map(|row| {
        let unread = Unread {
            kind: ConversationKind::Dm,
            level: level(ConversationKind::Dm, &row.name),
            name: row.name,
            unread: row.unread,
            mentions: 0,
            mention_copies: row.mention_copies,
            last_message_id: row.last_message_id,
            last_read_message_id: row.last_read_message_id,
        };
        (row.last_message_at, unread)
    });
    let mut all: Vec<_> = channels.chain(pairs).collect();
    all.sort_by_key(|(at, unread)| std::cmp::Reverse((*at, unread.last_message_id)));
    all.truncate(limits::UNREAD_MAX as usize);
    all.into_iter().map(|(_, unread)| unread).collect()
}
