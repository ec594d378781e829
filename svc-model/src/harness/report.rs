//! What a run used and reports, and why it failed.

use serde::{Deserialize, Serialize};

use super::HarnessSettings;
use crate::limits;

/// Prices of a million tokens, in dollars, for programs that report tokens and no money.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The price of input that is not from a cache.
    pub input: f64,
    /// The price of output.
    pub output: f64,
    /// The price of input from a cache; that of other input by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

/// Tokens and money that a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens, with those from a cache.
    pub tokens_in: i64,
    /// Output tokens.
    pub tokens_out: i64,
    /// Input tokens from a cache.
    pub tokens_cached: i64,
    /// The cost, in millionths of a dollar; none when it is not known.
    pub cost_micros: Option<i64>,
    /// Whether the cost follows from the prices of the harness and was not reported.
    pub is_imputed: bool,
}

impl Usage {
    /// The tokens in total.
    pub fn tokens(&self) -> i64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }

    /// Adds the cost that follows from prices, unless the run reported one.
    #[must_use]
    pub fn priced(mut self, prices: Option<&Prices>) -> Self {
        if let Some(prices) = prices.filter(|_| self.cost_micros.is_none() && self.tokens() > 0) {
            let cached = self.tokens_cached.clamp(0, self.tokens_in);
            // A dollar per million tokens is a millionth of a dollar per token.
            let micros = float(self.tokens_in - cached) * prices.input
                + float(cached) * prices.cached.unwrap_or(prices.input)
                + float(self.tokens_out) * prices.output;
            self.cost_micros = Some(whole(micros));
            self.is_imputed = true;
        }
        self
    }

    /// Whether a run with these settings has used more than it may.
    pub fn exceeds(&self, settings: &HarnessSettings) -> bool {
        let micros = settings.max_usd.map(micros);
        let spent = self.priced(settings.prices.as_ref()).cost_micros;
        settings.max_tokens.is_some_and(|most| self.tokens() > most)
            || micros.zip(spent).is_some_and(|(most, spent)| spent > most)
    }
}

/// Dollars in millionths.
pub fn micros(usd: f64) -> i64 {
    whole(usd * 1_000_000.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^53")]
fn float(count: i64) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates")]
fn whole(value: f64) -> i64 {
    if value.is_finite() { value.round().max(0.0) as i64 } else { 0 }
}

/// What a run reports: the file `result.json`, the last line of its output, or the answer of a webhook.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(default)]
pub struct RunReport {
    /// The answer, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// The id with which the next run of the conversation can continue this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What it used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<ReportedUsage>,
    /// The id of its trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Why it failed; a report with it is one of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Tokens and money as a run reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(default)]
pub struct ReportedUsage {
    /// Input tokens, with those from a cache.
    pub tokens_in: Option<i64>,
    /// Output tokens.
    pub tokens_out: Option<i64>,
    /// Input tokens from a cache.
    pub tokens_cached: Option<i64>,
    /// Dollars.
    pub cost_usd: Option<f64>,
}

impl ReportedUsage {
    /// The usage within its bounds: a run can neither report a negative amount nor an absurd one.
    pub fn bounded(&self) -> Usage {
        let tokens = |count: Option<i64>| count.unwrap_or(0).clamp(0, limits::HARNESS_TOKENS_MAX);
        let cost = self.cost_usd.filter(|usd| usd.is_finite()).map(|usd| usd.clamp(0.0, limits::HARNESS_USD_MAX));
        Usage {
            tokens_in: tokens(self.tokens_in),
            tokens_out: tokens(self.tokens_out),
            tokens_cached: tokens(self.tokens_cached),
            cost_micros: cost.map(micros),
            is_imputed: false,
        }
    }
}

/// The reason why a run failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum RunFailure {
    /// The settings of the harness are missing or not valid.
    Settings,
    /// The command or the image was not found, or could not be started.
    NotStarted,
    /// The work directory could not be prepared.
    WorkDirectory,
    /// The run cannot be confined as the server requires.
    Confinement,
    /// It took longer than its time limit.
    Timeout,
    /// It used more memory than it may.
    Memory,
    /// It had more processes than it may.
    Processes,
    /// It ended with another exit code than 0.
    ExitCode,
    /// It was ended by a signal.
    Signal,
    /// It reported an error, or its report could not be read.
    Report,
    /// It passed its own limit on money or tokens.
    Limit,
    /// The node that ran it stopped.
    Interrupted,
    /// The address of a webhook is not allowed, or could not be reached.
    Unreachable,
    /// A webhook answered with another status than 2xx.
    Status,
    /// A secret that the run needs is missing or not valid.
    Secret,
    /// There is no cluster to run it on, or it does not answer.
    ClusterUnavailable,
    /// The cluster does not let the hub do what the run needs.
    ClusterForbidden,
    /// The cluster does not accept the Job: its namespace does not exist, or a quota or a policy refuses it.
    ClusterRefused,
    /// The image cannot be pulled, or does not fit the rules of the pod.
    Image,
    /// The cluster ended the pod: it was evicted, or its node is gone.
    Evicted,
    /// Somebody deleted the Job or its pod.
    JobDeleted,
    /// The hub failed.
    Internal,
}

crate::text_enum! {
    RunFailure {
        Settings => "settings",
        NotStarted => "not_started",
        WorkDirectory => "work_directory",
        Confinement => "confinement",
        Timeout => "timeout",
        Memory => "memory",
        Processes => "processes",
        ExitCode => "exit_code",
        Signal => "signal",
        Report => "report",
        Limit => "limit",
        Interrupted => "interrupted",
        Unreachable => "unreachable",
        Status => "status",
        Secret => "secret",
        ClusterUnavailable => "cluster_unavailable",
        ClusterForbidden => "cluster_forbidden",
        ClusterRefused => "cluster_refused",
        Image => "image",
        Evicted => "evicted",
        JobDeleted => "job_deleted",
        Internal => "internal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_follows_from_tokens_when_it_is_not_reported() {
        let prices = Prices { input: 3.0, output: 15.0, cached: Some(0.3) };
        let reported =
            ReportedUsage { tokens_in: Some(1000), tokens_out: Some(100), tokens_cached: Some(400), cost_usd: None };
        let usage = reported.bounded().priced(Some(&prices));
        assert_eq!((usage.cost_micros, usage.is_imputed), (Some(1800 + 120 + 1500), true));
        let told = ReportedUsage { cost_usd: Some(0.5), ..reported }.bounded().priced(Some(&prices));
        assert_eq!((told.cost_micros, told.is_imputed), (Some(500_000), false));
        assert_eq!(ReportedUsage::default().bounded().priced(Some(&prices)).cost_micros, None);
    }

    #[test]
    fn absurd_reports_are_bounded() {
        let absurd = ReportedUsage {
            tokens_in: Some(i64::MAX),
            tokens_out: Some(-5),
            tokens_cached: None,
            cost_usd: Some(f64::INFINITY),
        };
        let usage = absurd.bounded();
        assert_eq!((usage.tokens_in, usage.tokens_out, usage.cost_micros), (limits::HARNESS_TOKENS_MAX, 0, None));
    }
}
