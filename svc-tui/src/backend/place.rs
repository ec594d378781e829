//! Conversations, and the one that a message belongs to.

use svc_core::conversations::ConversationKind;
use svc_core::live::MessageNews;
use svc_core::messages::Message;

/// A conversation: a channel, or direct messages.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A channel, by its name.
    Channel(String),
    /// Direct messages, by the handle of the other participant.
    Direct(String),
    /// Direct messages between an agent of the person and somebody else, by both handles in alphabetical order. They
    /// can only be read.
    Between(String, String),
}

impl Place {
    /// The conversation of a message, as seen by the participant `me`.
    pub(crate) fn of(message: &Message, me: &str) -> Option<Self> {
        Self::from_parts(message.channel.as_deref(), &message.from, message.to.as_deref(), me)
    }

    /// The conversation of a new message, as seen by the participant `me`.
    pub(crate) fn of_news(news: &MessageNews, me: &str) -> Option<Self> {
        Self::from_parts(news.channel.as_deref(), &news.from, news.to.as_deref(), me)
    }

    fn from_parts(channel: Option<&str>, from: &str, to: Option<&str>, me: &str) -> Option<Self> {
        if let Some(channel) = channel {
            return Some(Self::Channel(channel.to_owned()));
        }
        let to = to?;
        Some(match (from == me, to == me) {
            (true, _) => Self::Direct(to.to_owned()),
            (false, true) => Self::Direct(from.to_owned()),
            (false, false) => Self::Between(from.min(to).to_owned(), from.max(to).to_owned()),
        })
    }

    /// The name, such as `#ops` or `@bob`. It is not clean.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Channel(name) => format!("#{name}"),
            Self::Direct(handle) => format!("@{handle}"),
            Self::Between(one, other) => format!("@{one} and @{other}"),
        }
    }

    /// How the hub names a conversation in which the person takes part; none for one between others.
    pub(crate) fn own(&self) -> Option<(ConversationKind, &str)> {
        match self {
            Self::Channel(name) => Some((ConversationKind::Channel, name)),
            Self::Direct(handle) => Some((ConversationKind::Dm, handle)),
            Self::Between(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_one_conversation() {
        let place = |channel, from, to| Place::from_parts(channel, from, to, "ann");
        let direct = |name: &str| Some(Place::Direct(name.into()));
        assert_eq!(place(None, "ann", Some("bob")), direct("bob"));
        assert_eq!(place(None, "bob", Some("ann")), direct("bob"));
        let between = Some(Place::Between("eve".into(), "scout".into()));
        assert_eq!(place(None, "scout", Some("eve")), between);
        assert_eq!(place(None, "eve", Some("scout")), between);
        assert_eq!(place(Some("ops"), "eve", None), Some(Place::Channel("ops".into())));
        assert_eq!(place(None, "eve", None), None);
    }
}
