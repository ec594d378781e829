//! From figures to findings: pure, so that each limit has a test.

use std::time::Duration;

use super::facts::Facts;
use super::store::StoredFacts;
use super::{Finding, FindingState, certificates, integrity, space};
use crate::hub::backup::BackupState;
use crate::hub::nodes::NodeInfo;
use crate::limits;
use crate::store::workers::{WorkerHealth, WorkerState};
use crate::timestamp::Timestamp;

pub(super) const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// A difference between clocks that orders messages of two nodes wrongly.
const CLOCK_WARNING: Duration = Duration::from_secs(2);
/// A queue that is this late gets a warning, and at ten times that it is a problem.
const LATE: Duration = Duration::from_mins(5);

/// The check of backups.
const LAST_BACKUP: &str = "last_backup";
/// A scheduled backup may be this late before somebody is told.
const BACKUP_GRACE: Duration = Duration::from_hours(1);

/// All findings, in the order in which an operator would look.
pub(super) fn judge(facts: &Facts) -> Vec<Finding> {
    let integrity = match &facts.integrity {
        Some(seen) => seen.judged(facts.now),
        None => unknown(integrity::CHECK),
    };
    let workers = workers(&facts.readiness.workers);
    let mut findings = vec![store(facts), integrity, space::disk(facts), files(facts), workers];
    match &facts.nodes {
        Some(nodes) => findings.push(versions(nodes)),
        None => findings.push(unknown("nodes")),
    }
    match &facts.stored {
        Some(stored) => findings.extend([
            clock(stored, facts.now),
            queues(stored),
            dead_letters(stored.dead_letters),
            webhooks(stored.failed_webhooks),
        ]),
        None => findings.extend(["clock", "queues", "dead_letters", "webhooks"].map(unknown)),
    }
    findings.push(match &facts.certificates {
        Some(found) => certificates::certificates(found, facts.now),
        None => unknown(certificates::CHECK),
    });
    // A hub of unknown age is told at once.
    let created_at = facts.stored.as_ref().and_then(|stored| stored.created_at);
    let is_new = created_at.is_some_and(|at| facts.now.since(at) < limits::BACKUP_FIRST);
    findings.push(match &facts.backups {
        Some(state) => last_backup(state, facts.now, is_new),
        None => unknown(LAST_BACKUP),
    });
    findings.extend(configuration(facts));
    findings
}

pub(super) fn finding(check: &str, state: FindingState, summary: impl Into<String>, advice: &str) -> Finding {
    let advice = (!advice.is_empty()).then(|| advice.to_owned());
    Finding { check: check.to_owned(), state, summary: summary.into(), advice }
}

pub(super) fn ok(check: &str, summary: impl Into<String>) -> Finding {
    finding(check, FindingState::Ok, summary, "")
}

fn unknown(check: &str) -> Finding {
    finding(
        check,
        FindingState::Warning,
        "Not known: the store did not answer in time.",
        "Look at `store` first; if that is ok, the store is busy, so ask again.",
    )
}

fn store(facts: &Facts) -> Finding {
    let health = &facts.readiness.store;
    if health.ok {
        return ok("store", format!("{} answers reads and writes; it has {}.", health.engine, size(facts.store_bytes)));
    }
    let summary = health.error.clone().unwrap_or_else(|| "The store does not answer.".to_owned());
    let advice = match health.code.as_deref() {
        Some("storage_full") => "Free some space on the disk of the store. No restart is needed.",
        Some("store_too_new") => "Replace this server by the newer version that upgraded the store.",
        Some("storage_damaged" | "storage_lost") => "Stop the server and restore the latest backup.",
        _ => "Check that the database is running and can be reached, and read the log of the server.",
    };
    finding("store", FindingState::Problem, summary, advice)
}

fn files(facts: &Facts) -> Finding {
    let Some(files) = &facts.readiness.files else { return unknown("files") };
    if let Some(error) = &files.error {
        let advice = "Check the directory or the bucket of the attachments, and its credentials.";
        return finding("files", FindingState::Problem, error.clone(), advice);
    }
    if files.damaged > 0 {
        let summary = format!("Attachments that are lost or damaged: {}.", files.damaged);
        let advice = "`svc-admin db check` names them; `svc-admin attachments restore` repairs them from a backup.";
        return finding("files", FindingState::Problem, summary, advice);
    }
    if files.unknown > 0 {
        let summary = format!("Files that the database does not know, so that none is removed: {}.", files.unknown);
        let advice = "Check that the store and the files belong together, for example after a restore.";
        return finding("files", FindingState::Warning, summary, advice);
    }
    ok("files", "The attachments can be read, and none is known to be damaged.")
}

fn workers(workers: &[WorkerHealth]) -> Finding {
    let failing: Vec<_> = workers.iter().filter(|worker| worker.state == WorkerState::Failing).collect();
    let Some(first) = failing.first() else {
        return ok("workers", format!("None of the {} background workers fails.", workers.len()));
    };
    let names: Vec<_> = failing.iter().map(|worker| worker.name.as_str()).collect();
    let reason = first.last_error.as_deref().unwrap_or("no reason is known");
    let summary = format!("Failing: {}. The first one says: {reason}", names.join(", "));
    finding(
        "workers",
        FindingState::Problem,
        summary,
        "They are retried by themselves. The log of the server has details.",
    )
}

fn versions(nodes: &[NodeInfo]) -> Finding {
    let mut versions: Vec<_> = nodes.iter().map(|node| node.version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    if let [version] = versions.as_slice() {
        return ok("nodes", format!("{} with version {version}.", count(nodes.len(), "process", "processes")));
    }
    let summary = format!("Processes of several versions serve this hub: {}.", versions.join(", "));
    let advice = "Finish the upgrade: replace the processes of the older version.";
    finding("nodes", FindingState::Warning, summary, advice)
}

fn clock(stored: &StoredFacts, now: Timestamp) -> Finding {
    if let Some(server) = stored.server_time {
        let difference = if server > now { server.since(now) } else { now.since(server) };
        if difference >= CLOCK_WARNING {
            let summary =
                format!("The clocks of this machine and of the database differ by {} s.", difference.as_secs());
            return finding("clock", FindingState::Warning, summary, "Keep both machines on time with NTP.");
        }
    }
    if let Some(newest) = stored.newest_event.filter(|newest| *newest > now.plus(CLOCK_WARNING)) {
        let summary =
            format!("The newest event is {} s in the future: the clock was set back.", newest.since(now).as_secs());
        return finding(
            "clock",
            FindingState::Warning,
            summary,
            "Check the time of this machine, and keep it on time with NTP.",
        );
    }
    ok("clock", "The clock agrees with the store.")
}

fn queues(stored: &StoredFacts) -> Finding {
    match stored.queues.iter().max_by_key(|queue| queue.oldest_seconds) {
        Some(queue) if Duration::from_secs(queue.oldest_seconds) >= LATE => {
            let age = Duration::from_secs(queue.oldest_seconds);
            let summary = format!(
                "The oldest of {} in the queue `{}` has waited for {}.",
                count(usize::try_from(queue.pending).unwrap_or(usize::MAX), "item", "items"),
                queue.queue,
                duration(age)
            );
            let advice = "Receivers that are slow, rates of agents and a full number of runs make items wait. \
                          `svc-admin webhooks list` and `svc-admin runs list` show them.";
            finding("queues", lateness(age), summary, advice)
        }
        _ => ok("queues", "Nothing has waited for long."),
    }
}

fn dead_letters(number: i64) -> Finding {
    if number == 0 {
        return ok("dead_letters", "There are none that nobody has looked at.");
    }
    let summary = format!("Messages and deliveries that could not be delivered and nobody has acknowledged: {number}.");
    finding(
        "dead_letters",
        FindingState::Warning,
        summary,
        "Their owners retry or acknowledge them on the page of dead letters, and operators with `svc-admin \
         dead-letters`.",
    )
}

fn webhooks(number: i64) -> Finding {
    if number == 0 {
        return ok("webhooks", "None is disabled because of failures.");
    }
    let summary = format!("Webhooks that were disabled because their receivers failed: {number}.");
    finding("webhooks", FindingState::Warning, summary, "Their owners enable them again when the receivers work.")
}

fn last_backup(state: &BackupState, now: Timestamp, is_new: bool) -> Finding {
    let advice = "`svc-admin backup schedule --every 24h --keep 7 --to DIRECTORY` makes one every day, \
                  `svc-admin backup create FILE` makes one now.";
    let failed = "`svc-admin backup list` shows the attempts, which are repeated by themselves.";
    let error = state.last_error.as_deref();
    let Some(at) = state.last_success_at else {
        return match (error, state.every) {
            (Some(error), _) => {
                finding(LAST_BACKUP, FindingState::Problem, format!("No backup has succeeded: {error}"), failed)
            }
            (None, Some(_)) => ok(LAST_BACKUP, "The first scheduled backup is due."),
            // Somebody who sets a hub up has a day to think of backups.
            (None, None) if is_new => finding(LAST_BACKUP, FindingState::Ok, "No backup was made yet.", advice),
            (None, None) => finding(LAST_BACKUP, FindingState::Warning, "No backup was made yet.", advice),
        };
    };
    let age = if at > now { Duration::ZERO } else { now.since(at) };
    let summary = format!("The last backup succeeded {} ago.", duration(age));
    match (state.every, error) {
        (Some(every), _) if age >= every * 2 + BACKUP_GRACE => {
            let reason = error.map(|error| format!(" Since then: {error}")).unwrap_or_default();
            finding(LAST_BACKUP, FindingState::Problem, format!("{summary}{reason}"), failed)
        }
        (_, Some(error)) => {
            finding(LAST_BACKUP, FindingState::Warning, format!("{summary} Since then: {error}"), failed)
        }
        (Some(every), None) if age >= every + BACKUP_GRACE => {
            finding(LAST_BACKUP, FindingState::Warning, summary, failed)
        }
        (None, None) if age >= limits::BACKUP_OLD => finding(LAST_BACKUP, FindingState::Warning, summary, advice),
        _ => ok(LAST_BACKUP, summary),
    }
}

/// Parts that are only named when something is wrong with them.
fn configuration(facts: &Facts) -> Vec<Finding> {
    let readiness = &facts.readiness;
    let mut findings = Vec::new();
    if let Some(error) = &readiness.machine_registry_error {
        let advice = "`svc-admin machines show` shows the registry and the reason.";
        findings.push(finding("machine_registry", FindingState::Problem, error.clone(), advice));
    }
    if let Some(error) = &readiness.run_confinement_error {
        let advice = "Use a kernel with Landlock, or allow runs without confinement in the settings.";
        findings.push(finding("run_confinement", FindingState::Problem, error.clone(), advice));
    }
    findings
}

fn lateness(age: Duration) -> FindingState {
    if age >= LATE * 10 { FindingState::Problem } else { FindingState::Warning }
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub(super) fn duration(age: Duration) -> String {
    match age.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} minutes", seconds / 60),
        seconds => format!("{} hours", seconds / 3_600),
    }
}

pub(super) fn size(bytes: u64) -> String {
    match bytes {
        ..MIB => format!("{} KiB", bytes / 1024),
        MIB..GIB => format!("{} MiB", bytes / MIB),
        _ => format!("{}.{} GiB", bytes >> 30, ((bytes >> 20) & 1023) * 10 / 1024),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::doctor::QueueBacklog;

    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000)
    }

    fn quiet() -> StoredFacts {
        StoredFacts {
            newest_event: None,
            server_time: None,
            queues: Vec::new(),
            dead_letters: 0,
            failed_webhooks: 0,
            created_at: None,
        }
    }

    #[test]
    fn a_clock_that_differs_is_told() {
        let second = Duration::from_secs(1);
        let near = StoredFacts { server_time: Some(now().plus(second)), newest_event: Some(now()), ..quiet() };
        assert_eq!(clock(&near, now()).state, FindingState::Ok);
        let far = StoredFacts { server_time: Some(now().minus(second * 90)), ..quiet() };
        assert!(clock(&far, now()).summary.contains("90 s"));
        let back = StoredFacts { newest_event: Some(now().plus(second * 40)), ..quiet() };
        assert!(clock(&back, now()).summary.contains("40 s in the future"));
    }

    #[test]
    fn the_queue_that_waits_longest_is_named() {
        let told = |oldest_seconds| {
            let backlog = QueueBacklog { queue: "webhooks".to_owned(), pending: 1, oldest_seconds };
            queues(&StoredFacts { queues: vec![backlog], ..quiet() })
        };
        let states = [240, 300, 3_000].map(|seconds| told(seconds).state);
        assert_eq!(states, [FindingState::Ok, FindingState::Warning, FindingState::Problem]);
        assert_eq!(told(7_200).summary, "The oldest of 1 item in the queue `webhooks` has waited for 2 hours.");
    }

    #[test]
    fn a_backup_that_is_missing_old_or_failed_is_told() {
        let hour = Duration::from_hours(1);
        let told = |every: Option<Duration>, age: Option<Duration>, error: Option<&str>| {
            let last_success_at = age.map(|age| now().minus(age));
            let last_error = error.map(ToOwned::to_owned);
            let state = BackupState { every, last_success_at, last_error, ..BackupState::default() };
            last_backup(&state, now(), false).state
        };
        let day = Some(hour * 24);
        let fine = [told(None, Some(hour), None), told(day, Some(hour * 24), None), told(day, None, None)];
        assert_eq!(fine, [FindingState::Ok; 3]);
        let warned = [
            told(None, None, None),
            told(None, Some(hour * 24 * 7), None),
            told(day, Some(hour * 25), None),
            told(day, Some(hour), Some("full")),
        ];
        assert_eq!(warned, [FindingState::Warning; 4]);
        let bad = [told(day, Some(hour * 49), None), told(day, None, Some("full"))];
        assert_eq!(bad, [FindingState::Problem; 2]);
        let new = last_backup(&BackupState::default(), now(), true);
        assert_eq!((new.state, new.advice.is_some()), (FindingState::Ok, true), "a new hub is told, and not warned");
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!([size(2048), size(5 * MIB), size(3 << 29)], ["2 KiB", "5 MiB", "1.5 GiB"]);
    }
}
