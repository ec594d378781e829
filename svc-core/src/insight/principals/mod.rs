//! Events reported by machine principals, and reading them as evidence.
//!
//! Invariants:
//! - An event is stored once, together with the message that announces it in a channel.
//! - A reader sees events only up to the point before which none is still to come, so reading on
//!   misses nothing, and principals do not wait for each other.

mod batch;
mod events;
mod evidence;
mod notice;
mod purge;
mod store;

pub(crate) use store::listed;
