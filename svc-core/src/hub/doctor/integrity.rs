//! The integrity of the store, as an examination tells it.
//!
//! Invariants: an examination answers within seconds, so the check that it makes by itself is cut off after a moment,
//! and is made once an hour at most. A whole check that an operator has asked for is remembered by its process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_macros::boxed_futures;

use super::judge::{duration, finding, ok};
use super::{Finding, FindingState};
use crate::error::Result;
use crate::hub::Hub;
use crate::limits;
use crate::store::db::CheckReport;
use crate::timestamp::Timestamp;

/// The name of the check.
pub(super) const CHECK: &str = "integrity";

/// The last check of a process.
#[derive(Debug, Default)]
pub(in crate::hub) struct IntegrityWatch(Mutex<Seen>);

/// Knowledge about the integrity of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The beginning of the last check, also of one that was cut off.
    tried_at: Option<Timestamp>,
    /// The end of the last check that was not cut off, and the first fault that it found.
    known: Option<(Timestamp, Option<String>)>,
}

impl Seen {
    fn is_due(&self, now: Timestamp) -> bool {
        // A check in the future was made before the clock was set back.
        self.tried_at.is_none_or(|at| at > now || now.since(at) >= limits::INTEGRITY_EVERY)
    }

    /// The finding.
    pub(super) fn judged(&self, now: Timestamp) -> Finding {
        match &self.known {
            Some((_, Some(fault))) => {
                let advice = "`svc-admin db check` names all faults. Stop the server and restore the latest backup.";
                finding(CHECK, FindingState::Problem, format!("The store is not sound: {fault}"), advice)
            }
            Some((at, None)) => {
                ok(CHECK, format!("The store was checked {} ago and is sound.", duration(now.since(*at))))
            }
            None => ok(CHECK, "The store is too large to be checked in passing: `svc-admin db check` does it."),
        }
    }
}

impl IntegrityWatch {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a check is to be made now. It counts as made from then on.
    fn begin(&self, now: Timestamp) -> bool {
        let mut seen = self.seen();
        let is_due = seen.is_due(now);
        if is_due {
            seen.tried_at = Some(now);
        }
        is_due
    }

    fn note(&self, now: Timestamp, report: &CheckReport) {
        *self.seen() = Seen { tried_at: Some(now), known: Some((now, first_fault(report))) };
    }
}

/// The first fault. A schema of another version is none: the check of the nodes tells of it.
fn first_fault(report: &CheckReport) -> Option<String> {
    if report.is_version_only() {
        return None;
    }
    report.checks.iter().flat_map(|check| &check.faults).next().cloned()
}

#[boxed_futures]
impl Hub {
    /// Checks the store, however long that takes, and remembers the result for examinations. A caller that stops
    /// waiting ends the check.
    pub async fn check_store(&self) -> Result<CheckReport> {
        let report = self.db().check().await?;
        self.integrity_watch().note(self.clock().now(), &report);
        Ok(report)
    }

    /// Tells what is known about the integrity of the store. Checks it if that is due and does not take long.
    pub(super) async fn integrity(&self) -> Seen {
        let watch = self.integrity_watch();
        if watch.begin(self.clock().now()) {
            let checked = tokio::time::timeout(limits::INTEGRITY_TIME, self.check_store()).await;
            if let Ok(Err(error)) = checked {
                tracing::warn!(error = error.log_line(), "the store could not be checked");
            }
        }
        watch.seen().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::db::{CheckResult, Engine};

    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000)
    }

    fn report(name: &str, fault: &str) -> CheckReport {
        let mut report = CheckReport::begin(Engine::Sqlite);
        report.add(CheckResult { name: name.to_owned(), faults: vec![fault.to_owned()] });
        report
    }

    #[test]
    fn a_check_is_made_once_an_hour_and_a_whole_one_is_remembered() {
        let watch = IntegrityWatch::default();
        assert!(watch.begin(now()) && !watch.begin(now()));
        let told = watch.seen().judged(now());
        assert!(told.state == FindingState::Ok && told.summary.contains("too large"), "{told:?}");
        watch.note(now(), &CheckReport::begin(Engine::Sqlite));
        let later = now().plus(Duration::from_hours(3));
        let told = watch.seen().judged(later);
        assert!(told.state == FindingState::Ok && told.summary.contains("3 hours ago"), "{told:?}");
        assert!(watch.begin(later) && watch.begin(now()), "an hour has passed, and a clock was set back");
        // It was cut off, so the earlier result counts.
        assert!(watch.seen().judged(later).summary.contains("3 hours ago"));
    }

    #[test]
    fn damage_is_a_problem_and_another_version_is_none() {
        let watch = IntegrityWatch::default();
        watch.note(now(), &report("migrations", "A newer version has migrated this store."));
        assert_eq!(watch.seen().judged(now()).state, FindingState::Ok);
        watch.note(now(), &report("pages and indexes", "Page 7 is never used"));
        let told = watch.seen().judged(now());
        assert!(told.state == FindingState::Problem && told.summary.contains("Page 7"), "{told:?}");
    }
}
