//! The MCP surface of svc: tools, prompts and resources of a [`Hub`](svc_core::Hub), identical on every transport.
//!
//! Invariants:
//! - The caller is identified by its credential only; no argument names an identity.
//! - Tools report stored state. They return after the store has committed, with the same rules, limits and error
//!   codes as every other surface, because they call the same hub.
//! - Content by others reaches an agent as data: with its author, the author's owner and trust beside it, and with
//!   any imitation of a system or tool turn neutralized.
//! - Nothing is truncated silently: a result that omits something says how much, and how to read on.
//!
//! [`Mcp`] is the handler that a transport serves, through a [`Pipe`] or over HTTP; `tools` has one file per noun.

mod answers;
mod arguments;
mod budget;
mod catalogue;
mod completion;
mod door;
mod error;
#[cfg(feature = "fixtures")]
pub mod fixtures;
#[cfg(feature = "http")]
pub mod http;
mod listen;
mod listing;
mod paging;
mod pipe;
mod prompts;
mod resources;
mod server;
mod shown;
mod tools;
mod waiting;

pub use catalogue::tool_names;
pub use door::Door;
pub use pipe::Pipe;
pub use server::Mcp;
pub use waiting::{Arrival, arrival};

pub use rmcp;
pub use svc_core::api_keys::McpProfile as Profile;
pub use svc_core::formats::neutral;
