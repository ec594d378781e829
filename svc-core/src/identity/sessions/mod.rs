//! Sessions: a human's login in one browser.
//!
//! What always holds: the id that a browser holds is 256 bits of chance and is kept only as a hash;
//! a session ends at its time, when it is ended, when its account is disabled or deleted, and, for
//! all but the one that asked, when the password changes. It tells when the password was last given in it.

mod confirm;
mod devices;
mod login;
mod service;
mod store;
pub(crate) mod sweep;

pub use login::NewSession;
pub use service::Sessions;
pub(crate) use service::{end_all, end_others};
pub(crate) use store::{FoundSession, confirm, find, note_use};

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [store::LISTED, devices::LISTED].concat()
}
