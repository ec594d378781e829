//! Maps events to the resources that they change, and to the subscribers of those.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::ids::MessageId;
use svc_core::live::LiveBody;

use super::uri::Address;

/// The URIs that a client is subscribed to, each in the client's own notation.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    by_address: BTreeMap<Address, BTreeSet<String>>,
    by_uri: BTreeMap<String, Address>,
}

impl Watched {
    pub(crate) fn add(&mut self, address: Address, uri: String) {
        self.remove(&uri);
        self.by_address.entry(address.clone()).or_default().insert(uri.clone());
        self.by_uri.insert(uri, address);
    }

    pub(crate) fn remove(&mut self, uri: &str) {
        let Some(address) = self.by_uri.remove(uri) else { return };
        if let Some(uris) = self.by_address.get_mut(&address) {
            uris.remove(uri);
            if uris.is_empty() {
                self.by_address.remove(&address);
            }
        }
    }

    /// Follows an article to its new slug: its former one still leads to it.
    pub(crate) fn follow(&mut self, from: &Address, to: &Address) {
        for uri in self.by_address.remove(from).unwrap_or_default() {
            self.add(to.clone(), uri);
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn len(&self) -> usize {
        self.by_uri.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_uri.is_empty()
    }

    pub(crate) fn holds(&self, uri: &str) -> bool {
        self.by_uri.contains_key(uri)
    }

    /// Whether the client is subscribed to this address.
    pub(crate) fn wants(&self, address: &Address) -> bool {
        self.by_address.contains_key(address)
    }

    /// Whether the client is subscribed to any message.
    pub(crate) fn wants_messages(&self) -> bool {
        self.by_address.keys().any(|address| matches!(address, Address::Message(_)))
    }

    /// The client's notations of this address.
    pub(crate) fn uris(&self, address: &Address) -> impl Iterator<Item = &String> {
        self.by_address.get(address).into_iter().flatten()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.by_uri.keys()
    }
}

/// The resources that an event changes for `me`, as far as the event itself tells.
pub(crate) fn touched(me: &str, body: &LiveBody) -> Vec<Address> {
    let both = |channel: &Option<String>, id: MessageId| {
        let channel = channel.clone().map(Address::Channel);
        channel.into_iter().chain([Address::Message(id)]).collect()
    };
    match body {
        LiveBody::NewMessage(news) => match &news.channel {
            Some(channel) => vec![Address::Channel(channel.clone())],
            None if news.to.as_deref() == Some(me) => vec![Address::Inbox],
            None => Vec::new(),
        },
        LiveBody::MessageUpdated(news) => both(&news.channel, news.message_id),
        LiveBody::MessageEdited(news) => both(&news.channel, news.message_id),
        LiveBody::MessageDeleted(news) => both(&news.channel, news.message_id),
        LiveBody::ReactionChanged(news) => both(&news.channel, news.message_id),
        LiveBody::WorkflowStateChanged(news) => both(&news.channel, news.message_id),
        LiveBody::ChannelChanged(news) => vec![Address::Channel(news.channel.clone())],
        LiveBody::GoalChanged(news) => vec![Address::Goal(news.goal_id)],
        LiveBody::WikiChanged(news) => [Some(&news.slug), news.renamed_from.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .map(Address::Article)
            .collect(),
        _ => Vec::new(),
    }
}

/// The message that must be loaded to know all resources that an event changes: the event contains neither the
/// recipient of an updated message nor the message that a new one replies to.
pub(crate) fn needs_look(watched: &Watched, body: &LiveBody) -> Option<MessageId> {
    match body {
        LiveBody::NewMessage(news) if watched.wants_messages() => Some(news.message_id),
        LiveBody::MessageUpdated(news) if news.channel.is_none() && watched.wants(&Address::Inbox) => {
            Some(news.message_id)
        }
        LiveBody::MessageEdited(news) if news.channel.is_none() && watched.wants(&Address::Inbox) => {
            Some(news.message_id)
        }
        LiveBody::MessageDeleted(news) if news.channel.is_none() && watched.wants(&Address::Inbox) => {
            Some(news.message_id)
        }
        _ => None,
    }
}

/// The addresses of an article before and after it was renamed, if that is the event.
pub(crate) fn renamed(body: &LiveBody) -> Option<(Address, Address)> {
    let LiveBody::WikiChanged(news) = body else { return None };
    news.renamed_from.clone().map(|from| (Address::Article(from), Address::Article(news.slug.clone())))
}

/// Whether an event changes the resource list of `me`.
pub(crate) fn changes_list(me: &str, body: &LiveBody) -> bool {
    let LiveBody::ChannelChanged(news) = body else { return false };
    match news.action.as_str() {
        "archived" => true,
        // The creator of a channel is its first member, which is an event of its own.
        "member_joined" | "member_left" => news.member.as_deref() == Some(me),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use svc_core::goals::GoalStatus;
    use svc_core::ids::{ConversationId, GoalId};
    use svc_core::live::{ChannelNews, ReactionNews, UpdateNews};
    use svc_core::model::live::{GoalNews, WikiNews};
    use svc_core::wiki::WikiAction;

    use super::*;

    fn channel(action: &str, by: &str, member: Option<&str>) -> LiveBody {
        LiveBody::ChannelChanged(ChannelNews {
            channel: "ops".into(),
            action: action.into(),
            by: Some(by.into()),
            member: member.map(ToOwned::to_owned),
        })
    }

    #[test]
    fn a_membership_change_affects_only_its_participant() {
        assert!(changes_list("scout", &channel("member_joined", "ann", Some("scout"))));
        assert!(changes_list("scout", &channel("member_left", "scout", Some("scout"))));
        assert!(!changes_list("scout", &channel("created", "scout", None)), "its first member joins");
        assert!(!changes_list("scout", &channel("member_joined", "scout", Some("critic"))));
        assert!(!changes_list("scout", &channel("updated", "scout", None)));
    }

    #[test]
    fn an_event_names_the_resources_that_it_changes() {
        let reaction = LiveBody::ReactionChanged(ReactionNews {
            message_id: MessageId(7),
            conversation_id: ConversationId(1),
            channel: Some("ops".into()),
            by: "ann".into(),
            reaction: "approve".into(),
            action: "added".into(),
            workflow_state: None,
        });
        let expected = [Address::Channel("ops".into()), Address::Message(MessageId(7))];
        assert_eq!(touched("scout", &reaction), expected);
        assert_eq!(touched("scout", &channel("updated", "ann", None)), expected[..1]);
        let goal = LiveBody::GoalChanged(GoalNews {
            goal_id: GoalId(5),
            slug: "handbook".into(),
            title: "Handbook".into(),
            status: GoalStatus::Active,
            task_id: None,
            task_status: None,
            proposal: None,
            by: None,
        });
        assert_eq!(touched("scout", &goal), [Address::Goal(GoalId(5))]);
        assert!(touched("scout", &LiveBody::Alive).is_empty());
    }

    #[test]
    fn a_subscription_follows_an_article_that_is_renamed() {
        let article = |slug: &str| Address::Article(slug.into());
        let changed = |slug: &str, renamed_from: Option<&str>| {
            LiveBody::WikiChanged(WikiNews {
                slug: slug.into(),
                renamed_from: renamed_from.map(ToOwned::to_owned),
                title: "Deploy".into(),
                revision: 2,
                action: WikiAction::Renamed,
                by: None,
            })
        };
        let mut watched = Watched::default();
        watched.add(article("old"), "svc://wiki/old".into());
        let rename = changed("new", Some("old"));
        assert_eq!(touched("scout", &rename), [article("new"), article("old")]);
        let (from, to) = renamed(&rename).unwrap();
        watched.follow(&from, &to);
        assert_eq!(touched("scout", &changed("new", None)), [article("new")]);
        assert_eq!(watched.uris(&article("new")).collect::<Vec<_>>(), ["svc://wiki/old"]);
        assert!(!watched.wants(&article("old")) && watched.len() == 1);
        watched.remove("svc://wiki/old");
        assert!(watched.is_empty() && renamed(&changed("new", None)).is_none());
    }

    #[test]
    fn a_message_is_loaded_only_when_it_can_matter() {
        let update = LiveBody::MessageUpdated(UpdateNews {
            message_id: MessageId(7),
            conversation_id: ConversationId(1),
            channel: None,
            status: None,
            claimed_by: None,
            attempts: None,
            reason: None,
            workflow_state: None,
            escalated_at: None,
        });
        let mut watched = Watched::default();
        assert_eq!(needs_look(&watched, &update), None);
        watched.add(Address::Inbox, "svc://inbox".into());
        assert_eq!(needs_look(&watched, &update), Some(MessageId(7)));
        watched.remove("svc://inbox");
        assert!(watched.is_empty() && !watched.wants(&Address::Inbox));
    }

    #[test]
    fn uris_keep_the_notation_of_the_client() {
        let mut watched = Watched::default();
        for uri in ["svc://channels/ops", "svc://channels/%6fps", "svc://channels/ops"] {
            watched.add(Address::Channel("ops".into()), uri.into());
        }
        assert_eq!((watched.len(), watched.uris(&Address::Channel("ops".into())).count()), (2, 2));
        watched.remove("svc://channels/ops");
        let left: Vec<_> = watched.uris(&Address::Channel("ops".into())).cloned().collect();
        assert_eq!(left, ["svc://channels/%6fps"]);
        watched.clear();
        assert!(watched.is_empty());
    }
}
