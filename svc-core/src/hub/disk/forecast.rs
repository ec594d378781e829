//! From samples to a forecast: pure.
//!
//! The growth is the median of the differences between samples with a day between them. A large upload, a clean-up or a
//! nightly job therefore changes little, and the hour of the day nothing.

use std::time::Duration;

use super::{DiskOutlook, DiskSample};
use crate::hub::data_directory::DiskSpace;
use crate::limits;
use crate::timestamp::Timestamp;

const DAY: Duration = Duration::from_hours(24);

/// The outlook by samples, oldest first, and by the space that there is now.
pub(super) fn outlook(samples: &[DiskSample], space: Option<DiskSpace>, now: Timestamp) -> DiskOutlook {
    let growth_per_day = growth(samples, now, |before, after| {
        let is_same_disk = before.total_bytes == after.total_bytes;
        is_same_disk.then_some(difference(after.free_bytes?, before.free_bytes?))
    });
    DiskOutlook {
        total_bytes: space.map(|space| space.total),
        growth_per_day,
        store_growth_per_day: growth(samples, now, |before, after| {
            Some(difference(before.store_bytes, after.store_bytes))
        }),
        file_growth_per_day: growth(samples, now, |before, after| {
            Some(difference(before.file_bytes, after.file_bytes))
        }),
        full_at: space.zip(growth_per_day).and_then(|(space, growth)| full_at(space.free, growth, now)),
        samples: shown(samples, now),
    }
}

/// The median growth in a day; `None` without enough pairs of samples that can be compared.
fn growth(
    samples: &[DiskSample],
    now: Timestamp,
    between: impl Fn(&DiskSample, &DiskSample) -> Option<i64>,
) -> Option<i64> {
    let since = now.minus(limits::DISK_FORECAST_WINDOW);
    let mut found: Vec<i64> = samples
        .iter()
        .filter(|sample| sample.taken_at > since && sample.taken_at <= now)
        .filter_map(|sample| {
            let day_before = sample.taken_at.minus(DAY);
            let index = samples.binary_search_by_key(&day_before, |sample| sample.taken_at).ok()?;
            between(samples.get(index)?, sample)
        })
        .collect();
    if found.len() < limits::DISK_FORECAST_PAIRS {
        return None;
    }
    found.sort_unstable();
    found.get((found.len() - 1) / 2).copied()
}

fn full_at(free: u64, growth: i64, now: Timestamp) -> Option<Timestamp> {
    let growth = u128::try_from(growth).ok().filter(|growth| *growth > 0)?;
    let seconds = u128::from(free) * u128::from(DAY.as_secs()) / growth;
    let left = Duration::from_secs(u64::try_from(seconds).ok()?);
    (left <= limits::DISK_FORECAST_MAX).then(|| now.plus(left))
}

/// How much larger the second is.
fn difference(first: u64, second: u64) -> i64 {
    let signed = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    signed(second) - signed(first)
}

/// As many samples as a chart needs.
fn shown(samples: &[DiskSample], now: Timestamp) -> Vec<DiskSample> {
    let step = i64::try_from(limits::DISK_SHOWN_EVERY.as_micros()).unwrap_or(i64::MAX);
    let known: Vec<_> = samples.iter().filter(|sample| sample.taken_at <= now).copied().collect();
    let newest = known.last().map(|sample| sample.taken_at);
    known
        .into_iter()
        .filter(|sample| sample.taken_at.as_micros() % step == 0 || Some(sample.taken_at) == newest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;
    const HOUR: Duration = Duration::from_hours(1);

    fn start() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000)
    }

    /// A sample an hour, from the hours and the bytes that are used on a disk of 100 GB.
    fn samples(hours: u32, used: impl Fn(u32) -> u64) -> (Vec<DiskSample>, Timestamp) {
        let sample = |hour: u32| DiskSample {
            taken_at: start().plus(HOUR * hour),
            free_bytes: Some(100 * GB - used(hour)),
            total_bytes: Some(100 * GB),
            store_bytes: used(hour) / 2,
            file_bytes: 0,
        };
        ((0..hours).map(sample).collect(), start().plus(HOUR * (hours - 1)))
    }

    fn told(hours: u32, used: impl Fn(u32) -> u64) -> DiskOutlook {
        let (samples, now) = samples(hours, used);
        let free = samples.last().and_then(|sample| sample.free_bytes).unwrap();
        outlook(&samples, Some(DiskSpace { free, total: 100 * GB }), now)
    }

    #[test]
    fn steady_growth_has_an_end() {
        // Half of the disk is used after five days, at 2.4 GB a day.
        let found = told(121, |hour| 38 * GB + u64::from(hour) * GB / 10);
        assert_eq!(found.growth_per_day, Some(2_400_000_000));
        assert_eq!(found.store_growth_per_day, Some(1_200_000_000));
        assert_eq!(found.file_growth_per_day, Some(0));
        let left = found.full_at.unwrap().since(start().plus(HOUR * 120));
        assert_eq!(left.as_secs() / 3_600, 500);
        assert_eq!(found.samples.len(), 21, "four a day, and the newest is one of them");
    }

    #[test]
    fn nothing_is_told_too_early_or_without_growth() {
        let early = told(24, |hour| u64::from(hour) * GB);
        assert_eq!((early.growth_per_day, early.full_at), (None, None));
        let still = told(121, |_| 50 * GB);
        assert_eq!((still.growth_per_day, still.full_at), (Some(0), None));
        let shrinking = told(121, |hour| 90 * GB - u64::from(hour) * GB / 10);
        assert_eq!((shrinking.growth_per_day, shrinking.full_at), (Some(-2_400_000_000), None));
        // It would take centuries.
        assert_eq!(told(121, |hour| 50 * GB + u64::from(hour)).full_at, None);
    }

    #[test]
    fn a_single_jump_is_no_growth() {
        for jump in [5, 60, 115] {
            let found = told(121, |hour| if hour < jump { 10 * GB } else { 60 * GB });
            assert_eq!((found.growth_per_day, found.full_at), (Some(0), None), "after {jump} hours");
        }
    }

    #[test]
    fn disks_of_different_sizes_are_not_compared() {
        let (mut samples, now) = samples(121, |hour| u64::from(hour) * GB / 10);
        for (index, sample) in samples.iter_mut().enumerate() {
            sample.total_bytes = Some(100 * GB + u64::try_from(index / 24).unwrap());
        }
        let found = outlook(&samples, Some(DiskSpace { free: GB, total: 100 * GB }), now);
        assert_eq!((found.growth_per_day, found.full_at), (None, None));
    }
}
