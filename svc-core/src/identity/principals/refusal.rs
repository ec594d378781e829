//! What is kept of a request that was refused.

use svc_model::audit::AuditEvent;

use super::machine::Machine;
use super::service::Principals;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Visit;

/// What a refused request said about who is asking. Nothing of it is proved.
#[derive(Debug, Clone, Default)]
pub(super) struct Claimed {
    pub(super) principal_id: Option<String>,
    pub(super) kid: Option<String>,
}

impl Claimed {
    /// What was said, and was proved.
    pub(super) fn by(machine: &Machine) -> Self {
        Self { principal_id: Some(machine.principal_id().to_owned()), kid: Some(machine.kid().to_owned()) }
    }
}

impl Principals {
    /// Hands on what came of a machine's request. If the machine was refused, the audit log says so first.
    pub(crate) async fn answer<T>(&self, machine: &Machine, outcome: Result<T>) -> Result<T> {
        match outcome {
            Err(error) if is_refusal(&error) => Err(self.refused(Claimed::by(machine), &machine.visit, error).await),
            outcome => outcome,
        }
    }

    /// Keeps an entry of the refusal and gives it back; a store that cannot keep it says so instead.
    pub(super) async fn refused(&self, claimed: Claimed, visit: &Visit, error: Error) -> Error {
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

/// Whether it is about who asks and what they may do, rather than about what they asked for.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unauthenticated | ErrorKind::Forbidden)
}
