//! Reputation and budgets of agents, and loops between them.

use serde::{Deserialize, Deserializer, Serialize};

use crate::column::{Column, Json, Kind, Mismatch, Value};
use crate::error::FieldError;
use crate::ids::{ConversationId, LoopId, MessageId, ReputationEntryId, RunId};
use crate::limits;
use crate::timestamp::Timestamp;

/// Microdollars in a dollar.
const MICROS: f64 = 1e6;

/// A dollar amount in microdollars, as the store has it.
#[expect(clippy::cast_possible_truncation, reason = "amounts are bounded far below the range of the integer")]
pub fn micros_of(usd: f64) -> i64 {
    if usd.is_finite() { (usd.clamp(0.0, limits::BUDGET_USD_MAX) * MICROS).round() as i64 } else { 0 }
}

/// Microdollars in dollars, as they are shown.
#[expect(clippy::cast_precision_loss, reason = "amounts are bounded far below the precision of the number")]
pub fn usd_of(micros: i64) -> f64 {
    micros as f64 / MICROS
}

/// The time that a budget is for. Days and months are those of UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Period {
    /// A day.
    Day,
    /// A month.
    #[default]
    Month,
    /// All time.
    Total,
}

crate::text_enum! { Period { Day => "day", Month => "month", Total => "total" } }

/// Microseconds in a day.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

impl Period {
    /// All periods.
    pub const ALL: [Self; 3] = [Self::Day, Self::Month, Self::Total];

    /// When the period began that contains a time. All time began at the epoch.
    #[must_use]
    pub fn start(self, at: Timestamp) -> Timestamp {
        match self {
            Self::Day => Timestamp::from_micros(at.as_micros().div_euclid(DAY) * DAY),
            Self::Month => month(at, |date| Some(date.first_of_month())),
            Self::Total => Timestamp::from_micros(0),
        }
    }

    /// When the period ends that contains a time; none for all time.
    pub fn end(self, at: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Day => Some(Timestamp::from_micros((at.as_micros().div_euclid(DAY) + 1) * DAY)),
            Self::Month => Some(month(at, |date| date.last_of_month().tomorrow().ok())),
            Self::Total => None,
        }
    }
}

/// The beginning of a day that is found from the date of a time. Times outside the calendar stay as they are.
fn month(at: Timestamp, find: impl Fn(jiff::civil::Date) -> Option<jiff::civil::Date>) -> Timestamp {
    let utc = jiff::tz::Offset::UTC;
    let found = jiff::Timestamp::from_microsecond(at.as_micros()).ok().and_then(|moment| {
        let date = find(utc.to_datetime(moment).date())?;
        utc.to_timestamp(date.at(0, 0, 0, 0)).ok()
    });
    found.map_or(at, Timestamp::from)
}

/// The limits of what the runs of an agent may cost. A budget without limits is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The maximum cost in dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The maximum number of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
    /// The maximum number of runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<i64>,
    /// The time that the limits are for; a month by default.
    #[serde(default, deserialize_with = "period_or_default")]
    #[cfg_attr(feature = "openapi", oai(default))]
    pub period: Period,
}

/// Reads a period; `null` is the default one, as everywhere in requests.
fn period_or_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Period, D::Error> {
    Ok(Option::<Period>::deserialize(deserializer)?.unwrap_or_default())
}

/// A budget as it is stored: money in microdollars.
#[derive(Serialize, Deserialize)]
struct StoredBudget {
    usd_micros: Option<i64>,
    tokens: Option<i64>,
    runs: Option<i64>,
    period: Period,
}

impl Column for Budget {
    const KIND: Kind = Kind::Json;

    fn into_value(self) -> Value {
        let Self { usd, tokens, runs, period } = self;
        Json(StoredBudget { usd_micros: usd.map(micros_of), tokens, runs, period }).into_value()
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let Json(StoredBudget { usd_micros, tokens, runs, period }) = Json::from_value(value)?;
        Ok(Self { usd: usd_micros.map(usd_of), tokens, runs, period })
    }
}

impl Budget {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        self.usd.is_none() && self.tokens.is_none() && self.runs.is_none()
    }

    /// The fields with values out of range.
    pub fn faults(&self) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if self.usd.is_some_and(|usd| !(0.0..=limits::BUDGET_USD_MAX).contains(&usd)) {
            let message = format!("must be 0 to {}", limits::BUDGET_USD_MAX);
            faults.push(FieldError { field: "budget.usd".into(), message });
        }
        for (field, value, most) in [
            ("budget.tokens", self.tokens, limits::BUDGET_TOKENS_MAX),
            ("budget.runs", self.runs, limits::BUDGET_RUNS_MAX),
        ] {
            if value.is_some_and(|value| !(0..=most).contains(&value)) {
                faults.push(FieldError { field: field.into(), message: format!("must be 0 to {most}") });
            }
        }
        faults
    }
}

/// The reason why an agent is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum PausedReason {
    /// Its owner paused it. Only the owner resumes it.
    Manual,
    /// Its budget is used up. It goes on when the period turns, when the limit is raised, or when its owner resumes it.
    Budget,
}

crate::text_enum! { PausedReason { Manual => "manual", Budget => "budget" } }

/// What is limited by a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Runs of a day, limited by `daily_run_budget`.
    DailyRuns,
    /// Money.
    Usd,
    /// Tokens.
    Tokens,
    /// Runs.
    Runs,
}

crate::text_enum! { Resource { DailyRuns => "daily_runs", Usd => "usd", Tokens => "tokens", Runs => "runs" } }

/// The cause of an entry of a reputation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReputationKind {
    /// A run ended.
    Run,
    /// A task of a goal was verified or failed.
    Task,
    /// A human approved or rejected a message of the agent.
    Judgement,
}

crate::text_enum! { ReputationKind { Run => "run", Task => "task", Judgement => "judgement" } }

crate::row! {
    /// An entry of a reputation.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct ReputationEntry {
        /// Its id.
        pub id: ReputationEntryId,
        /// Its cause.
        pub kind: ReputationKind,
        /// 1 for a success, 0 for a failure.
        pub value: u32,
        /// The run.
        pub run_id: Option<RunId>,
        /// The message that was judged; none once it is removed.
        pub message_id: Option<MessageId>,
        /// The handle of the human who judged it.
        pub by: Option<String>,
        /// When it was made.
        pub created_at: Timestamp,
    }
}

/// The score of an agent at the end of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ReputationDay {
    /// The beginning of the day.
    pub day: Timestamp,
    /// The score at its end, or now for the present day; 0 to 1.
    pub score: f64,
    /// The number of entries of the day.
    pub entries: i64,
}

/// The reputation of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Reputation {
    /// The name of the agent.
    pub agent: String,
    /// The mean of its entries, weighted by their age; 0 to 1. An agent without entries has 0.5.
    pub score: f64,
    /// Only entries from this time on count: its quarantine was lifted then.
    pub since: Option<Timestamp>,
    /// When it was quarantined; none when it is not.
    pub quarantined_at: Option<Timestamp>,
    /// A page of its entries, newest first.
    pub entries: Vec<ReputationEntry>,
    /// The cursor of the next page; none on the last one.
    pub next_cursor: Option<ReputationEntryId>,
    /// The score by day, oldest first.
    pub series: Vec<ReputationDay>,
}

/// The page of the entries of a reputation.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReputationFilter {
    /// Only entries before this one, for the next page.
    pub before: Option<ReputationEntryId>,
    /// The maximum number of entries; `None` is the default page size.
    pub limit: Option<i64>,
}

/// How far the money of a budget is used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MoneyUse {
    /// The limit in dollars, with what its owner added by resuming; none when there is no limit.
    pub limit: Option<f64>,
    /// The cost of the runs that have ended.
    pub spent: f64,
    /// The estimated cost of the runs that have not ended.
    pub reserved: f64,
    /// The cost by the end of the period, if it goes on like this; none for all time.
    pub forecast: Option<f64>,
}

/// How far the tokens or runs of a budget are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct CountUse {
    /// The limit, with what its owner added by resuming; none when there is no limit.
    pub limit: Option<i64>,
    /// The number of the runs that have ended.
    pub spent: i64,
    /// The estimated number of the runs that have not ended.
    pub reserved: i64,
    /// The number by the end of the period, if it goes on like this; none for all time.
    pub forecast: Option<i64>,
}

/// The budget of an agent and its use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct BudgetUse {
    /// The name of the agent.
    pub agent: String,
    /// The period of the budget; a month when there is no budget.
    pub period: Period,
    /// When the period began; none for all time.
    pub starts_at: Option<Timestamp>,
    /// When the period ends; none for all time.
    pub ends_at: Option<Timestamp>,
    /// Money, in dollars.
    pub usd: MoneyUse,
    /// Tokens.
    pub tokens: CountUse,
    /// Runs.
    pub runs: CountUse,
    /// Runs of the present day, limited by `daily_run_budget`.
    pub daily_runs: CountUse,
    /// How often its owner resumed it in this period. Each time adds the limits once more.
    pub extensions: u32,
    /// When the owner was warned in this period.
    pub warned_at: Option<Timestamp>,
    /// When it was paused; none when it is not.
    pub paused_at: Option<Timestamp>,
    /// The reason why it is paused.
    pub paused_reason: Option<PausedReason>,
}

/// How the usage of runs is grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum UsageGrouping {
    /// By agent.
    Agent,
    /// By day of UTC.
    Day,
    /// By goal.
    Goal,
}

crate::text_enum! { UsageGrouping { Agent => "agent", Day => "day", Goal => "goal" } }

/// The runs of an agent or of a day, and what they cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct UsageGroup {
    /// The agent, when it is grouped by agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The beginning of the day, when it is grouped by day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Timestamp>,
    /// The slug of the goal, when it is grouped by goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The number of runs that have ended.
    pub runs: i64,
    /// Their cost in dollars.
    pub usd: f64,
    /// Their tokens.
    pub tokens: i64,
    /// The estimated cost of the runs that have not ended, in dollars.
    pub reserved_usd: f64,
}

/// What the runs of the caller's agents cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RunUsage {
    /// How it is grouped.
    pub by: UsageGrouping,
    /// Runs that began from this time on.
    pub since: Timestamp,
    /// The groups: agents by name, or days from the oldest on. Those without runs are left out.
    pub groups: Vec<UsageGroup>,
}

/// What gave a loop away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum LoopKind {
    /// Two agents answered each other too often without a human.
    Exchange,
    /// The messages between two agents were almost the same.
    Repetition,
    /// An agent sent too many messages in a minute.
    Flood,
}

crate::text_enum! { LoopKind { Exchange => "exchange", Repetition => "repetition", Flood => "flood" } }

crate::row! {
    /// A loop. While it is held, messages between its agents start no runs and are not sent to webhooks.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Loop {
        /// Its id.
        pub id: LoopId,
        /// What gave it away.
        pub kind: LoopKind,
        /// The handle of an agent.
        pub agent: String,
        /// The handle of the other one; none for an agent that floods a channel, whom nobody there is told of.
        pub other: Option<String>,
        /// The conversation in which it was found.
        pub conversation_id: ConversationId,
        /// The number of answers, of similar messages, or of messages in a minute.
        pub count: u32,
        /// When it was found.
        pub held_at: Timestamp,
        /// When it is lifted without being asked for.
        pub until: Timestamp,
        /// When it was lifted; none while it is held.
        pub lifted_at: Option<Timestamp>,
        /// The handle of the human who lifted it; none when its time was over.
        pub lifted_by: Option<String>,
    }
}

/// The loops of the caller's agents, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct LoopList {
    /// The loops.
    pub loops: Vec<Loop>,
}

/// Which loops are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoopFilter {
    /// Only those that are held, or only those that are lifted.
    pub held: Option<bool>,
}

/// The cost of a run, known or estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Microdollars.
    pub usd_micros: i64,
    /// Tokens.
    pub tokens: i64,
}

/// How a run ended, for the reputation of its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunOutcome {
    /// It succeeded.
    Succeeded,
    /// It failed.
    Failed,
    /// Somebody cancelled it; this says nothing about the agent.
    Cancelled,
    /// The server stopped while it ran; this says nothing about the agent.
    Interrupted,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn periods_are_those_of_utc() {
        for (now, day, month) in [
            ("2026-01-31T23:59:59.999Z", "2026-01-31T00:00:00Z", "2026-01-01T00:00:00Z"),
            ("2024-02-29T12:00:00Z", "2024-02-29T00:00:00Z", "2024-02-01T00:00:00Z"),
            ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"),
        ] {
            assert_eq!((Period::Day.start(at(now)), Period::Month.start(at(now))), (at(day), at(month)), "{now}");
        }
        assert_eq!(Period::Day.end(at("2026-12-31T10:00:00Z")), Some(at("2027-01-01T00:00:00Z")));
        assert_eq!(Period::Month.end(at("2026-12-31T10:00:00Z")), Some(at("2027-01-01T00:00:00Z")));
        assert_eq!(Period::Month.end(at("2024-02-01T00:00:00Z")), Some(at("2024-03-01T00:00:00Z")));
        assert_eq!(Period::Total.end(at("2024-02-01T00:00:00Z")), None);
    }

    #[test]
    fn a_budget_survives_the_store_in_microdollars() {
        let budget = Budget { usd: Some(12.345_678), tokens: None, runs: Some(3), period: Period::Day };
        let Value::Json(text) = budget.into_value() else { panic!("it is JSON") };
        assert!(text.contains("12345678") && !text.contains("12.3"), "{text}");
        assert_eq!(Budget::from_value(Value::Json(text)).unwrap(), budget);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let budget = Budget { usd: Some(f64::NAN), tokens: Some(-1), runs: Some(0), period: Period::Total };
        let faults: Vec<_> = budget.faults().into_iter().map(|fault| fault.field).collect();
        assert_eq!(faults, ["budget.usd", "budget.tokens"]);
        assert!(Budget { usd: Some(0.0), ..Budget::default() }.faults().is_empty());
    }
}
