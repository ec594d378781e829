//! Push messages to the browsers of humans (RFC 8030), signed (RFC 8292) and encrypted (RFC 8291).
//!
//! A reader of the event log decides who is told of a message of the hub, and puts a row for each of their browsers
//! into the queue. A worker of each process encrypts and sends them.
//!
//! Invariants:
//! - All nodes sign with one key pair, which the first one makes. The store has its private half sealed.
//! - A row of the queue names a message. Its text is read, and encrypted for one browser, at the attempt: the text of
//!   a message that its user can no longer see, or has read meanwhile, is never sent.
//! - A user is told only of messages that they can see, and only once per browser, however often processes crash;
//!   an attempt that was interrupted after the push service took it is repeated.
//! - A subscription belongs to the login session that added it. It ends when that session is ended, and stays for a
//!   while when the session expires, because notifications are for people who are not there.
//! - A push service that does not answer takes a share of the places, so it delays no other.

mod actions;
mod classify;
pub(crate) mod deliver;
mod encrypt;
mod keys;
mod meter;
mod notice;
mod presence;
pub(crate) mod reader;
mod record;
mod service;
pub(crate) mod store;
mod subscribe;
mod vapid;

pub use meter::PushCounts;
pub(crate) use service::Parts;
pub use service::Push;
pub(crate) use store::LISTED;
pub use subscribe::Subscribed;
