//! svc-mcp-stdio: a hub's MCP surface for clients that start a program and talk to it through a pipe.
//!
//! What always holds:
//! - Nothing but protocol is written to standard output; the log and every refusal go to standard error.
//! - The key comes from the environment and is printed nowhere.
//! - Embedded, it is one more process on the store of a hub that may be served elsewhere: it takes no
//!   lock, and does none of the work that a server's settings decide about.
//! - As a bridge it does not know what it carries: each line becomes a request, each message of an
//!   answer a line.
//!
//! Modules in reading order: the command line, then the two ways to serve, then waiting and hooks.

// The conversation with a client is one future of many layers.
#![recursion_limit = "256"]

mod cli;
mod key;
mod logging;
mod place;
mod signals;

mod bridge;
mod embedded;

mod hooks;
mod wait;

pub use cli::{Flags, main_with};
