//! Trust: how far humans have come to rely on an agent, for each kind of action.
//!
//! What always holds: a score lies between 0 and 1 and is kept in millionths; only a human's reactions
//! on what an agent said move it; one human moves it by one adjustment for one message, whatever they
//! have set there, and what is taken back is what had been applied.

mod judge;
mod rule;
mod service;
mod standing;
mod store;

pub(crate) use judge::{Judgement, judge, require};
pub(crate) use rule::verdict;
pub use service::Trust;
pub(crate) use store::LISTED;
