//! What a trace is.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::ids::UserId;
use crate::timestamp::Timestamp;

/// Through which door an action came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Surface {
    /// A program that embeds the hub.
    Hub,
    /// The REST API.
    Rest,
    /// An MCP client.
    Mcp,
    /// The admin socket.
    Admin,
    /// A background worker.
    Worker,
    /// The server itself: starting, stopping.
    Server,
}

crate::text_enum! {
    Surface {
        Hub => "hub",
        Rest => "rest",
        Mcp => "mcp",
        Admin => "admin",
        Worker => "worker",
        Server => "server",
    }
}

/// An action that is about to be recorded.
#[derive(Debug, Clone)]
pub struct NewTrace {
    /// The human on whose behalf it was done; `None` for the hub's own actions.
    pub owner: Option<UserId>,
    /// The agent that did it, by name.
    pub agent: Option<String>,
    /// What was done, in dotted words: `message.sent`.
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
