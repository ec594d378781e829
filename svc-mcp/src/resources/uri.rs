//! URIs of resources: `svc://inbox`, `svc://channels/{name}`, `svc://messages/{id}`, `svc://goals/{id}`,
//! `svc://wiki/{slug}`, `svc://skills/{name}`.
//!
//! Invariants: a printed URI parses to the same address; anything else than the exact notation is rejected.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use svc_core::ids::{GoalId, MessageId};
use svc_core::{Caller, Result};

const SCHEME: &str = "svc://";
/// The longest accepted URI, in bytes.
const LONGEST: usize = 1024;
/// Characters that are percent-encoded because they have a meaning in URIs.
const SPECIAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A parsed resource URI.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Address {
    /// The caller's inbox.
    Inbox,
    /// A channel by name.
    Channel(String),
    /// A message.
    Message(MessageId),
    /// A goal.
    Goal(GoalId),
    /// An article of the wiki by slug.
    Article(String),
    /// A skill by name.
    Skill(String),
}

impl Address {
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME).filter(|_| uri.len() <= LONGEST)?;
        if rest == "inbox" {
            return Some(Self::Inbox);
        }
        let (kind, name) = rest.split_once('/')?;
        if name.contains(['/', '?', '#']) || !is_encoded(name) {
            return None;
        }
        let name = percent_decode_str(name).decode_utf8().ok()?;
        if name.is_empty() || name.contains(char::is_control) {
            return None;
        }
        match kind {
            "channels" => Some(Self::Channel(name.into_owned())),
            "messages" => number(&name).map(MessageId).map(Self::Message),
            "goals" => number(&name).map(GoalId).map(Self::Goal),
            "wiki" => Some(Self::Article(name.into_owned())),
            "skills" => Some(Self::Skill(name.into_owned())),
            _ => None,
        }
    }

    /// The tool that returns the same content. An agent that may not call it may not read the resource.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        match self {
            Self::Inbox => Some("read_inbox"),
            Self::Channel(_) => Some("get_channel_messages"),
            Self::Message(_) => Some("get_message"),
            Self::Goal(_) => Some("get_goal"),
            Self::Article(_) => Some("get_article"),
            Self::Skill(_) => None,
        }
    }

    /// Fails unless the caller may call the tool of this resource.
    pub(crate) fn require(&self, caller: &Caller) -> Result<()> {
        self.tool().map_or(Ok(()), |tool| caller.require_tool(tool))
    }

    pub(crate) fn print(&self) -> String {
        match self {
            Self::Inbox => format!("{SCHEME}inbox"),
            Self::Channel(name) => format!("{SCHEME}channels/{}", utf8_percent_encode(name, SPECIAL)),
            Self::Message(id) => format!("{SCHEME}messages/{id}"),
            Self::Goal(id) => format!("{SCHEME}goals/{id}"),
            Self::Article(slug) => format!("{SCHEME}wiki/{}", utf8_percent_encode(slug, SPECIAL)),
            Self::Skill(name) => format!("{SCHEME}skills/{}", utf8_percent_encode(name, SPECIAL)),
        }
    }
}

/// Whether every `%` starts an encoded byte.
fn is_encoded(text: &str) -> bool {
    let is_byte = |after: &str| after.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    text.split('%').skip(1).all(is_byte)
}

/// A number in its canonical notation only.
fn number(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| *number > 0 && number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn valid_uris_are_parsed_and_others_are_rejected() {
        let channel = |name: &str| Some(Address::Channel(name.into()));
        assert_eq!(Address::parse("svc://inbox"), Some(Address::Inbox));
        assert_eq!(Address::parse("svc://channels/general"), channel("general"));
        assert_eq!(Address::parse("svc://channels/b%C3%BCro%20%231"), channel("büro #1"));
        assert_eq!(Address::parse("svc://messages/42"), Some(Address::Message(MessageId(42))));
        assert_eq!(Address::parse("svc://goals/7"), Some(Address::Goal(GoalId(7))));
        assert_eq!(Address::parse("svc://wiki/how-we-deploy"), Some(Address::Article("how-we-deploy".into())));
        for bad in [
            "",
            "inbox",
            "svc:inbox",
            "SVC://inbox",
            "svc://inbox/",
            "svc://inbox?x=1",
            "svc://channels",
            "svc://channels/",
            "svc://channels/a/b",
            "svc://channels/a?b",
            "svc://channels/%",
            "svc://channels/%4",
            "svc://channels/%zz",
            "svc://channels/%ff",
            "svc://channels/%00",
            "svc://messages/0",
            "svc://messages/-1",
            "svc://messages/+1",
            "svc://messages/01",
            "svc://messages/x",
            "svc://messages/99999999999999999999",
            "svc://other/x",
            "http://inbox",
        ] {
            assert_eq!(Address::parse(bad), None, "{bad}");
        }
        assert_eq!(Address::parse(&format!("svc://channels/{}", "x".repeat(LONGEST))), None);
    }

    proptest! {
        #[test]
        fn printed_uris_round_trip(name in "\\PC{1,60}", id in 1_i64..) {
            prop_assume!(!name.contains(char::is_control));
            for address in [Address::Channel(name.clone()), Address::Skill(name), Address::Message(MessageId(id))] {
                prop_assert_eq!(Address::parse(&address.print()), Some(address));
            }
        }

        #[test]
        fn arbitrary_text_never_panics(text in "(svc://)?\\PC{0,80}") {
            if let Some(address) = Address::parse(&text) {
                prop_assert_eq!(Address::parse(&address.print()), Some(address));
            }
        }
    }
}
