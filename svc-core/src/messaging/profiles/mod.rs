//! Profiles of people and agents: status, avatar, presence; the directory that lists all of them.
//!
//! Invariants:
//! - Everybody changes their own profile. The owner of an agent also sets its avatar.
//! - When a person was last seen is shown to others only if the person shows it to everyone. Nothing else tells it.
//! - A status that has ended is not shown.
//! - An avatar is drawn anew from the pixels of a picture, so nothing else of the picture is kept.

mod avatar;
mod change;
mod service;
mod store;

pub use avatar::Avatar;
pub use service::Profiles;
pub(crate) use store::{LISTED, remove_all_of};
