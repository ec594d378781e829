//! Webhooks: the events of an agent, posted as signed requests to https endpoints.
//!
//! Invariants:
//! - An event becomes at most one delivery of a webhook: a named reader of the log makes the rows, and a unique index
//!   holds against everything else.
//! - A delivery is attempted at least once, or is `stopped` with the reason. It ends as delivered, dead or stopped.
//! - An agent is told of nothing that it wrote itself, and of nothing that it may not see, neither when the delivery
//!   is made nor at an attempt.
//! - An open delivery has an item in the queue, which holds its lease, its schedule, the turn and the rate of its
//!   agent. What an attempt did to the delivery, the webhook and the item is one transaction.
//! - Of the attempts that a process makes at the same time, the agents of one owner have no more than a share, so slow
//!   receivers of one owner do not stop the deliveries of others.
//! - A secret is stored sealed, and shown when it is made and never again.

mod address;
mod attempt;
mod change;
pub(crate) mod deliver;
mod deliveries;
mod meter;
mod outcome;
mod places;
pub(crate) mod reader;
mod record;
mod recover;
mod route;
mod secret;
mod service;
mod signature;
mod store;
pub(crate) mod sweep;

pub(crate) use address::parse as parse_address;
pub use meter::{DeliveryCounts, LatencyBuckets};
pub(super) use secret::Secret;
pub(crate) use service::Parts;
pub use service::{WebhookSettings, Webhooks};
pub(super) use signature::header as signature_header;
pub(crate) use store::{listed, remove_all_of};
