//! Messages between participants, direct or in channels, and their delivery.
//!
//! Invariants:
//! - A message and its event are stored in one transaction; a successful answer means that it is
//!   durable.
//! - Inside a conversation, ids are in commit order and each `position` is assigned without gaps,
//!   because the row of the conversation is locked first. So a cursor never skips a message, and
//!   unread messages are counted without reading them.
//! - [`viewer`] decides in the store, for every surface, who may see a message.
//! - A direct message has at most one active claim at a time, and a worker whose claim has ended
//!   gets an error.
//! - Every text of an edited message is kept. Of a deleted message nothing that its author wrote is kept: its row
//!   stays, because positions and threads depend on it.

mod backlog;
mod browse;
pub(crate) mod changed;
mod claim;
mod criteria;
mod delete;
mod depth;
mod draft;
mod edit;
pub(crate) mod expire;
mod finish;
mod inbox;
pub(crate) mod lifecycle;
mod mention;
pub(crate) mod non_delivery;
pub(crate) mod offer;
mod post;
mod read;
mod receipts;
pub(crate) mod retention;
mod revive;
mod send;
mod service;
pub(crate) mod store;
mod system;
pub(crate) mod timeline;
mod traceparent;
pub(crate) mod viewer;
pub(crate) mod work;

pub(crate) use depth::{of_action as depth_of_action, of_cause as depth_of_cause};
pub(crate) use draft::check_body;
pub(crate) use edit::is_copy;
pub(crate) use post::{Party, preview};
pub(crate) use revive::revive;
pub(crate) use send::{answer, check, check_later, post_in_channel};
pub use service::Messages;
pub(crate) use store::{conversations, listed};
pub(crate) use system::{Statement, announce, notify, quoted_in, system};
