//! Trust: scores that express how far humans rely on an agent, for each type of action.
//!
//! Invariants:
//! - A score is between 0 and 1 and is stored in millionths.
//! - Only reactions of humans to messages of an agent change it.
//! - Each human contributes one adjustment per message, whatever reactions they have set. Undoing
//!   an adjustment removes exactly what it had applied.

mod judge;
mod rule;
mod service;
mod standing;
mod store;

pub(crate) use judge::{Judgement, judge, require};
pub(crate) use rule::{Verdict, verdict};
pub use service::Trust;
pub(crate) use store::LISTED;
