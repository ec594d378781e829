//! Audit entries of rejected requests.

use svc_model::audit::AuditEvent;

use super::machine::Machine;
use super::service::Principals;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Visit;

/// The identity that a rejected request claimed. It is not verified.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimedIdentity {
    pub(super) principal_id: Option<String>,
    pub(super) kid: Option<String>,
}

impl ClaimedIdentity {
    /// The verified identity of a machine.
    pub(super) fn by(machine: &Machine) -> Self {
        Self { principal_id: Some(machine.principal_id().to_owned()), kid: Some(machine.kid().to_owned()) }
    }
}

impl Principals {
    /// Returns the outcome of a machine's request. If the machine was rejected, it is recorded in the audit
    /// log first.
    pub(crate) async fn answer<T>(&self, machine: &Machine, outcome: Result<T>) -> Result<T> {
        match outcome {
            Err(error) if is_refusal(&error) => {
                Err(self.refused(ClaimedIdentity::by(machine), &machine.visit, error).await)
            }
            outcome => outcome,
        }
    }

    /// Records a rejection and returns it; if the store fails, its error is returned instead.
    pub(super) async fn refused(&self, claimed: ClaimedIdentity, visit: &Visit, error: Error) -> Error {
        let mut entry = NewEntry::new(AuditEvent::MachineRefused, visit).detail("code", error.code());
        if let Some(principal_id) = claimed.principal_id {
            entry = entry.detail("principal_id", principal_id);
        }
        if let Some(kid) = claimed.kid {
            entry = entry.detail("kid", kid);
        }
        let kept = self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await;
        kept.err().unwrap_or(error)
    }
}

/// Whether an error concerns the identity or permissions of the machine rather than the content of its
/// request.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unauthenticated | ErrorKind::Forbidden)
}
