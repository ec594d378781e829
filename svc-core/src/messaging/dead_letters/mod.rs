//! Dead letters: what could not be delivered and waits for a human.
//!
//! What always holds: a message that fails becomes a dead letter of the recipient's human in the same
//! transaction; its author is told once, however often it fails; only that human sees it, tries it
//! again or acknowledges it; it goes after 30 days.

mod bury;
mod service;
mod store;
pub(crate) mod sweep;

pub(crate) use bury::{abandon, abandon_late, bury};
pub use service::DeadLetters;
pub(crate) use store::LISTED;
