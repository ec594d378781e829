//! Loops: agents that go on answering each other, and how they are held.
//!
//! A worker follows the log ([`watch`]). For each message of an agent it reads the last messages of the conversation,
//! and pure functions ([`signs`]) say whether they are a loop. What it needs is in the store, so it keeps no position
//! there: a loop that goes on gives itself away with its next message.

mod hold;
mod search;
mod signs;
pub(crate) mod watch;

pub(crate) use hold::{held_until, lift_all_of};
pub(super) use hold::{hold, lift, list, scope};
