//! The finding about the disk: how much is free, and for how long that lasts.

use std::time::Duration;

use super::facts::Facts;
use super::judge::{MIB, finding, ok, size};
use super::{Finding, FindingState};
use crate::hub::disk::DiskOutlook;
use crate::limits;
use crate::store::db::Engine;
use crate::timestamp::Timestamp;

/// Free space below which writes may fail at any time.
const DISK_PROBLEM: u64 = 512 * MIB;
/// Free space below which somebody should look.
const DISK_WARNING: u64 = 5 * 1024 * MIB;

const CHECK: &str = "disk";

/// The finding about the disk of the data directory.
pub(super) fn disk(facts: &Facts) -> Finding {
    let quiet = DiskOutlook::default();
    let outlook = facts.outlook.as_ref().unwrap_or(&quiet);
    let Some(free) = facts.free_disk else {
        let advice = "Check that the data directory exists and can be read by the server.";
        return finding(CHECK, FindingState::Warning, "The free space of the data directory is not known.", advice);
    };
    let left = outlook.full_at.map(|at| at.since(facts.now));
    let summary = summary(free, outlook, facts.engine, facts.now);
    match by_free_space(free).max(left.map_or(FindingState::Ok, by_time_left)) {
        FindingState::Problem => {
            let advice =
                "Free some space now: soon nothing can be saved. Shorter retention of messages and traces helps later.";
            finding(CHECK, FindingState::Problem, summary, advice)
        }
        FindingState::Warning => {
            let advice = "Plan for more space, or a shorter retention of messages and traces.";
            finding(CHECK, FindingState::Warning, summary, advice)
        }
        // On PostgreSQL the store is on another disk.
        FindingState::Ok if facts.engine == Engine::Sqlite && free < facts.store_bytes => {
            let advice = "`svc-admin db vacuum` needs as much free space as the store has.";
            finding(CHECK, FindingState::Warning, summary, advice)
        }
        FindingState::Ok => ok(CHECK, summary),
    }
}

fn by_free_space(free: u64) -> FindingState {
    match free {
        ..DISK_PROBLEM => FindingState::Problem,
        DISK_PROBLEM..DISK_WARNING => FindingState::Warning,
        _ => FindingState::Ok,
    }
}

fn by_time_left(left: Duration) -> FindingState {
    if left < limits::DISK_FULL_PROBLEM {
        FindingState::Problem
    } else if left < limits::DISK_FULL_WARNING {
        FindingState::Warning
    } else {
        FindingState::Ok
    }
}

fn summary(free: u64, outlook: &DiskOutlook, engine: Engine, now: Timestamp) -> String {
    let mut sentences = vec![format!("{} are free on the disk of the data directory.", size(free))];
    if let (Some(at), Some(growth)) = (outlook.full_at, outlook.growth_per_day) {
        let day: String = at.to_string().chars().take("2026-12-11".len()).collect();
        let left = in_days(at.since(now));
        sentences.push(format!("Full in {left} ({day}) at {} a day.", size(growth.unsigned_abs())));
    }
    if engine == Engine::Postgres {
        sentences.push("The disk of the database server cannot be seen from here.".to_owned());
        if let Some(growth) = outlook.store_growth_per_day.filter(|growth| *growth > 0) {
            sentences.push(format!("The database grows by {} a day.", size(growth.unsigned_abs())));
        }
    }
    sentences.join(" ")
}

/// `about 23 days`.
fn in_days(left: Duration) -> String {
    match left.as_secs() / 86_400 {
        0 => "less than a day".to_owned(),
        1 => "about a day".to_owned(),
        days => format!("about {days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000)
    }

    fn outlook(left: Duration) -> DiskOutlook {
        DiskOutlook {
            growth_per_day: Some(3 << 29),
            store_growth_per_day: Some(2 << 20),
            full_at: Some(now().plus(left)),
            ..DiskOutlook::default()
        }
    }

    #[test]
    fn the_end_is_told_in_days() {
        let on = |engine| summary(40 << 30, &outlook(DAY * 23 + DAY / 2), engine, now());
        let disk = "40.0 GiB are free on the disk of the data directory. Full in about 23 days (2026-01-24) at 1.5 GiB \
                    a day.";
        assert_eq!(on(Engine::Sqlite), disk);
        let database = "The disk of the database server cannot be seen from here. The database grows by 2 MiB a day.";
        assert_eq!(on(Engine::Postgres), format!("{disk} {database}"));
        let still = summary(40 << 30, &DiskOutlook::default(), Engine::Sqlite, now());
        assert_eq!(still, "40.0 GiB are free on the disk of the data directory.");
        assert_eq!([DAY / 2, DAY, DAY * 2].map(in_days), ["less than a day", "about a day", "about 2 days"]);
    }

    #[test]
    fn little_time_counts_like_little_space() {
        let by_time = [DAY, DAY * 2, DAY * 13, DAY * 14].map(by_time_left);
        let expected = [FindingState::Problem, FindingState::Warning, FindingState::Warning, FindingState::Ok];
        assert_eq!(by_time, expected);
        let by_space = [511 * MIB, 512 * MIB, 5_119 * MIB, 5_120 * MIB].map(by_free_space);
        assert_eq!(by_space, expected);
    }
}
