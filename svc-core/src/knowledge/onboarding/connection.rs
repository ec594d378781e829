//! Whether an agent has been seen, by which door, when.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_model::api_keys::KeyKind;

use crate::limits;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// What is known about an agent's connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Connection {
    /// The agent.
    pub agent: String,
    /// Whether it was seen during the last five minutes.
    pub connected: bool,
    /// Through which door it was last seen, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    /// When it was last seen; absent for one that never was, or not for as long as traces are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What its client calls itself, where that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The key that was used last, of those that still work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<SeenCredential>,
    /// What to do, when it is not connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

crate::row! {
    /// A key of an agent's that was used.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct SeenCredential {
        /// What its owner calls it; the agent's name for its own key.
        pub name: String,
        /// Which kind it is.
        pub kind: KeyKind,
        /// When it was last used, to the minute.
        pub used_at: Timestamp,
    }
}

/// A visit of the agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) surface: Option<Surface>,
    pub(super) at: Timestamp,
    pub(super) client: Option<String>,
}

impl Sighting {
    /// From a trace; what the client calls itself is there where the door knows it.
    pub(super) fn traced(surface: Surface, details: &Value, at: Timestamp) -> Self {
        let client = details.get("client").and_then(Value::as_str).map(ToOwned::to_owned);
        Self { surface: Some(surface), at, client }
    }
}

/// The newest of what is known, and what to do.
pub(super) fn judge(
    agent: &str,
    seen: Option<Sighting>,
    credential: Option<SeenCredential>,
    now: Timestamp,
) -> Connection {
    // A use of a key is noted to the minute, so a trace of the same visit may be older or newer.
    let used = credential.as_ref().map(|key| Sighting { surface: None, at: key.used_at, client: None });
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
            "{agent} has been quiet for more than five minutes. Let it call my_status; if it cannot, see that its \
             client has the key that works now and this hub's address."
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

    fn traced(seconds: u64) -> Sighting {
        Sighting::traced(Surface::Mcp, &serde_json::json!({ "client": "editor 1" }), at(seconds))
    }

    fn key(seconds: u64) -> SeenCredential {
        SeenCredential { name: "builder".into(), kind: KeyKind::Agent, used_at: at(seconds) }
    }

    #[test]
    fn who_was_never_seen_is_told_how_to_begin() {
        let connection = judge("builder", None, None, at(1000));
        assert!(!connection.connected && connection.at.is_none());
        assert!(connection.hint.unwrap().contains("not been seen yet"));
    }

    #[test]
    fn five_minutes_are_recent() {
        for (ago, connected) in [(0, true), (300, true), (301, false)] {
            let connection = judge("builder", Some(traced(1000)), None, at(1000 + ago));
            assert_eq!((connection.connected, connection.hint.is_none()), (connected, connected), "{ago}");
            assert_eq!((connection.surface, connection.at), (Some(Surface::Mcp), Some(at(1000))));
            assert_eq!(connection.client.as_deref(), Some("editor 1"));
        }
    }

    #[test]
    fn the_newer_fact_counts_and_a_trace_says_more_than_a_use_of_a_key() {
        let same = judge("builder", Some(traced(1000)), Some(key(1030)), at(1100));
        assert_eq!((same.surface, same.at), (Some(Surface::Mcp), Some(at(1000))));
        let later = judge("builder", Some(traced(1000)), Some(key(2000)), at(2100));
        assert_eq!((later.connected, later.surface, later.at), (true, None, Some(at(2000))));
        let alone = judge("builder", None, Some(key(2000)), at(2100));
        assert!(alone.connected && alone.credential.is_some());
    }
}
