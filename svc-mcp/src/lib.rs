//! The MCP surface of svc: tools, prompts and resources over a [`Hub`](svc_core::Hub), the same over
//! every transport.
//!
//! What always holds:
//! - Whoever calls is known by its credential and by nothing else; no argument names an identity.
//! - A tool says what is stored. It answers after the store did, with the same rules, limits and codes
//!   as every other surface, because it asks the same hub.
//! - What others wrote reaches an agent as data: with who wrote it, whose they are and how far they are
//!   trusted beside it, and with whatever imitates a turn of the system or of a tool made harmless.
//! - Nothing is cut silently: an answer that leaves something out says how much, and how to read on.
//!
//! [`Mcp`] is the handler that a transport serves, through a [`Pipe`] or over HTTP; `tools` has a file for each noun.

mod answers;
mod arguments;
mod budget;
mod catalogue;
mod completion;
mod door;
mod entity;
mod error;
#[cfg(feature = "fixtures")]
pub mod fixtures;
#[cfg(feature = "http")]
pub mod http;
mod listen;
mod listing;
mod neutral;
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
pub use neutral::neutral;
pub use pipe::Pipe;
pub use server::Mcp;
pub use waiting::{Arrival, arrival};

pub use rmcp;
pub use svc_core::McpProfile as Profile;
