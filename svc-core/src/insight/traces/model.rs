//! What a trace is, before and after it was written.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::ids::{TraceId, UserId};
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// An action that is about to be recorded.
#[derive(Debug, Clone)]
pub struct NewTrace {
    /// The human on whose behalf it was done; `None` for the hub's own actions.
    pub owner: Option<UserId>,
    /// The agent that did it, by name.
    pub agent: Option<String>,
    /// What was done: the name of an operation, `create_agent`, or dotted words, `server.started`.
    /// One of a fixed set, because metrics count by it.
    pub action: Cow<'static, str>,
    /// Through which door.
    pub surface: Surface,
    /// The request it belongs to.
    pub request_id: Option<String>,
    /// How long it took.
    pub duration: Duration,
    /// What else is worth knowing, as a JSON object; nothing is an empty one.
    pub details: Option<Box<RawValue>>,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

impl NewTrace {
    /// An action of the hub itself that took no time and did not fail.
    pub fn new(action: impl Into<Cow<'static, str>>, surface: Surface) -> Self {
        Self {
            owner: None,
            agent: None,
            action: action.into(),
            surface,
            request_id: None,
            duration: Duration::ZERO,
            details: None,
            error: None,
        }
    }
}

/// A trace with the time at which it was recorded, on its way to the store.
#[derive(Debug, Clone)]
pub(super) struct Stamped {
    pub(super) trace: NewTrace,
    pub(super) at: Timestamp,
}

crate::row! {
    /// A recorded action.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    #[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
    pub struct Trace {
        /// Its id.
        pub id: TraceId,
        /// The human on whose behalf it was done; absent for the hub's own actions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner_id: Option<UserId>,
        /// That human's handle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner: Option<String>,
        /// The agent that did it, by name; absent for what a human did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
        /// What was done. Over REST it is the operation's id, such as `create_agent`.
        pub action: String,
        /// Through which door.
        pub surface: Surface,
        /// The request it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request_id: Option<String>,
        /// How long it took, in milliseconds.
        pub duration_ms: i64,
        /// What else is worth knowing, an object; over REST the method, the path and the status.
        pub details: Value,
        /// Why it failed, for one that did: over REST the `code` of the problem.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<String>,
        /// When it ended.
        pub created_at: Timestamp,
    }
}

/// A page of traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct TracePage {
    /// The traces, newest first.
    pub traces: Vec<Trace>,
    /// What to send as `cursor` for the next page; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// How often what was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TraceStats {
    /// All traces.
    pub total: i64,
    /// Those that tell of a failure.
    pub errors: i64,
    /// The same by action, the most frequent first.
    pub actions: Vec<ActionCount>,
}

crate::row! {
    /// How often one thing was done.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct ActionCount {
        /// What was done.
        pub action: String,
        /// How often.
        pub count: i64,
        /// How often it failed.
        pub errors: i64,
    }
}
