//! Determines up to which position the log can be read without missing an event.
//!
//! Two transactions may take positions 5 and 6 and commit in the order 6, 5. A reader that has advanced to 6
//! would never see 5. So a reader stops before a missing position until it is certain that the position stays
//! empty. A transaction is a *writer* of the log from before it takes a position until it ends, and the store
//! can list the writers (see `dialect.rs`). Position 6 is visible, so the transaction with 5 had taken it by
//! then, and is among the writers that are listed afterwards, or has ended. Once all of those have ended, the
//! next read shows 5, or 5 stays empty for good.
//!
//! The writers are listed *after* the positions of the same read. So a read at which the last of them is gone
//! settles nothing yet: it may have ended between the two. The following read does.

use std::collections::BTreeSet;

use crate::ids::EventSeq;

/// The transactions that are writing to the log, by names that are not reused while they run.
pub(super) type Writers = BTreeSet<String>;

/// Tracks up to which position the log is settled.
#[derive(Debug)]
pub(super) struct Order {
    head: i64,
    /// Missing positions up to here stay missing.
    settled: i64,
    gap: Option<UnsettledGap>,
}

/// A gap up to `through`. It is settled by the read after the one that finds all of these writers gone.
#[derive(Debug)]
struct UnsettledGap {
    through: i64,
    writers: Writers,
}

impl Order {
    /// Starts after a settled position.
    pub(super) fn starting_after(head: EventSeq) -> Self {
        Self { head: head.0, settled: head.0, gap: None }
    }

    /// The last position that has been read.
    pub(super) fn head(&self) -> EventSeq {
        EventSeq(self.head)
    }

    /// Takes the positions after the head from one read, and the writers that were listed after it. Returns
    /// the number of positions that are settled. Writers are `None` where there is no gap among the
    /// positions, or where positions are taken in the order of commits.
    pub(super) fn accept(&mut self, positions: &[EventSeq], writers: Option<&Writers>) -> usize {
        let Some(newest) = positions.last() else {
            return 0;
        };
        let Some(writers) = writers else {
            self.head = newest.0;
            self.gap = None;
            return positions.len();
        };
        if let Some(gap) = self.gap.take_if(|gap| gap.writers.is_empty()) {
            self.settled = self.settled.max(gap.through);
        }
        let mut accepted = 0;
        for position in positions {
            if position.0 > self.head + 1 && position.0 - 1 > self.settled {
                // An existing gap is resolved first, or a busy log would delay it forever.
                let gap = self.gap.get_or_insert_with(|| UnsettledGap { through: newest.0, writers: writers.clone() });
                gap.writers.retain(|writer| writers.contains(writer));
                break;
            }
            self.head = position.0;
            accepted += 1;
        }
        accepted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(numbers: &[i64]) -> Vec<EventSeq> {
        numbers.iter().copied().map(EventSeq).collect()
    }

    fn writers(names: &[&str]) -> Writers {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_missing_position_holds_back_later_ones() {
        let mut order = Order::starting_after(EventSeq(3));
        assert_eq!(order.accept(&positions(&[4, 6]), Some(&writers(&["a"]))), 1);
        assert_eq!(order.head(), EventSeq(4));
        assert_eq!(order.accept(&positions(&[5, 6]), Some(&writers(&[]))), 2);
    }

    #[test]
    fn an_abandoned_position_is_eventually_passed() {
        let mut order = Order::starting_after(EventSeq(3));
        assert_eq!(order.accept(&positions(&[5]), Some(&writers(&["a", "b"]))), 0);
        // Other writers may come and go; the first two count.
        assert_eq!(order.accept(&positions(&[5]), Some(&writers(&["b", "c"]))), 0);
        assert_eq!(
            order.accept(&positions(&[5]), Some(&writers(&["c"]))),
            0,
            "it may have ended after the positions were read"
        );
        assert_eq!(order.accept(&positions(&[5]), Some(&writers(&["c"]))), 1);
    }

    #[test]
    fn without_writers_everything_is_settled() {
        let mut order = Order::starting_after(EventSeq(0));
        assert_eq!(order.accept(&positions(&[2, 7]), None), 2);
        assert_eq!(order.head(), EventSeq(7));
    }

    /// The next action of the simulated writers or of the reader.
    #[derive(Debug, Clone)]
    enum Step {
        Begin,
        Take(usize),
        Commit(usize),
        RollBack(usize),
        ReadPositions,
        ListWriters,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            2 => Just(Step::Begin),
            4 => (0..8_usize).prop_map(Step::Take),
            3 => (0..8_usize).prop_map(Step::Commit),
            1 => (0..8_usize).prop_map(Step::RollBack),
            3 => Just(Step::ReadPositions),
            3 => Just(Step::ListWriters),
        ];
        proptest::collection::vec(step, 1..300)
    }

    /// A log that behaves like PostgreSQL: positions are assigned at once, rows appear at the commit, and
    /// anything may happen between the two halves of a read.
    #[derive(Default)]
    struct Simulation {
        next_name: u32,
        next_position: i64,
        open: Vec<(u32, Vec<i64>)>,
        visible: Vec<i64>,
        half_read: Option<Vec<i64>>,
    }

    impl Simulation {
        fn apply(&mut self, step: &Step, order: &mut Order, seen: &mut Vec<i64>) {
            match step {
                Step::Begin if self.open.len() < 8 => {
                    self.next_name += 1;
                    self.open.push((self.next_name, Vec::new()));
                }
                Step::Take(index) => {
                    if let Some((_, taken)) = self.open.get_mut(*index) {
                        self.next_position += 1;
                        taken.push(self.next_position);
                    }
                }
                Step::Commit(index) if *index < self.open.len() => {
                    let (_, taken) = self.open.remove(*index);
                    self.visible.extend(taken);
                    self.visible.sort_unstable();
                }
                Step::RollBack(index) if *index < self.open.len() => drop(self.open.remove(*index)),
                Step::ReadPositions => {
                    let after_head = self.visible.iter().copied().filter(|position| *position > order.head);
                    self.half_read = Some(after_head.collect());
                }
                Step::ListWriters => {
                    if let Some(after) = self.half_read.take() {
                        let writing = self.open.iter().filter(|(_, taken)| !taken.is_empty());
                        let writers = writing.map(|(name, _)| name.to_string()).collect();
                        let accepted = order.accept(&positions(&after), Some(&writers));
                        seen.extend(&after[..accepted]);
                    }
                }
                _ => {}
            }
        }
    }

    proptest! {
        #[test]
        fn no_event_is_missed_repeated_or_reordered(steps in steps()) {
            let mut simulation = Simulation::default();
            let mut order = Order::starting_after(EventSeq(0));
            let mut seen = Vec::new();
            for step in &steps {
                simulation.apply(step, &mut order, &mut seen);
            }
            while !simulation.open.is_empty() {
                simulation.apply(&Step::Commit(0), &mut order, &mut seen);
            }
            // Enough reads to detect a last gap and to settle it.
            for _ in 0..4 {
                simulation.apply(&Step::ReadPositions, &mut order, &mut seen);
                simulation.apply(&Step::ListWriters, &mut order, &mut seen);
            }
            prop_assert_eq!(seen, simulation.visible);
        }
    }
}
