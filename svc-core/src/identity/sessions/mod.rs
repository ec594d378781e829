//! Sessions: logins of a human in one browser.
//!
//! Invariants: the session token has 256 random bits and is stored only as a hash; a session ends when it
//! expires, when it is ended, when its account is disabled or deleted, and, except for the current one, when
//! the password changes. It records when the password was last entered in it.

mod arrival;
mod confirm;
mod join;
mod login;
mod service;
mod store;
pub(crate) mod sweep;

pub use arrival::NewSession;
pub use service::Sessions;
pub(crate) use service::{end_all, end_others};
pub(crate) use store::{FoundSession, confirm, find, listed, note_use};
