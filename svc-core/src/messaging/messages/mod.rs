//! Messages: what participants say to each other, directly or in channels, and what becomes of it.
//!
//! What always holds:
//! - A message is stored once, with its event, in one transaction; an answer means that it is durable.
//! - Inside a conversation ids are in commit order and places (`position`) have no gaps when they are
//!   given, because the conversation's row is taken first. So a cursor never skips a message, and what
//!   is unread is counted without reading it.
//! - Who may see a message is decided by [`sight`], in the store, for every surface.
//! - A direct message is worked on by at most one claim at a time, and whoever lost theirs is told.

mod backlog;
mod browse;
pub(crate) mod changed;
mod claim;
pub(crate) mod conversations;
mod draft;
pub(crate) mod expire;
mod finish;
mod inbox;
mod leases;
pub(crate) mod lifecycle;
mod mention;
mod narrow;
pub(crate) mod non_delivery;
pub(crate) mod offer;
mod post;
mod read;
mod receipts;
pub(crate) mod retention;
mod revive;
mod send;
mod service;
pub(crate) mod sight;
pub(crate) mod store;
mod system;
pub(crate) mod timeline;
mod traceparent;

pub(crate) use claim::WORK_LISTED;
pub(crate) use post::{Party, preview};
pub(crate) use revive::revive;
pub(crate) use send::say;
pub use service::Messages;
pub(crate) use store::LISTED;
pub(crate) use system::{Statement, announce, quoted_in, system, tell};
