//! Quotas: what a human and all their agents store and send, and the limits of it. The handle is `hub.quotas()`.

pub use crate::messaging::quotas::Quotas;

#[doc(inline)]
pub use svc_model::quotas::{FileUsage, MessageUsage, QuotaRefusals, Usage};
