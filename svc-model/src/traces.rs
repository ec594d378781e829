//! What a trace is, before and after it was written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
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

/// Which traces to read.
#[derive(Debug, Clone, Default)]
pub struct TraceFilter {
    /// Only of this agent.
    pub agent: Option<String>,
    /// Only of this action.
    pub action: Option<String>,
    /// Only from then on.
    pub after: Option<Timestamp>,
    /// Only before then.
    pub before: Option<Timestamp>,
    /// Only those that failed, or only those that did not.
    pub error: Option<bool>,
    /// What the page before gave as `next_cursor`; only lists take it.
    pub cursor: Option<String>,
    /// How many at most; `None` is the usual page. Only lists take it.
    pub limit: Option<i64>,
}

impl TraceFilter {
    /// Refuses what can match nothing.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [("agent", &self.agent), ("action", &self.action)] {
            if value.as_ref().is_some_and(|value| value.contains('\0')) {
                return Err(Error::invalid(field, "must not contain the NUL character"));
            }
        }
        match (self.after, self.before) {
            (Some(after), Some(before)) if after >= before => Err(Error::invalid("before", "must be later than after")),
            _ => Ok(()),
        }
    }

    /// The earliest moment.
    pub fn start(&self) -> Timestamp {
        self.after.unwrap_or(Timestamp::from_micros(i64::MIN))
    }
}

/// What a removal by hand came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgedTraces {
    /// How many traces were removed, or would be.
    pub removed: u64,
    /// Those from before this moment.
    pub before: Timestamp,
}

/// What has been recorded since the hub was opened.
#[derive(Debug, Clone, Default)]
pub struct TraceCounts {
    /// All traces that were written.
    pub written: u64,
    /// The same, by action.
    pub by_action: BTreeMap<String, u64>,
    /// Those that tell of a failure.
    pub errors: u64,
    /// Those that could not be written; each was reported in the log.
    pub lost: u64,
}

impl Trace {
    /// What [`Trace::cells`] are, for the first line of a table.
    pub const COLUMNS: [&str; 11] = [
        "id",
        "created_at",
        "owner_id",
        "owner",
        "agent",
        "action",
        "surface",
        "request_id",
        "duration_ms",
        "error",
        "details",
    ];

    /// Its parts as text, for a line of a table.
    pub fn cells(&self) -> [String; 11] {
        [
            self.id.to_string(),
            self.created_at.to_string(),
            self.owner_id.map(|owner| owner.to_string()).unwrap_or_default(),
            self.owner.clone().unwrap_or_default(),
            self.agent.clone().unwrap_or_default(),
            self.action.clone(),
            self.surface.to_string(),
            self.request_id.clone().unwrap_or_default(),
            self.duration_ms.to_string(),
            self.error.clone().unwrap_or_default(),
            self.details.to_string(),
        ]
    }
}
