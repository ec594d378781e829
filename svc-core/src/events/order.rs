//! How far the log can be read without ever having to go back.
//!
//! Two transactions may take places 5 and 6 and commit in the order 6, 5. A reader that has moved
//! on to 6 would never see 5. So a reader stops before a missing place until it is certain that
//! the place stays empty: every transaction had its number before it took its place, and place 6
//! is visible, so whoever took 5 has a number below the first one that was unused when 6 was
//! seen. Once all of those have ended, 5 is there or never will be.

use crate::ids::EventSeq;

/// Which transactions have ended, as one snapshot sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Horizon {
    /// Every transaction with a smaller number has ended.
    pub(super) all_ended_below: i64,
    /// No transaction with this or a larger number had begun.
    pub(super) none_begun_from: i64,
}

/// How far the log is settled.
#[derive(Debug)]
pub(super) struct Order {
    head: i64,
    /// Missing places up to here stay missing.
    settled: i64,
    doubt: Option<Doubt>,
}

/// Places up to `through` that are settled once all transactions below `until` have ended.
#[derive(Debug)]
struct Doubt {
    through: i64,
    until: i64,
}

impl Order {
    /// Starts after a place that is settled.
    pub(super) fn starting_after(head: EventSeq) -> Self {
        Self { head: head.0, settled: head.0, doubt: None }
    }

    /// Everything up to this place has been read.
    pub(super) fn head(&self) -> EventSeq {
        EventSeq(self.head)
    }

    /// Takes the places that follow the head, as one snapshot shows them, and tells how many of
    /// them can be passed on. Without a horizon, places are taken in the order of commits.
    pub(super) fn accept(&mut self, places: &[EventSeq], horizon: Option<Horizon>) -> usize {
        let Some(newest) = places.last() else {
            return 0;
        };
        let Some(horizon) = horizon else {
            self.head = newest.0;
            return places.len();
        };
        if let Some(doubt) = self.doubt.take_if(|doubt| doubt.until <= horizon.all_ended_below) {
            self.settled = self.settled.max(doubt.through);
        }
        let mut accepted = 0;
        for place in places {
            if place.0 > self.head + 1 && place.0 - 1 > self.settled {
                // The newest place seen settles most at once; a doubt that is already waiting
                // goes first, or a busy log would put it off for ever.
                self.doubt.get_or_insert(Doubt { through: newest.0, until: horizon.none_begun_from });
                break;
            }
            self.head = place.0;
            accepted += 1;
        }
        accepted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(numbers: &[i64]) -> Vec<EventSeq> {
        numbers.iter().copied().map(EventSeq).collect()
    }

    #[test]
    fn a_missing_place_holds_back_what_follows() {
        let mut order = Order::starting_after(EventSeq(3));
        let during = Horizon { all_ended_below: 10, none_begun_from: 12 };
        assert_eq!(order.accept(&places(&[4, 6]), Some(during)), 1);
        assert_eq!(order.head(), EventSeq(4));
        let filled = Horizon { all_ended_below: 12, none_begun_from: 12 };
        assert_eq!(order.accept(&places(&[5, 6]), Some(filled)), 2);
    }

    #[test]
    fn a_place_that_was_given_up_is_passed_in_the_end() {
        let mut order = Order::starting_after(EventSeq(3));
        let during = Horizon { all_ended_below: 10, none_begun_from: 12 };
        assert_eq!(order.accept(&places(&[5]), Some(during)), 0);
        let still = Horizon { all_ended_below: 11, none_begun_from: 13 };
        assert_eq!(order.accept(&places(&[5]), Some(still)), 0);
        let ended = Horizon { all_ended_below: 12, none_begun_from: 14 };
        assert_eq!(order.accept(&places(&[5]), Some(ended)), 1);
    }

    #[test]
    fn without_a_horizon_everything_is_settled() {
        let mut order = Order::starting_after(EventSeq(0));
        assert_eq!(order.accept(&places(&[2, 7]), None), 2);
        assert_eq!(order.head(), EventSeq(7));
    }

    /// What a simulated writer does next.
    #[derive(Debug, Clone)]
    enum Step {
        Begin,
        Take(usize),
        Commit(usize),
        RollBack(usize),
        Read,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            2 => Just(Step::Begin),
            4 => (0..8_usize).prop_map(Step::Take),
            2 => (0..8_usize).prop_map(Step::Commit),
            1 => (0..8_usize).prop_map(Step::RollBack),
            2 => Just(Step::Read),
        ];
        proptest::collection::vec(step, 1..200)
    }

    /// A log as PostgreSQL keeps it: numbers and places are given out at once, rows appear at commit.
    #[derive(Default)]
    struct Simulation {
        next_number: i64,
        next_place: i64,
        open: Vec<(i64, Vec<i64>)>,
        visible: Vec<i64>,
    }

    impl Simulation {
        fn apply(&mut self, step: &Step) {
            match step {
                Step::Begin if self.open.len() < 8 => {
                    self.next_number += 1;
                    self.open.push((self.next_number, Vec::new()));
                }
                Step::Take(index) => {
                    if let Some((_, taken)) = self.open.get_mut(*index) {
                        self.next_place += 1;
                        taken.push(self.next_place);
                    }
                }
                Step::Commit(index) if *index < self.open.len() => {
                    let (_, taken) = self.open.remove(*index);
                    self.visible.extend(taken);
                    self.visible.sort_unstable();
                }
                Step::RollBack(index) if *index < self.open.len() => drop(self.open.remove(*index)),
                _ => {}
            }
        }

        fn read(&self, order: &mut Order, seen: &mut Vec<i64>) {
            let after: Vec<_> = self.visible.iter().copied().filter(|place| *place > order.head).collect();
            let horizon = Horizon {
                all_ended_below: self.open.iter().map(|(number, _)| *number).min().unwrap_or(self.next_number + 1),
                none_begun_from: self.next_number + 1,
            };
            let accepted = order.accept(&places(&after), Some(horizon));
            seen.extend(&after[..accepted]);
        }
    }

    proptest! {
        #[test]
        fn nothing_is_missed_repeated_or_out_of_order(steps in steps()) {
            let mut simulation = Simulation::default();
            let mut order = Order::starting_after(EventSeq(0));
            let mut seen = Vec::new();
            for step in &steps {
                simulation.apply(step);
                if matches!(step, Step::Read) {
                    simulation.read(&mut order, &mut seen);
                }
            }
            while !simulation.open.is_empty() {
                simulation.apply(&Step::Commit(0));
            }
            // Once to learn of a doubt, once to settle it.
            simulation.read(&mut order, &mut seen);
            simulation.read(&mut order, &mut seen);
            simulation.read(&mut order, &mut seen);
            prop_assert_eq!(seen, simulation.visible);
        }
    }
}
