//! The report of a run, from whichever place it has: `result.json`, its output, or the answer of a webhook.

use serde_json::Value;
use svc_model::harness::{HarnessSettings, RunReport, Usage};

use super::RunResult;
use crate::limits;

/// The fields of a report. An object with none of them is something else.
const FIELDS: [&str; 5] = ["response", "session_id", "usage", "trace_id", "error"];

/// Reads a report. An object without any of its fields is none.
pub(super) fn parse(bytes: &[u8]) -> Result<RunReport, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    let Some(object) = value.as_object() else { return Err("it is not a JSON object".into()) };
    if !FIELDS.iter().any(|field| object.contains_key(*field)) {
        return Err(format!("it has none of the fields {}", FIELDS.join(", ")));
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// The result of a run from its report, each field within its bounds.
pub(super) fn result(report: RunReport, settings: &HarnessSettings) -> RunResult {
    let usage = report.usage.map_or_else(Usage::default, |usage| usage.bounded());
    RunResult {
        response: report.response.map(|text| text.replace('\0', "\u{fffd}")).filter(|text| !text.trim().is_empty()),
        session_id: report.session_id.filter(|id| is_session(id)),
        usage: usage.priced(settings.prices.as_ref()),
        trace_id: report.trace_id.filter(|id| is_session(id)),
        exit_code: None,
    }
}

/// Whether a text can be a session id. It becomes an argument of a command, so it must not look like an option.
pub(super) fn is_session(text: &str) -> bool {
    (1..=limits::RUN_SESSION_MAX).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_at_least_one_of_its_fields() {
        let report =
            parse(br#"{"response": "Done.", "usage": {"tokens_in": 5, "cost_usd": 0.25}, "more": 1}"#).unwrap();
        let result = result(report, &HarnessSettings::default());
        assert_eq!(result.response.as_deref(), Some("Done."));
        assert_eq!((result.usage.tokens_in, result.usage.cost_micros), (5, Some(250_000)));
        for text in
            ["", "{", "[]", "1", r#"{"level": "info"}"#, r#"{"response": 7}"#, r#"{"usage": {"tokens_in": "x"}}"#]
        {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_session_id_cannot_be_an_option() {
        for id in ["0199a213-81c0-7800-8aa1-bbab2a035a53", "ses_4947", "a.b:c"] {
            assert!(is_session(id), "{id}");
        }
        for id in ["", "--dangerously-skip-permissions", "-", "../x", "a b", "a\n", &"x".repeat(256)] {
            assert!(!is_session(id), "{id}");
        }
    }
}
