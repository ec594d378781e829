//! Limits of reputation, budgets and loops.

use std::time::Duration;

/// Time after which an entry of a reputation counts half as much.
pub const REPUTATION_HALF_LIFE: Duration = Duration::from_hours(30 * 24);
/// The score of an agent without entries.
pub const REPUTATION_BEGINNING: f64 = 0.5;
/// The number of entries that the beginning counts for.
pub const REPUTATION_PRIOR: f64 = 4.0;
/// An agent with a score below this is quarantined.
pub const REPUTATION_QUARANTINE: f64 = 0.3;
/// Retention of entries. An older one would count for less than a thousandth.
pub const REPUTATION_RETENTION: Duration = Duration::from_hours(365 * 24);
/// Number of days in the series of a reputation.
pub const REPUTATION_DAYS: u32 = 30;

/// Largest amount of money in a budget, in dollars.
pub const BUDGET_USD_MAX: f64 = 1_000_000.0;
/// Largest number of tokens in a budget.
pub const BUDGET_TOKENS_MAX: i64 = 1_000_000_000_000;
/// Largest number of runs in a budget.
pub const BUDGET_RUNS_MAX: i64 = 10_000_000;
/// Share of a budget, in percent, at which its owner is warned.
pub const BUDGET_WARNING_PERCENT: i64 = 80;
/// Share of a limit, one in so many, that a run reserves when nothing else is known about it.
pub const BUDGET_FIRST_ESTIMATE: i64 = 100;
/// Number of the last runs whose mean is the estimate of the next one.
pub const BUDGET_ESTIMATE_RUNS: u32 = 20;
/// A forecast looks at no shorter time than this, so that the first run of a period says little.
pub const BUDGET_FORECAST_MIN: Duration = Duration::from_hours(1);
/// Retention of what each run cost.
pub const CHARGE_RETENTION: Duration = Duration::from_hours(400 * 24);
/// Largest number of days for which usage is shown.
pub const USAGE_DAYS_MAX: u32 = 366;
/// Number of days for which usage is shown by default.
pub const USAGE_DAYS: u32 = 30;

/// Time that is searched for loops.
pub const LOOP_WINDOW: Duration = Duration::from_mins(30);
/// Number of times that two agents may answer each other without a human.
pub const LOOP_ANSWERS: usize = 12;
/// Number of the last messages between two agents that are compared with each other.
pub const LOOP_COMPARED: usize = 6;
/// Number of these that are alike in a loop.
pub const LOOP_ALIKE: usize = 5;
/// Number of messages that an agent may send in a minute and one conversation.
pub const LOOP_RATE: usize = 60;
/// Number of messages of a conversation that are searched for loops.
pub const LOOP_MESSAGES: u32 = 200;
/// Size of the beginning of a message that is compared, in characters.
pub const LOOP_BODY: u32 = 4000;
/// Number of agents addressed by one message that are searched for loops.
pub const LOOP_ADDRESSED: usize = 5;
/// Time after which a loop is lifted.
pub const LOOP_HOLD: Duration = Duration::from_hours(1);
/// Retention of loops that were lifted.
pub const LOOP_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Number of loops in a list.
pub const LOOPS_LISTED: u32 = 200;
