//! Live events: what happens on the hub, told to each caller as far as they may see it.
//!
//! What always holds:
//! - A [`Feed`] is a reader of the one event log: it misses nothing, repeats nothing and keeps the
//!   order, whichever process wrote, and a caller who knows the last place it saw resumes there.
//! - Who sees what is the rule of [`messages::viewer`](crate::messaging::messages::sight), decided by what each
//!   event says about itself and by what the feed knows about its caller (see [`view`]). A kind of
//!   event that is not known here goes to nobody, and fields that are for the hub alone never go out.
//! - A feed ends with the credential it was opened with. The end of a credential is in the log
//!   (`credentials.ended`), so the feeds of its human look at theirs at that place; what ends by
//!   itself, in time, is noticed at the next sign of life.
//! - Nobody waits for a slow reader: a feed holds its place in the log and nothing else.

mod credential;
mod decode;
mod feed;
mod marks;
mod model;
mod offers;
mod places;
mod service;
mod store;
mod unread;
mod view;

pub use feed::Feed;
pub use model::LiveEvent;
pub use service::Live;
pub(crate) use store::LISTED;
