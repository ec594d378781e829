//! The visibility state of a feed.
//!
//! Invariant: the rule is that of [`viewer`](crate::messaging::messages::viewer). A view is loaded
//! from the store and never changed. It is loaded again at every event that may change what its
//! caller can see, before that event and later ones are filtered.
//!
//! An event records whether its channel was public at that time, which decides for events after the
//! view was loaded. Earlier events are replayed, and for those the present counts: a channel that
//! is private by now is `hidden` from non-members.

use super::decode::{DecodedEvent, Topic};
use super::routing::Routing;
use crate::identity::auth::{Actor, Caller, Credential};
use crate::ids::{ChannelId, EventSeq, ParticipantId, UserId};

/// The viewer of a feed.
#[derive(Debug, Clone)]
pub(super) struct FeedViewer {
    pub(super) actor: ViewerKind,
    /// The names of the channels that the key is limited to; empty for all.
    pub(super) channels: Vec<String>,
}

/// The viewer without the limits of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ViewerKind {
    /// The admin socket.
    Root,
    /// A human, who also sees what their agents see.
    Human(UserId),
    /// An agent.
    Agent { id: ParticipantId, name: String, owner: UserId },
}

impl FeedViewer {
    pub(super) fn of(caller: &Caller) -> Self {
        let actor = match caller.actor() {
            Actor::Root => ViewerKind::Root,
            Actor::User(user) => ViewerKind::Human(user.id),
            Actor::Agent(agent) => {
                ViewerKind::Agent { id: ParticipantId(agent.id.0), name: agent.name.to_string(), owner: agent.owner }
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
            ViewerKind::Root => None,
            ViewerKind::Human(user) => Some(ParticipantId(user.0)),
            ViewerKind::Agent { id, .. } => Some(*id),
        }
    }

    /// Whether the viewer is this participant, or the owner of it.
    fn include(&self, participant: Option<ParticipantId>, owner: Option<UserId>) -> bool {
        match &self.actor {
            ViewerKind::Root => false,
            ViewerKind::Human(user) => owner == Some(*user) || participant == Some(ParticipantId(user.0)),
            ViewerKind::Agent { id, .. } => participant == Some(*id),
        }
    }

    /// Whether the key may use this channel; events outside of channels need a key without such a
    /// limit.
    fn may_use(&self, channel: Option<&str>) -> bool {
        self.channels.is_empty() || channel.is_some_and(|name| self.channels.iter().any(|allowed| allowed == name))
    }
}

/// A viewer and its memberships when the view was loaded.
#[derive(Debug)]
pub(super) struct View {
    pub(super) viewer: FeedViewer,
    /// Channels of which the viewer or one of its agents is a member, in order, and whether the
    /// viewer itself is.
    pub(super) member: Vec<(ChannelId, bool)>,
    /// Private channels without such a membership, in order; needed for replayed events.
    pub(super) hidden: Vec<ChannelId>,
    /// The end of the log just before the view was loaded.
    pub(super) head: EventSeq,
}

impl View {
    /// Whether the caller receives an event.
    pub(super) fn sees(&self, decoded: &DecodedEvent) -> bool {
        if self.viewer.actor == ViewerKind::Root {
            return true;
        }
        let routing = &decoded.routing;
        match decoded.topic {
            Topic::Sent | Topic::Message | Topic::Deleted => match routing.channel_id {
                None => self.viewer.channels.is_empty() && self.takes_part(routing),
                Some(id) => self.viewer.may_use(routing.channel.as_deref()) && self.sees_channel(decoded, id),
            },
            Topic::Channel | Topic::Membership => {
                self.viewer.may_use(routing.channel.as_deref())
                    && (self.concerns_membership(decoded)
                        || routing.channel_id.is_some_and(|id| self.sees_channel(decoded, id)))
            }
            Topic::Agent(_) | Topic::Run => self.viewer.channels.is_empty() && self.is_own_agent(routing),
            Topic::Goal => self.viewer.channels.is_empty() && self.is_of_owner(routing),
            // The wiki and the directory are shared by all but keys that are limited to channels.
            Topic::Wiki | Topic::Profile => self.viewer.channels.is_empty(),
            Topic::Loop => self.viewer.channels.is_empty() && self.takes_part(routing),
            // The state of machines is visible to everybody, and people watch it.
            Topic::Machine => self.viewer.channels.is_empty() && matches!(self.viewer.actor, ViewerKind::Human(_)),
            Topic::Task => match routing.channel_id {
                None => self.viewer.channels.is_empty(),
                Some(id) => {
                    (self.viewer.may_use(routing.channel.as_deref()) && self.sees_channel(decoded, id))
                        || (self.viewer.channels.is_empty() && self.takes_part(routing))
                }
            },
            Topic::DeadLetters | Topic::Settings => {
                self.viewer.channels.is_empty()
                    && matches!(&self.viewer.actor, ViewerKind::Human(user) if routing.owner_id == Some(*user))
            }
            // An agent learns of its own alone.
            Topic::Scheduled => {
                self.viewer.channels.is_empty() && self.viewer.include(routing.participant_id, routing.owner_id)
            }
            Topic::Cursor | Topic::Credentials | Topic::Nothing => false,
        }
    }

    /// Whether the event moved the caller's own read cursor.
    pub(super) fn is_own_cursor(&self, decoded: &DecodedEvent) -> bool {
        decoded.topic == Topic::Cursor
            && decoded.routing.participant_id.is_some()
            && self.viewer.me() == decoded.routing.participant_id
    }

    /// Whether the event changes what the caller can see.
    pub(super) fn is_changed_by(&self, decoded: &DecodedEvent) -> bool {
        match decoded.topic {
            // If the event names no owner, the member may be one of the human's agents.
            Topic::Membership => {
                let unclear = decoded.routing.owner_id.is_none() && matches!(self.viewer.actor, ViewerKind::Human(_));
                unclear || self.concerns_membership(decoded)
            }
            Topic::Agent(true) => match &self.viewer.actor {
                ViewerKind::Human(user) => decoded.routing.owner_id == Some(*user),
                ViewerKind::Root | ViewerKind::Agent { .. } => false,
            },
            _ => false,
        }
    }

    /// Whether the caller's credential may have ended with this event.
    pub(super) fn may_end_with(&self, decoded: &DecodedEvent) -> bool {
        let owner = match &self.viewer.actor {
            ViewerKind::Root => return false,
            ViewerKind::Human(user) => *user,
            ViewerKind::Agent { owner, .. } => *owner,
        };
        let relevant = match decoded.topic {
            Topic::Credentials | Topic::Agent(true) => true,
            // The credential of a run ends with it.
            Topic::Run => matches!(self.viewer.actor, ViewerKind::Agent { .. }),
            _ => false,
        };
        // An event that names no human may concern anybody.
        relevant && decoded.routing.owner_id.is_none_or(|ended| ended == owner)
    }

    /// Whether the event mentions the caller.
    pub(super) fn is_mentioned(&self, decoded: &DecodedEvent) -> bool {
        let Some(me) = self.viewer.me() else { return false };
        let routing = &decoded.routing;
        routing.mentioned.contains(&me) || (routing.mention_of.is_some() && routing.recipient_id == Some(me))
    }

    /// Whether a new or deleted message changes the number of unread messages of the caller.
    pub(super) fn counts(&self, decoded: &DecodedEvent) -> bool {
        let Some(me) = self.viewer.me() else { return false };
        let routing = &decoded.routing;
        if !matches!(decoded.topic, Topic::Sent | Topic::Deleted) || routing.sender_id == Some(me) {
            return false;
        }
        // A mention of a person is counted in its channel, also when they are no member.
        let is_person = matches!(self.viewer.actor, ViewerKind::Human(_));
        let is_mention = routing.mention_of.is_some() && is_person;
        // A deletion does not say whom the message mentioned.
        let may_mention = decoded.topic == Topic::Deleted && routing.public && is_person;
        match routing.channel_id {
            None => routing.recipient_id == Some(me) && !is_mention,
            Some(id) => self.membership(id) == Some(true) || routing.mentioned.contains(&me) || may_mention,
        }
    }

    fn takes_part(&self, routing: &Routing) -> bool {
        self.viewer.include(routing.sender_id, routing.sender_owner_id)
            || self.viewer.include(routing.recipient_id, routing.recipient_owner_id)
    }

    /// Whether the viewer or one of its agents joined or left.
    fn concerns_membership(&self, decoded: &DecodedEvent) -> bool {
        let routing = &decoded.routing;
        decoded.topic == Topic::Membership && self.viewer.include(routing.participant_id, routing.owner_id)
    }

    /// Whether the viewer is the human concerned, or one of their agents.
    fn is_of_owner(&self, routing: &Routing) -> bool {
        match &self.viewer.actor {
            ViewerKind::Root => true,
            ViewerKind::Human(user) => routing.owner_id == Some(*user),
            ViewerKind::Agent { owner, .. } => routing.owner_id == Some(*owner),
        }
    }

    fn is_own_agent(&self, routing: &Routing) -> bool {
        match &self.viewer.actor {
            ViewerKind::Root => true,
            ViewerKind::Human(user) => routing.owner_id == Some(*user),
            ViewerKind::Agent { id, name, .. } => {
                routing.agent_id.is_some_and(|agent| agent.0 == id.0) || routing.agent.as_ref() == Some(name)
            }
        }
    }

    fn sees_channel(&self, decoded: &DecodedEvent, id: ChannelId) -> bool {
        let hidden = decoded.seq <= self.head && self.hidden.binary_search(&id).is_ok();
        self.membership(id).is_some() || (decoded.routing.public && !hidden)
    }

    /// Whether the caller itself is a member; `None` if neither it nor one of its agents is.
    fn membership(&self, id: ChannelId) -> Option<bool> {
        let found = self.member.binary_search_by_key(&id, |(channel, _)| *channel).ok()?;
        Some(self.member[found].1)
    }
}
