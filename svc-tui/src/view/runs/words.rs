//! Runs in words: their status, their cause, why they failed and what to do about it; amounts and durations.

use std::time::Duration;

use ratatui::style::Style;
use svc_core::Timestamp;
use svc_core::runs::{ReactiveState, Run, RunCause, RunStatus};

use crate::view::look::Look;

/// A state with its sign, its word and its style.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sign {
    /// One column.
    pub(crate) glyph: &'static str,
    /// The word.
    pub(crate) word: &'static str,
    /// The style of both.
    pub(crate) style: Style,
}

/// A shorthand for [`Sign`].
pub(crate) fn sign(glyph: &'static str, word: &'static str, style: Style) -> Sign {
    Sign { glyph, word, style }
}

/// The status of a run.
pub(crate) fn status(status: RunStatus, look: &Look) -> Sign {
    match status {
        RunStatus::Queued => sign("○", "Queued", look.text),
        RunStatus::Running => sign("●", "Running", look.accent),
        RunStatus::Succeeded => sign("✓", "Succeeded", look.good),
        RunStatus::Failed => sign("✗", "Failed", look.bad),
        RunStatus::Cancelled => sign("–", "Cancelled", look.dim),
        RunStatus::Quarantined => sign("!", "Quarantined", look.bad),
        RunStatus::Paused => sign("‖", "Paused", look.warn),
        RunStatus::DepthExceeded => sign("!", "Chain too long", look.warn),
        RunStatus::BudgetExhausted => sign("!", "Out of budget", look.warn),
        RunStatus::CooldownSkipped => sign("·", "In cooldown", look.dim),
        RunStatus::Coalesced => sign("·", "Joined next run", look.dim),
    }
}

/// What an agent that the hub runs does at the moment.
pub(crate) fn state(state: ReactiveState, look: &Look) -> Sign {
    match state {
        ReactiveState::Idle => sign("○", "Idle", look.text),
        ReactiveState::Queued => sign("◌", "Queued", look.accent),
        ReactiveState::Running => sign("●", "Running", look.accent),
        ReactiveState::Cooldown => sign("·", "Cooldown", look.dim),
        ReactiveState::BudgetExhausted => sign("!", "Out of budget", look.warn),
        ReactiveState::Paused => sign("‖", "Paused", look.warn),
        ReactiveState::Quarantined => sign("!", "Quarantined", look.bad),
    }
}

/// The cause of a run, in a word or two.
pub(crate) fn cause(cause: RunCause) -> &'static str {
    match cause {
        RunCause::Message => "message",
        RunCause::Waiting => "waiting",
        RunCause::Request => "run now",
        RunCause::Retry => "retry",
        RunCause::Event => "event",
    }
}

/// Why a trigger started no run, and what becomes of the message; none for a run.
pub(crate) fn refusal(run: &Run) -> Option<&'static str> {
    if run.cause == RunCause::Event {
        return match run.status {
            RunStatus::Quarantined => {
                Some("The agent is quarantined, so the event started no Job. End the quarantine, then retry.")
            }
            RunStatus::Paused => Some(
                "The agent is paused or held in a loop, so the event started no Job. Resume it or lift the loop, then retry.",
            ),
            RunStatus::DepthExceeded => Some(
                "The event is too deep in a chain of agents, so it started no Job. Raise the maximum chain depth if such chains are intended, then retry.",
            ),
            RunStatus::BudgetExhausted => Some(
                "The budget has no room for another run, so the event started no Job. Raise the limit or wait for the next period, then retry.",
            ),
            _ => None,
        };
    }
    match run.status {
        RunStatus::Quarantined => {
            Some("The agent is quarantined. The message waits; it starts a run after the quarantine has ended.")
        }
        RunStatus::Paused => Some(
            "The agent is paused, or held in a loop with the sender. The message waits until it is resumed or the loop is lifted.",
        ),
        RunStatus::DepthExceeded => Some(
            "The message is too deep in a chain of agents that trigger each other. It starts no run. Raise the maximum chain depth if such chains are intended.",
        ),
        RunStatus::BudgetExhausted => Some(
            "The budget of the agent has no room for another run. The message waits until the next period. Raise the limit to run it earlier.",
        ),
        RunStatus::CooldownSkipped => {
            Some("The last run ended too recently. The message waits until the cooldown ends.")
        }
        RunStatus::Coalesced => {
            Some("Another run of the agent was queued or running. The message waits until that run ends.")
        }
        _ => None,
    }
}

/// Why a run failed: a few words, and a sentence that says what to do. An unknown error is shown as it is.
pub(crate) fn failure(run: &Run) -> Option<(&str, &'static str)> {
    let error = run.error.as_deref()?;
    let known = ERRORS.iter().find(|(code, ..)| *code == error);
    match (run.status, known) {
        (RunStatus::Failed | RunStatus::Cancelled, Some((_, title, text))) => Some((title, text)),
        (RunStatus::Failed, None) => Some((error, "Check the log of the run.")),
        _ => None,
    }
}

const ERRORS: &[(&str, &str, &str)] = &[
    ("settings", "Invalid harness", "The harness is missing or not valid. Set it up on the page of the agent."),
    (
        "not_started",
        "Could not start",
        "The command or image was not found, or it could not be started. Check the command in the harness, and that it is installed on the server.",
    ),
    (
        "work_directory",
        "No work directory",
        "The server could not prepare the work directory. Check the disk space and the permissions of the data directory.",
    ),
    (
        "confinement",
        "Not confined",
        "The server requires confinement that this machine does not offer. Ask an administrator to check the setting run-confinement.",
    ),
    (
        "timeout",
        "Timed out",
        "The run took longer than its time limit. Raise the timeout in the harness, or give the agent less to do.",
    ),
    ("memory", "Out of memory", "The run used more memory than it may. Raise the memory limit in the harness."),
    (
        "processes",
        "Too many processes",
        "The run started more processes than it may. Check the command for runaway processes.",
    ),
    ("exit_code", "Non-zero exit code", "The command ended with an error. The end of the log usually says why."),
    (
        "signal",
        "Ended by a signal",
        "The process was ended from outside, for example because the machine ran out of memory. Retry the run.",
    ),
    ("report", "Reported an error", "The agent reported an error, or its result could not be read. Check the log."),
    (
        "limit",
        "Limit reached",
        "The run passed its own limit on cost or tokens. Raise the limit in the harness, or retry.",
    ),
    (
        "interrupted",
        "Interrupted",
        "The server stopped during the run. The messages wait again; retry the run if nothing else starts it.",
    ),
    (
        "unreachable",
        "Could not connect",
        "The URL of the harness is not allowed or could not be reached. Check the URL and the endpoint.",
    ),
    ("status", "Error response", "The endpoint did not respond with a 2xx status. Check the log of the endpoint."),
    (
        "secret",
        "Secret missing",
        "A secret that the run needs is missing or not valid. Set it with svc-admin secrets set.",
    ),
    (
        "cluster_unavailable",
        "No cluster",
        "There is no Kubernetes cluster to run it on, or it does not answer. Ask an administrator to check the cluster, then retry.",
    ),
    (
        "cluster_forbidden",
        "Not allowed by cluster",
        "The cluster does not let the hub create the Job. Ask an administrator to check the role of the hub in this namespace.",
    ),
    (
        "cluster_refused",
        "Refused by cluster",
        "The cluster did not accept the Job. Check its namespace and service account, and that a quota or policy allows it.",
    ),
    (
        "image",
        "Image not usable",
        "The image could not be pulled, or the cluster does not let it run. Check its name and tag.",
    ),
    (
        "evicted",
        "Evicted",
        "The cluster ended the pod, for example because its node ran low on memory or is gone. Retry the run.",
    ),
    ("job_deleted", "Job deleted", "Somebody deleted the Job or its pod in the cluster. Retry the run."),
    (
        "backlog",
        "Too many Jobs",
        "Too many Jobs of the owner were queued or running, so this one was not started. Wait for some to end, then retry.",
    ),
    ("handler_deleted", "Handler deleted", "The handler was deleted before its Job started."),
    (
        "internal",
        "Server error",
        "The server failed. Retry the run; if it fails again, ask an administrator to check the log of the server.",
    ),
    ("agent_deleted", "Agent deleted", "The agent was deleted during the run."),
];

/// The duration of a run, so far or in all; none before it has started.
pub(crate) fn took(run: &Run, now: Timestamp) -> Option<String> {
    let started = run.started_at?;
    Some(span(run.ended_at.unwrap_or(now).since(started)))
}

/// `35 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`
pub(crate) fn span(duration: Duration) -> String {
    let (millis, seconds) = (duration.as_millis(), duration.as_secs());
    match seconds {
        0 => format!("{millis} ms"),
        1..60 => format!("{}.{} s", seconds, (millis / 100) % 10),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, (seconds / 60) % 60),
    }
}

/// `$0.0042`, `$0.01`, `$1.20`
pub(crate) fn money(usd: f64) -> String {
    if usd > 0.0 && usd < 0.0001 {
        return "under $0.0001".to_owned();
    }
    if usd.abs() >= 0.1 {
        return format!("${usd:.2}");
    }
    let text = format!("${usd:.4}");
    let cents = text.len().saturating_sub(2);
    let kept = text.trim_end_matches('0').len().max(cents);
    text.get(..kept).unwrap_or(&text).to_owned()
}

/// `1,204`
pub(crate) fn count(count: i64) -> String {
    let digits = count.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if count < 0 {
        text.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        let amounts = [0.0, 0.000_01, 0.0042, 0.01, 0.05, 1.2, 12.345].map(money);
        assert_eq!(amounts, ["$0.00", "under $0.0001", "$0.0042", "$0.01", "$0.05", "$1.20", "$12.35"]);
        assert_eq!([0, 999, 1204, 1_234_567, -1000].map(count), ["0", "999", "1,204", "1,234,567", "-1,000"]);
    }

    #[test]
    fn durations_have_two_units_at_most() {
        let spans = [35, 1_249, 185_000, 7_800_000].map(|millis| span(Duration::from_millis(millis)));
        assert_eq!(spans, ["35 ms", "1.2 s", "3 min 5 s", "2 h 10 min"]);
    }
}
