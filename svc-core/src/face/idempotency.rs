//! Idempotency keys: a request that is sent again has one effect and gets the same answer.
//!
//! [`Caller::once`](crate::Caller::once) sets one for a call of a handle; [`IdempotencyKey`] is for transactions of your own.

pub use crate::store::idempotency::{IdempotencyKey, Once};
