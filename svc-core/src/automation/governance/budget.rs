//! The rules of budgets, as pure functions over what was read.

use std::time::Duration;

use serde_json::Value;
use svc_model::governance::{Budget, Cost, Resource, micros_of};

use super::store::PeriodRow;
use crate::limits;

/// The limits of a period, with what the owner added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) usd: Option<i64>,
    pub(super) tokens: Option<i64>,
    pub(super) runs: Option<i64>,
}

impl Limits {
    /// The limits of a budget. Each extension adds them once more.
    pub(super) fn of(budget: Option<&Budget>, extensions: u32) -> Self {
        let times = i64::from(extensions).saturating_add(1);
        let Some(budget) = budget else { return Self::default() };
        let extended = |limit: i64| limit.saturating_mul(times);
        Self {
            usd: budget.usd.map(micros_of).map(extended),
            tokens: budget.tokens.map(extended),
            runs: budget.runs.map(extended),
        }
    }

    /// Each limit with what is spent and reserved of it.
    fn uses(&self, used: &PeriodRow) -> [(Resource, Option<i64>, i64, i64); 3] {
        [
            (Resource::Usd, self.usd, used.spent_usd, used.reserved_usd),
            (Resource::Tokens, self.tokens, used.spent_tokens, used.reserved_tokens),
            (Resource::Runs, self.runs, used.spent_runs, used.reserved_runs),
        ]
    }

    /// The first limit that leaves no room for another run of this cost.
    pub(super) fn refuses(&self, used: &PeriodRow, cost: &Cost) -> Option<Resource> {
        self.uses(used).into_iter().find_map(|(resource, limit, spent, reserved)| {
            let more = match resource {
                Resource::Usd => cost.usd_micros,
                Resource::Tokens => cost.tokens,
                Resource::Runs | Resource::DailyRuns => 1,
            };
            let taken = spent.saturating_add(reserved);
            // A limit that is reached refuses also a run that is expected to cost nothing.
            limit.filter(|limit| taken >= *limit || taken.saturating_add(more) > *limit).map(|_| resource)
        })
    }

    /// The limit that is used most, with its share in percent. A limit of 0 is used up.
    pub(super) fn most_used(&self, used: &PeriodRow) -> Option<(Resource, i64)> {
        let shares = self.uses(used).into_iter().filter_map(|(resource, limit, spent, _)| {
            let limit = limit?;
            let share = if limit == 0 { 100 } else { i128::from(spent) * 100 / i128::from(limit) };
            Some((resource, i64::try_from(share).unwrap_or(i64::MAX)))
        });
        shares.max_by_key(|(_, share)| *share)
    }

    /// The amounts that are left; none where nothing is limited.
    pub(super) fn left(&self, used: &PeriodRow) -> [Option<i64>; 3] {
        self.uses(used).map(|(_, limit, spent, reserved)| {
            limit.map(|limit| limit.saturating_sub(spent).saturating_sub(reserved).max(0))
        })
    }
}

/// The number of extensions after another one: enough that nothing is used up, where that is possible.
pub(super) fn extended(budget: &Budget, used: &PeriodRow) -> u32 {
    let once = Limits::of(Some(budget), 0);
    let needed =
        once.uses(used).into_iter().filter_map(|(_, limit, spent, _)| limit.and_then(|limit| spent.checked_div(limit)));
    let needed = needed.max().and_then(|times| u32::try_from(times).ok()).unwrap_or(0);
    used.extensions.saturating_add(1).max(needed)
}

/// The estimated cost of a run: as its harness says, else as the last runs did, else a small share of the limit.
pub(super) fn estimate(harness: &Value, mean: Option<Cost>, limits: &Limits) -> Cost {
    let said = &harness["estimate"];
    let first = |limit: Option<i64>| {
        let share =
            |limit: i64| limit.saturating_add(limits::BUDGET_FIRST_ESTIMATE - 1) / limits::BUDGET_FIRST_ESTIMATE;
        limit.map_or(0, share)
    };
    let usd = said["usd"].as_f64().map(micros_of).or(mean.map(|mean| mean.usd_micros));
    let tokens = said["tokens"].as_i64().map(|tokens| tokens.clamp(0, limits::BUDGET_TOKENS_MAX));
    let tokens = tokens.or(mean.map(|mean| mean.tokens));
    Cost {
        usd_micros: usd.unwrap_or_else(|| first(limits.usd)),
        tokens: tokens.unwrap_or_else(|| first(limits.tokens)),
    }
}

/// A cost within the range of the store.
pub(super) fn bounded(cost: Cost) -> Cost {
    let most = micros_of(limits::BUDGET_USD_MAX);
    Cost { usd_micros: cost.usd_micros.clamp(0, most), tokens: cost.tokens.clamp(0, limits::BUDGET_TOKENS_MAX) }
}

/// The limits of a single run, from the harness of its agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RunLimits {
    usd_micros: Option<i64>,
    tokens: Option<i64>,
}

impl RunLimits {
    /// Reads `max_usd` and `max_tokens`.
    pub(crate) fn of(harness: &Value) -> Self {
        Self { usd_micros: harness["max_usd"].as_f64().map(micros_of), tokens: harness["max_tokens"].as_i64() }
    }

    /// The limit that a run has passed.
    pub(crate) fn passed(&self, cost: &Cost) -> Option<Resource> {
        if self.usd_micros.is_some_and(|limit| cost.usd_micros > limit) {
            return Some(Resource::Usd);
        }
        self.tokens.is_some_and(|limit| cost.tokens > limit).then_some(Resource::Tokens)
    }
}

/// The forecast of a period: the amount spent by its end, at the present rate.
pub(super) fn forecast(spent: i64, elapsed: Duration, left: Duration) -> i64 {
    let elapsed = elapsed.max(limits::BUDGET_FORECAST_MIN).as_micros().max(1);
    let more = u128::try_from(spent).unwrap_or(0).saturating_mul(left.as_micros()) / elapsed;
    spent.saturating_add(i64::try_from(more).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_model::governance::Period;

    use super::*;

    fn budget(usd: Option<f64>, tokens: Option<i64>, runs: Option<i64>) -> Budget {
        Budget { usd, tokens, runs, period: Period::Month }
    }

    fn dollars(usd: f64) -> Cost {
        Cost { usd_micros: micros_of(usd), tokens: 0 }
    }

    #[test]
    fn a_run_fits_while_everything_that_is_reserved_fits() {
        let limits = Limits::of(Some(&budget(Some(3.0), None, None)), 0);
        let used = |spent: f64, reserved: f64| PeriodRow {
            spent_usd: micros_of(spent),
            reserved_usd: micros_of(reserved),
            ..PeriodRow::default()
        };
        assert_eq!(limits.refuses(&used(0.0, 2.0), &dollars(1.0)), None);
        assert_eq!(limits.refuses(&used(1.0, 1.5), &dollars(1.0)), Some(Resource::Usd));
        assert_eq!(limits.refuses(&used(3.0, 0.0), &dollars(0.0)), Some(Resource::Usd));
        assert_eq!(Limits::of(None, 0).refuses(&used(9.0, 9.0), &dollars(9.0)), None);
        let nothing = Limits::of(Some(&budget(None, None, Some(0))), 0);
        assert_eq!(nothing.refuses(&PeriodRow::default(), &dollars(0.0)), Some(Resource::Runs));
    }

    #[test]
    fn the_limit_that_is_used_most_counts() {
        let limits = Limits::of(Some(&budget(Some(10.0), Some(1000), None)), 0);
        let used = PeriodRow { spent_usd: micros_of(7.999_999), spent_tokens: 100, ..PeriodRow::default() };
        assert_eq!(limits.most_used(&used), Some((Resource::Usd, 79)));
        let used = PeriodRow { spent_tokens: 1200, ..used };
        assert_eq!(limits.most_used(&used), Some((Resource::Tokens, 120)));
        assert_eq!(Limits::of(None, 0).most_used(&used), None);
        assert_eq!(Limits::of(Some(&budget(Some(0.0), None, None)), 0).most_used(&used), Some((Resource::Usd, 100)));
    }

    #[test]
    fn an_extension_makes_room() {
        let budget = budget(Some(1.0), None, None);
        let spent =
            |usd: f64, extensions: u32| PeriodRow { spent_usd: micros_of(usd), extensions, ..PeriodRow::default() };
        for (used, extensions) in [(spent(1.0, 0), 1), (spent(3.5, 0), 3), (spent(2.0, 1), 2), (spent(0.1, 4), 5)] {
            assert_eq!(extended(&budget, &used), extensions);
            let (_, share) = Limits::of(Some(&budget), extensions).most_used(&used).unwrap();
            assert!(share < 100, "{share}");
        }
    }

    #[test]
    fn the_estimate_is_what_is_known_best() {
        let limits = Limits::of(Some(&budget(Some(5.0), Some(150), None)), 0);
        let mean = Some(Cost { usd_micros: 40, tokens: 7 });
        let said = json!({ "estimate": { "usd": 0.5, "tokens": 20 } });
        assert_eq!(estimate(&said, mean, &limits), Cost { usd_micros: 500_000, tokens: 20 });
        assert_eq!(
            estimate(&json!({ "estimate": { "usd": 0.5 } }), mean, &limits),
            Cost { usd_micros: 500_000, tokens: 7 }
        );
        assert_eq!(estimate(&json!({}), mean, &limits), Cost { usd_micros: 40, tokens: 7 });
        assert_eq!(estimate(&json!({}), None, &limits), Cost { usd_micros: 50_000, tokens: 2 });
        assert_eq!(estimate(&json!({ "estimate": "much" }), None, &Limits::default()), Cost::default());
        assert_eq!(estimate(&json!({ "estimate": { "usd": -3.0 } }), None, &limits).usd_micros, 0);
    }

    #[test]
    fn a_run_passes_its_own_limits() {
        let limits = RunLimits::of(&json!({ "max_usd": 1.5, "max_tokens": 100 }));
        assert_eq!(limits.passed(&Cost { usd_micros: 1_500_000, tokens: 100 }), None);
        assert_eq!(limits.passed(&Cost { usd_micros: 1_500_001, tokens: 100 }), Some(Resource::Usd));
        assert_eq!(limits.passed(&Cost { usd_micros: 0, tokens: 101 }), Some(Resource::Tokens));
        assert_eq!(RunLimits::of(&json!({})).passed(&Cost { usd_micros: i64::MAX, tokens: i64::MAX }), None);
    }

    #[test]
    fn a_forecast_goes_on_at_the_same_pace() {
        let day = Duration::from_hours(24);
        assert_eq!(forecast(100, day, day * 9), 1000);
        assert_eq!(forecast(0, day, day * 9), 0);
        // The first minute of a period counts as an hour.
        assert_eq!(forecast(10, Duration::from_mins(1), Duration::from_hours(23)), 240);
        assert_eq!(forecast(i64::MAX, day, day), i64::MAX);
    }
}
