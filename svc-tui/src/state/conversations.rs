//! The conversations of the person: channels that they have joined, and direct messages, with unread counts.

use svc_core::channels::Channel;
use svc_core::conversations::ConversationKind;
use svc_core::ids::MessageId;
use svc_core::live::LiveBody;
use svc_core::notifications::{AttentionLevel, Partner, Unread, waiting};
use svc_core::participants::ParticipantKind;

use super::context::Context;
use super::list::Selection;
use crate::backend::{Place, Result};

/// A conversation in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Which one it is.
    pub(crate) place: Place,
    /// Unread messages.
    pub(crate) unread: i64,
    /// Unread messages that mention the person.
    pub(crate) mentions: i64,
    /// How much attention it gets.
    pub(crate) level: AttentionLevel,
    /// Whether the other participant is an agent; none for a channel.
    pub(crate) partner: Option<ParticipantKind>,
    /// The latest message.
    pub(crate) latest: Option<MessageId>,
    /// The topic of a channel, or the display name of a participant.
    pub(crate) about: String,
    /// Whether the channel has a workflow.
    pub(crate) workflow: bool,
}

impl Entry {
    /// Whether it is muted.
    pub(crate) fn muted(&self) -> bool {
        self.level == AttentionLevel::Nothing
    }

    /// How much of it waits for the person: direct messages or mentions; nothing when it is muted.
    pub(crate) fn waiting(&self) -> i64 {
        let kind = if self.partner.is_some() { ConversationKind::Dm } else { ConversationKind::Channel };
        waiting(kind, self.level, self.unread, self.mentions)
    }

    /// Unread messages that mention the person; none when it is muted.
    pub(crate) fn mentioned(&self) -> i64 {
        if self.muted() { 0 } else { self.mentions }
    }

    /// Unread messages; none when it is muted.
    pub(crate) fn counted(&self) -> i64 {
        if self.muted() { 0 } else { self.unread }
    }
}

/// The list of conversations.
#[derive(Debug, Default)]
pub(crate) struct Conversations {
    entries: Vec<Entry>,
    /// The selected one.
    pub(crate) selection: Selection,
    /// Whether they have been read once.
    pub(crate) known: bool,
    loading: bool,
    again: bool,
}

/// The answers that make the list.
type Lists = (Vec<Channel>, Vec<Partner>, Vec<Unread>);

impl Conversations {
    /// The conversations: channels by name, then direct messages, the latest first.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of a conversation.
    pub(crate) fn entry(&self, place: &Place) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.place == *place)
    }

    /// The entry that is selected in the list.
    pub(crate) fn selected(&self) -> Option<&Entry> {
        self.entries.get(self.selection.index)
    }

    /// Selects a conversation in the list.
    pub(crate) fn select(&mut self, place: &Place) {
        if let Some(index) = self.entries.iter().position(|entry| entry.place == *place) {
            self.selection.index = index;
        }
    }

    /// Records that a conversation is read, before the live feed says so.
    pub(crate) fn read(&mut self, place: &Place) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.place == *place) {
            (entry.unread, entry.mentions) = (0, 0);
        }
    }

    /// The next conversation with unread messages after `here`: mentions and direct messages first.
    pub(crate) fn next_unread(&self, here: Option<&Place>) -> Option<Place> {
        let start = here.and_then(|here| self.entries.iter().position(|entry| entry.place == *here));
        let start = start.map_or(0, |index| index + 1);
        let turned = || {
            self.entries.iter().cycle().skip(start).take(self.entries.len()).filter(|entry| Some(&entry.place) != here)
        };
        let urgent = turned().find(|entry| entry.waiting() > 0);
        urgent.or_else(|| turned().find(|entry| entry.counted() > 0)).map(|entry| entry.place.clone())
    }

    /// Asks the hub for the list.
    pub(crate) fn load(context: &mut Context<'_>) {
        let conversations = &mut context.shared.conversations;
        if conversations.loading {
            conversations.again = true;
            return;
        }
        conversations.loading = true;
        context.ask_shared(
            |hub| async move { tokio::try_join!(hub.channels(), hub.partners(), hub.unread()) },
            |answer: Result<Lists>, context| {
                let conversations = &mut context.shared.conversations;
                conversations.loading = false;
                let again = std::mem::take(&mut conversations.again);
                match answer {
                    Ok(lists) => conversations.set(lists),
                    Err(failure) => context.fail(&failure),
                }
                if again {
                    Self::load(context);
                }
            },
        );
    }

    fn set(&mut self, (channels, partners, unread): Lists) {
        let chosen = self.selected().map(|entry| entry.place.clone());
        let counts = |place: &Place| unread.iter().find(|unread| is_of(unread.kind, &unread.name, place));
        let mut joined: Vec<_> = channels.into_iter().filter(|channel| channel.is_member).collect();
        joined.sort_by(|one, other| one.name.cmp(&other.name));
        let channels = joined.into_iter().map(|channel| {
            let place = Place::Channel(channel.name.clone());
            let level = counts(&place).map_or_else(AttentionLevel::default, |unread| unread.level);
            Entry {
                unread: channel.unread,
                mentions: channel.mentions,
                level,
                partner: None,
                latest: channel.last_message_id,
                about: if channel.topic.is_empty() { channel.description } else { channel.topic },
                workflow: channel.workflow_enabled,
                place,
            }
        });
        let direct = partners.into_iter().map(|partner| {
            let place = Place::Direct(partner.name.clone());
            let level = counts(&place).map_or_else(AttentionLevel::default, |unread| unread.level);
            Entry {
                unread: partner.unread - partner.mention_copies,
                mentions: 0,
                level,
                partner: Some(partner.kind),
                latest: Some(partner.last_message_id),
                about: partner.display_name,
                workflow: false,
                place,
            }
        });
        self.entries = channels.chain(direct).collect();
        self.known = true;
        if let Some(place) = chosen {
            self.select(&place);
        }
    }

    /// Takes news into the list. Returns whether the list must be read again.
    pub(crate) fn news(&mut self, news: &LiveBody, me: &str) -> bool {
        match news {
            LiveBody::UnreadUpdate(news) => {
                let kind = if news.kind == "channel" { ConversationKind::Channel } else { ConversationKind::Dm };
                let Some(entry) = self.entries.iter_mut().find(|entry| is_of(kind, &news.name, &entry.place)) else {
                    return true;
                };
                entry.unread = news.unread - news.mention_copies;
                entry.mentions = news.mentions;
                false
            }
            // What notifies the person of a mention is in no direct conversation.
            LiveBody::NewMessage(news) if news.mention_of.is_some() && news.to.as_deref() == Some(me) => false,
            LiveBody::NewMessage(news) => {
                let Some(place) = Place::of_news(news, me) else { return false };
                match self.entries.iter_mut().find(|entry| entry.place == place) {
                    Some(entry) => {
                        entry.latest = entry.latest.max(Some(news.message_id));
                        false
                    }
                    // A public channel that was not joined has no entry, and neither has a conversation between others.
                    None => matches!(place, Place::Direct(_)),
                }
            }
            LiveBody::ChannelChanged(_) | LiveBody::NotificationSettingsChanged(_) => true,
            _ => false,
        }
    }
}

fn is_of(kind: ConversationKind, name: &str, place: &Place) -> bool {
    place.own() == Some((kind, name))
}
