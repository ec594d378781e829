//! The events that machine principals report, and reading them as evidence.
//!
//! What always holds: an event is stored once, with the message that tells a channel of it. A reader is shown events up
//! to where none is still to come, so nothing is missed by reading on, and principals do not wait for each other.

mod batch;
mod event_store;
mod events;
mod evidence;
mod notice;
mod purge;

pub(crate) use event_store::listed;
