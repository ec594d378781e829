//! Messages that are sent later.
//!
//! Invariants:
//! - A message is sent exactly once, however many processes run: the message and the status of the scheduled one change
//!   in one transaction, which begins by locking it.
//! - It is sent as its author, with the rules that hold then. A refusal is recorded with its code, and the author sees it.
//! - Its depth is at least that of a message which its author would have sent when they scheduled or changed it, so a
//!   loop of agents does not begin anew by waiting.
//! - A key or a grant that has ended sends nothing more: what was scheduled with it is refused.
//! - An owner and their agents have at most [`SCHEDULED_MAX`](crate::limits::SCHEDULED_MAX) messages that wait, because the
//!   row of the account is locked when one is added.
//! - The author alone changes and sends it; their human sees and deletes it. Text is kept in one place: a scheduled
//!   message that was sent has none.

mod author;
mod change;
mod create;
mod send;
mod service;
mod store;
pub(crate) mod worker;

pub use service::Scheduled;
pub(crate) use store::{LISTED, remove_all_of};
