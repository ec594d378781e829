//! Systems without a way to confine a run.

use super::spec::Confinement;

/// Restricts the current thread and all processes that it starts. Returns what is in force, in words.
pub(super) fn restrict(confinement: &Confinement) -> Result<Option<String>, String> {
    if confinement.is_required { Err("this system cannot confine runs".into()) } else { Ok(None) }
}
