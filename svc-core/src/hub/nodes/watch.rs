//! Recognises processes whose heartbeat stands still.
//!
//! Heartbeats are compared with earlier ones of the same process, not with a clock, so clocks that differ or jump cause
//! no mistake. They are counted in successful heartbeats of this process: while the store is unreachable or slow, nobody
//! counts as dead.

use std::collections::HashMap;

use crate::limits;
use crate::timestamp::Timestamp;

/// The heartbeats of the other processes, as this one has seen them.
#[derive(Debug, Default)]
pub(super) struct Watch(HashMap<String, Observed>);

#[derive(Debug, Clone, Copy)]
struct Observed {
    seen_at: Timestamp,
    /// How often it was found unchanged.
    missed: u32,
}

impl Watch {
    /// Takes in the last heartbeats of all other processes. Returns those that have missed too many.
    pub(super) fn silent(&mut self, others: Vec<(String, Timestamp)>) -> Vec<(String, Timestamp)> {
        let mut silent = Vec::new();
        let mut now = HashMap::with_capacity(others.len());
        for (id, seen_at) in others {
            let missed = match self.0.get(&id) {
                Some(before) if before.seen_at == seen_at => before.missed + 1,
                _ => 0,
            };
            if missed >= limits::NODE_MISSED_BEATS {
                silent.push((id.clone(), seen_at));
            }
            now.insert(id, Observed { seen_at, missed });
        }
        self.0 = now;
        silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(all: &[(&str, i64)]) -> Vec<(String, Timestamp)> {
        all.iter().map(|(id, at)| ((*id).to_owned(), Timestamp::from_micros(*at))).collect()
    }

    #[test]
    fn a_heartbeat_that_stands_still_is_recognised() {
        let mut watch = Watch::default();
        for round in 0..i64::from(limits::NODE_MISSED_BEATS) {
            assert!(watch.silent(beats(&[("dead", 7), ("alive", round)])).is_empty(), "round {round}");
        }
        assert_eq!(watch.silent(beats(&[("dead", 7), ("alive", 100)])), beats(&[("dead", 7)]));
        // It is named again until somebody has removed it.
        assert_eq!(watch.silent(beats(&[("dead", 7), ("alive", 101)])), beats(&[("dead", 7)]));
        assert!(watch.silent(beats(&[("alive", 102)])).is_empty());
    }

    #[test]
    fn a_single_heartbeat_begins_the_count_anew() {
        let mut watch = Watch::default();
        for round in 0..20 {
            let at = round / i64::from(limits::NODE_MISSED_BEATS);
            assert!(watch.silent(beats(&[("slow", at)])).is_empty(), "round {round}");
        }
    }

    #[test]
    fn a_clock_far_off_or_set_back_makes_no_difference() {
        let mut watch = Watch::default();
        for round in (0..20).rev() {
            assert!(watch.silent(beats(&[("ahead", 4_000_000_000_000_000 + round), ("behind", round)])).is_empty());
        }
    }
}
