//! The audit log: what happened to accounts and credentials, by whom and from where. The handle is `hub.audit()`.

pub use crate::identity::audit::Audit;

#[doc(inline)]
pub use svc_model::audit::{AuditEntry, AuditEvent, AuditFilter, AuditStats};
