//! What a feed knows about its caller, and with that, who sees what.
//!
//! What always holds: the rule is that of [`viewer`](crate::messaging::messages::sight). A view is loaded from
//! the store and never changed: it is loaded again at every event by which its caller may see more or
//! less, before that event and those after it are judged.
//!
//! An event says whether its channel was public when it happened, which decides for what happens
//! after the view was loaded. What had happened by then is replayed, and for that the present counts:
//! a channel that is private by now is `hidden` from those who are not in it.

use super::decode::{About, News};
use super::marks::Marks;
use crate::identity::auth::{Actor, Caller, Credential};
use crate::ids::{ChannelId, EventSeq, ParticipantId, UserId};

/// Who looks.
#[derive(Debug, Clone)]
pub(super) struct Eyes {
    pub(super) actor: Watcher,
    /// The names of the channels that the key is limited to; none named is all.
    pub(super) channels: Vec<String>,
}

/// Who looks, without the limits of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Watcher {
    /// Whoever holds the process.
    Root,
    /// A human, with the eyes of all their agents.
    Human(UserId),
    /// An agent.
    Agent { id: ParticipantId, name: String, owner: UserId },
}

impl Eyes {
    pub(super) fn of(caller: &Caller) -> Self {
        let actor = match caller.actor() {
            Actor::Root => Watcher::Root,
            Actor::User(user) => Watcher::Human(user.id),
            Actor::Agent(agent) => {
                Watcher::Agent { id: ParticipantId(agent.id.0), name: agent.name.to_string(), owner: agent.owner }
            }
        };
        let channels = match caller.credential() {
            Credential::ManagedKey(limits) => limits.allowed_channels.clone(),
            _ => Vec::new(),
        };
        Self { actor, channels }
    }

    /// The participant itself.
    pub(super) fn me(&self) -> Option<ParticipantId> {
        match &self.actor {
            Watcher::Root => None,
            Watcher::Human(user) => Some(ParticipantId(user.0)),
            Watcher::Agent { id, .. } => Some(*id),
        }
    }

    /// Whether this participant, or one of this human's, is among the eyes.
    fn include(&self, participant: Option<ParticipantId>, owner: Option<UserId>) -> bool {
        match &self.actor {
            Watcher::Root => false,
            Watcher::Human(user) => owner == Some(*user) || participant == Some(ParticipantId(user.0)),
            Watcher::Agent { id, .. } => participant == Some(*id),
        }
    }

    /// Whether the key is for this channel; what lies in none is for keys without such a limit.
    fn may_use(&self, channel: Option<&str>) -> bool {
        self.channels.is_empty() || channel.is_some_and(|name| self.channels.iter().any(|allowed| allowed == name))
    }
}

/// Who looks, and what was theirs to see when it was loaded.
#[derive(Debug)]
pub(super) struct View {
    pub(super) eyes: Eyes,
    /// Channels that one of the eyes is a member of, in order, and whether the caller itself is.
    pub(super) member: Vec<(ChannelId, bool)>,
    /// Private channels, in order, that none of them is a member of; what was replayed needs them.
    pub(super) hidden: Vec<ChannelId>,
    /// Where the log ended just before.
    pub(super) head: EventSeq,
}

impl View {
    /// Whether the caller is told.
    pub(super) fn sees(&self, news: &News) -> bool {
        if self.eyes.actor == Watcher::Root {
            return true;
        }
        let marks = &news.marks;
        match news.about {
            About::Sent | About::Message => match marks.channel_id {
                None => self.eyes.channels.is_empty() && self.takes_part(marks),
                Some(id) => self.eyes.may_use(marks.channel.as_deref()) && self.sees_channel(news, id),
            },
            About::Channel | About::Membership => {
                self.eyes.may_use(marks.channel.as_deref())
                    && (self.concerns_membership(news)
                        || marks.channel_id.is_some_and(|id| self.sees_channel(news, id)))
            }
            About::Agent(_) => self.eyes.channels.is_empty() && self.is_own_agent(marks),
            // Everybody may ask how machines are, and people look at it.
            About::Machine => self.eyes.channels.is_empty() && matches!(self.eyes.actor, Watcher::Human(_)),
            About::Task => match marks.channel_id {
                None => self.eyes.channels.is_empty(),
                Some(id) => {
                    (self.eyes.may_use(marks.channel.as_deref()) && self.sees_channel(news, id))
                        || (self.eyes.channels.is_empty() && self.takes_part(marks))
                }
            },
            About::DeadLetters => {
                self.eyes.channels.is_empty()
                    && matches!(&self.eyes.actor, Watcher::Human(user) if marks.owner_id == Some(*user))
            }
            About::Cursor | About::Credentials | About::Nothing => false,
        }
    }

    /// Whether this is how far the caller itself has read.
    pub(super) fn is_own_cursor(&self, news: &News) -> bool {
        news.about == About::Cursor
            && news.marks.participant_id.is_some()
            && self.eyes.me() == news.marks.participant_id
    }

    /// Whether the caller may see more or less from this event on.
    pub(super) fn is_changed_by(&self, news: &News) -> bool {
        match news.about {
            // Who came or went may be one of the human's agents when the event does not name its owner.
            About::Membership => {
                let unclear = news.marks.owner_id.is_none() && matches!(self.eyes.actor, Watcher::Human(_));
                unclear || self.concerns_membership(news)
            }
            About::Agent(true) => match &self.eyes.actor {
                Watcher::Human(user) => news.marks.owner_id == Some(*user),
                Watcher::Root | Watcher::Agent { .. } => false,
            },
            _ => false,
        }
    }

    /// Whether the caller's credential may have ended here.
    pub(super) fn may_end_with(&self, news: &News) -> bool {
        let owner = match &self.eyes.actor {
            Watcher::Root => return false,
            Watcher::Human(user) => *user,
            Watcher::Agent { owner, .. } => *owner,
        };
        let told = matches!(news.about, About::Credentials | About::Agent(true));
        // An entry that names no human may concern anybody.
        told && news.marks.owner_id.is_none_or(|ended| ended == owner)
    }

    /// Whether it mentions the caller.
    pub(super) fn is_mentioned(&self, news: &News) -> bool {
        let Some(me) = self.eyes.me() else { return false };
        let marks = &news.marks;
        marks.mentioned.contains(&me) || (marks.mention_of.is_some() && marks.recipient_id == Some(me))
    }

    /// Whether a message that was sent counts as unread for the caller.
    pub(super) fn counts(&self, news: &News) -> bool {
        let Some(me) = self.eyes.me() else { return false };
        let marks = &news.marks;
        if news.about != About::Sent || marks.sender_id == Some(me) {
            return false;
        }
        match marks.channel_id {
            None => marks.recipient_id == Some(me),
            Some(id) => self.membership(id) == Some(true),
        }
    }

    fn takes_part(&self, marks: &Marks) -> bool {
        self.eyes.include(marks.sender_id, marks.sender_owner_id)
            || self.eyes.include(marks.recipient_id, marks.recipient_owner_id)
    }

    /// Whether one of the eyes came or went.
    fn concerns_membership(&self, news: &News) -> bool {
        news.about == About::Membership && self.eyes.include(news.marks.participant_id, news.marks.owner_id)
    }

    fn is_own_agent(&self, marks: &Marks) -> bool {
        match &self.eyes.actor {
            Watcher::Root => true,
            Watcher::Human(user) => marks.owner_id == Some(*user),
            Watcher::Agent { id, name, .. } => {
                marks.agent_id.is_some_and(|agent| agent.0 == id.0) || marks.agent.as_ref() == Some(name)
            }
        }
    }

    fn sees_channel(&self, news: &News, id: ChannelId) -> bool {
        let hidden = news.seq <= self.head && self.hidden.binary_search(&id).is_ok();
        self.membership(id).is_some() || (news.marks.public && !hidden)
    }

    /// Whether the caller itself is a member; `None` when none of the eyes is.
    fn membership(&self, id: ChannelId) -> Option<bool> {
        let found = self.member.binary_search_by_key(&id, |(channel, _)| *channel).ok()?;
        Some(self.member[found].1)
    }
}
