//! The checks that decide whether a trigger starts a run, in their order: a pure function of a snapshot.
//!
//! Invariants: the first check that refuses decides; only a message that is too deep is not kept; what is kept has a
//! time at which it is looked at again, or waits for a change of its agent.

use svc_model::agents::TriggerMode;
use svc_model::runs::RunStatus;

use crate::limits;
use crate::timestamp::Timestamp;

/// An agent at the moment of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub(super) now: Timestamp,
    pub(super) mode: TriggerMode,
    pub(super) is_quarantined: bool,
    /// Paused until a time, or until somebody resumes it.
    pub(super) paused: Option<Until>,
    pub(super) max_depth: u32,
    /// The budget is spent until a time, or until somebody raises it.
    pub(super) exhausted: Option<Until>,
    /// When the cooldown after the last run ends.
    pub(super) cooldown_until: Option<Timestamp>,
    /// Whether a run is queued or running.
    pub(super) is_active: bool,
}

/// The end of a state that keeps an agent from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// It ends by itself.
    Time(Timestamp),
    /// A change ends it.
    Change,
}

/// What becomes of a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The agent is not run by the hub. Nothing is recorded.
    Ignored,
    /// No run starts now.
    Refused(Refusal),
    /// A run starts.
    Start,
}

/// Why no run starts, and what becomes of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: RunStatus,
    /// When the message is looked at again; none when it is not kept.
    pub(super) kept: Option<Until>,
}

/// Decides about a trigger of this depth.
pub(super) fn judge(snapshot: &Snapshot, depth: u32) -> Verdict {
    let refused = |status, kept| Verdict::Refused(Refusal { status, kept });
    if snapshot.mode != TriggerMode::Reactive {
        return Verdict::Ignored;
    }
    if snapshot.is_quarantined {
        return refused(RunStatus::Quarantined, Some(Until::Change));
    }
    if let Some(until) = snapshot.paused {
        return refused(RunStatus::Paused, Some(until));
    }
    if depth > snapshot.max_depth {
        return refused(RunStatus::DepthExceeded, None);
    }
    if let Some(until) = snapshot.exhausted {
        return refused(RunStatus::BudgetExhausted, Some(until));
    }
    if let Some(until) = snapshot.cooldown_until.filter(|until| *until > snapshot.now) {
        return refused(RunStatus::CooldownSkipped, Some(Until::Time(until)));
    }
    if snapshot.is_active {
        // The end of the active run looks at what waits.
        return refused(RunStatus::Coalesced, Some(Until::Change));
    }
    Verdict::Start
}

/// What becomes of work that waits for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// A run starts with it.
    Start,
    /// It is looked at again at this time, or earlier when the agent changes.
    Wake(Timestamp),
    /// It waits for a change of the agent: its mode, or the end of its run.
    Wait,
}

/// Decides about work that waits. It consists of messages that are not too deep.
pub(super) fn plan(snapshot: &Snapshot) -> Plan {
    match judge(snapshot, 0) {
        Verdict::Start => Plan::Start,
        Verdict::Refused(Refusal { kept: Some(Until::Time(at)), .. }) => Plan::Wake(at.max(snapshot.now)),
        Verdict::Refused(Refusal { status: RunStatus::Coalesced, .. }) | Verdict::Ignored => Plan::Wait,
        // A change is announced; looking again is for one whose announcement was missed.
        Verdict::Refused(_) => Plan::Wake(snapshot.now.plus(limits::RUN_RECHECK)),
    }
}

#[cfg(test)]
mod tests;
