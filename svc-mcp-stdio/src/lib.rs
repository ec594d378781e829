//! svc-mcp-stdio: a hub's MCP surface for clients that start a program and talk to it through a pipe.
//!
//! Invariants:
//! - Standard output contains protocol messages only; the log and every error go to standard error.
//! - The key comes from the environment and is printed nowhere.
//! - In embedded mode, it is one more process on the store of a hub that may also have a server: it takes no lock,
//!   and does no work that depends on a server's settings.
//! - As a bridge it does not interpret messages: each line becomes a request, each message of a response a line.
//!
//! Modules in reading order: the command line, the two modes of serving, waiting and hooks.

// Serving a client is one future of many layers.
#![recursion_limit = "256"]

mod cli;
mod key;
mod location;
mod logging;
mod signals;

mod bridge;
mod embedded;

mod hooks;
mod wait;

pub use cli::{Flags, main_with};
