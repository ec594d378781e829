//! The surfaces of the hub. Actions, traces and audit entries are labelled with one.

use serde::{Deserialize, Serialize};

/// The surface through which an action came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
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
    /// The server process itself: start and stop.
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
