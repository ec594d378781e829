//! The connection state of an agent: whether, when and through which surface it was last seen.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_model::api_keys::KeyKind;

use crate::limits;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// The connection state of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Connection {
    /// The agent.
    pub agent: String,
    /// Whether it was seen in the last five minutes.
    pub connected: bool,
    /// The surface through which it was last seen, if recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    /// The time when it was last seen; absent if it never was, or not within the retention of
    /// traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The name that its client reported, if recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The most recently used key that is still valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<SeenCredential>,
    /// Instructions if it is not connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

crate::row! {
    /// A key of an agent that was used.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct SeenCredential {
        /// The name given by its owner; the agent's name for its own key.
        pub name: String,
        /// The kind of the key.
        pub kind: KeyKind,
        /// The time of its last use, to the minute.
        pub used_at: Timestamp,
    }
}

/// The last contact with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contact {
    pub(super) surface: Option<Surface>,
    pub(super) at: Timestamp,
    pub(super) client: Option<String>,
}

impl Contact {
    /// The contact recorded by a trace, with the client name if the surface knows it.
    pub(super) fn traced(surface: Surface, details: &Value, at: Timestamp) -> Self {
        let client = details.get("client").and_then(Value::as_str).map(ToOwned::to_owned);
        Self { surface: Some(surface), at, client }
    }
}

/// The connection state from the newest known contact, with instructions.
pub(super) fn connection_state(
    agent: &str,
    seen: Option<Contact>,
    credential: Option<SeenCredential>,
    now: Timestamp,
) -> Connection {
    // The use of a key is recorded to the minute, so a trace of the same request may be older or
    // newer.
    let used = credential.as_ref().map(|key| Contact { surface: None, at: key.used_at, client: None });
    let last = match (seen, used) {
        (Some(seen), Some(used)) if used.at.since(seen.at) > limits::USE_NOTED_EVERY => Some(used),
        (Some(seen), _) => Some(seen),
        (None, used) => used,
    };
    let connected = last.as_ref().is_some_and(|last| now.since(last.at) <= limits::AGENT_CONNECTED);
    let hint = match (&last, connected) {
        (_, true) => None,
        (None, false) => Some(format!(
            "{agent} has not been seen yet. Paste its configuration into its client, restart the client, and let \
             it call my_status."
        )),
        (Some(_), false) => Some(format!(
            "{agent} has been quiet for more than five minutes. Let it call my_status; if it cannot, check that its \
             client has a valid key and this hub's address."
        )),
    };
    let (surface, at, client) = last.map_or((None, None, None), |last| (last.surface, Some(last.at), last.client));
    Connection { agent: agent.to_owned(), connected, surface, at, client, credential, hint }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_secs(seconds))
    }

    fn traced(seconds: u64) -> Contact {
        Contact::traced(Surface::Mcp, &serde_json::json!({ "client": "editor 1" }), at(seconds))
    }

    fn key(seconds: u64) -> SeenCredential {
        SeenCredential { name: "builder".into(), kind: KeyKind::Agent, used_at: at(seconds) }
    }

    #[test]
    fn an_agent_never_seen_gets_a_hint() {
        let connection = connection_state("builder", None, None, at(1000));
        assert!(!connection.connected && connection.at.is_none());
        assert!(connection.hint.unwrap().contains("not been seen yet"));
    }

    #[test]
    fn five_minutes_are_recent() {
        for (ago, connected) in [(0, true), (300, true), (301, false)] {
            let connection = connection_state("builder", Some(traced(1000)), None, at(1000 + ago));
            assert_eq!((connection.connected, connection.hint.is_none()), (connected, connected), "{ago}");
            assert_eq!((connection.surface, connection.at), (Some(Surface::Mcp), Some(at(1000))));
            assert_eq!(connection.client.as_deref(), Some("editor 1"));
        }
    }

    #[test]
    fn the_newer_contact_wins_and_traces_are_preferred() {
        let same = connection_state("builder", Some(traced(1000)), Some(key(1030)), at(1100));
        assert_eq!((same.surface, same.at), (Some(Surface::Mcp), Some(at(1000))));
        let later = connection_state("builder", Some(traced(1000)), Some(key(2000)), at(2100));
        assert_eq!((later.connected, later.surface, later.at), (true, None, Some(at(2000))));
        let alone = connection_state("builder", None, Some(key(2000)), at(2100));
        assert!(alone.connected && alone.credential.is_some());
    }
}
