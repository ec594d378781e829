//! Live events: the events of the hub, delivered to each caller as far as they may see them.
//!
//! Invariants:
//! - A [`Feed`] reads the one event log. It misses nothing, repeats nothing and keeps the order,
//!   whichever process wrote, and it can resume after the last position that the caller has seen.
//! - Visibility follows [`messages::viewer`](crate::messaging::messages::viewer), decided by the
//!   fields of each event and by what the feed knows about its caller (see [`view`]). Unknown kinds
//!   of events are not sent, and internal fields never leave the hub.
//! - A feed ends with the credential it was opened with. The end of a credential is an event of the
//!   log (`credentials.ended`), at which the feeds of that human check theirs. An expired
//!   credential is noticed at the next heartbeat.
//! - A slow reader delays nobody: a feed holds only its position in the log.

mod credential;
mod decode;
mod feed;
mod model;
mod offers;
mod routing;
mod service;
mod slots;
mod store;
mod unread;
mod view;

pub use feed::{Feed, FeedPosition};
pub use model::LiveEvent;
pub use service::Live;
pub(crate) use store::LISTED;
