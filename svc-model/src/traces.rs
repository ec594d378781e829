//! Traces: records of actions, before and after they are stored.

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

/// An action to be recorded.
#[derive(Debug, Clone)]
pub struct NewTrace {
    /// The human on whose behalf it was done; `None` for the hub's own actions.
    pub owner: Option<UserId>,
    /// The name of the agent that did it.
    pub agent: Option<String>,
    /// The action: the name of an operation, `create_agent`, or dotted words, `server.started`. One of a
    /// fixed set, because metrics count by it.
    pub action: Cow<'static, str>,
    /// The surface of the request.
    pub surface: Surface,
    /// The id of the request.
    pub request_id: Option<String>,
    /// Its duration.
    pub duration: Duration,
    /// Further details as a JSON object; `None` is an empty one.
    pub details: Option<Box<RawValue>>,
    /// The reason of a failure.
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
        /// The handle of that human.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner: Option<String>,
        /// The name of the agent that did it; absent for an action of a human.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
        /// The action. Over REST it is the operation's id, such as `create_agent`.
        pub action: String,
        /// The surface of the request.
        pub surface: Surface,
        /// The id of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request_id: Option<String>,
        /// Its duration in milliseconds.
        pub duration_ms: i64,
        /// Further details: a JSON object; over REST the method, the path and the status.
        pub details: Value,
        /// The reason of a failure: over REST the `code` of the problem.
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
    /// The `cursor` of the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The number of traces by action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TraceStats {
    /// The total number of traces.
    pub total: i64,
    /// The number of failed actions.
    pub errors: i64,
    /// The counts by action, the most frequent first.
    pub actions: Vec<ActionCount>,
}

crate::row! {
    /// The number of traces of one action.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct ActionCount {
        /// The action.
        pub action: String,
        /// The number of traces.
        pub count: i64,
        /// The number of failures.
        pub errors: i64,
    }
}

/// The filter of a list of traces.
#[derive(Debug, Clone, Default)]
pub struct TraceFilter {
    /// Only traces of this agent.
    pub agent: Option<String>,
    /// Only traces of this action.
    pub action: Option<String>,
    /// Only traces from this time on.
    pub after: Option<Timestamp>,
    /// Only traces before this time.
    pub before: Option<Timestamp>,
    /// Only failed actions, or only successful ones.
    pub error: Option<bool>,
    /// The `next_cursor` of the previous page; for lists only.
    pub cursor: Option<String>,
    /// The maximum number of traces; `None` is the default page size. For lists only.
    pub limit: Option<i64>,
}

impl TraceFilter {
    /// Rejects a filter that can match nothing.
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

    /// The earliest time of the filter.
    pub fn start(&self) -> Timestamp {
        self.after.unwrap_or(Timestamp::from_micros(i64::MIN))
    }
}

/// The result of a manual purge of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgedTraces {
    /// The number of traces that were removed, or that would be.
    pub removed: u64,
    /// Traces from before this time were selected.
    pub before: Timestamp,
}

/// Counters of recorded traces since the hub was opened.
#[derive(Debug, Clone, Default)]
pub struct TraceCounts {
    /// The number of traces that were written.
    pub written: u64,
    /// The number of traces that were written, by action.
    pub by_action: BTreeMap<String, u64>,
    /// The number of failed actions.
    pub errors: u64,
    /// The number of traces that could not be written; each was reported in the log.
    pub lost: u64,
}

impl Trace {
    /// The column names of [`Trace::cells`], for the header of a table.
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

    /// The values as text, for a row of a table.
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
