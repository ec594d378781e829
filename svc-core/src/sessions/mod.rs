//! Sessions: a human's login in one browser.
//!
//! What always holds: the id that a browser holds is 256 bits of chance and is kept only as a hash;
//! a session ends at its time, when it is ended, when its account is disabled or deleted, and, for
//! all but the one that asked, when the password changes.

mod login;
mod model;
mod service;
mod store;
pub(crate) mod sweep;

pub use login::NewSession;
pub use model::{Session, SessionList};
pub use service::Sessions;
pub(crate) use service::{end_all, end_others};
pub(crate) use store::{FoundSession, LISTED, exists, find, note_use};
