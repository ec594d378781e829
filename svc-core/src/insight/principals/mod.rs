//! Events reported by machine principals, and reading them as evidence.
//!
//! Invariants:
//! - An event is stored once, together with the message that announces it in a channel.
//! - A reader sees events only up to the point before which none is still to come, so reading on
//!   misses nothing, and principals do not wait for each other.

mod batch;
mod event_store;
mod events;
mod evidence;
mod notice;
mod purge;

pub(crate) use event_store::listed;
