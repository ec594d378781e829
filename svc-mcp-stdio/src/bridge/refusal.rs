//! Errors for the client when the hub cannot be reached, or does not respond as a hub does.

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::key::AGENT_KEY;

/// Error number of the bridge, from the range that JSON-RPC leaves to servers.
const OURS: i64 = -32000;
const INVALID_REQUEST: i64 = -32600;

/// The reason why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The error code, common to all surfaces of a hub.
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: String,
    /// Whether a retry may succeed.
    pub(crate) is_passing: bool,
    number: i64,
}

impl Refusal {
    fn new(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: hint.into(), is_passing: false, number: OURS }
    }

    fn passing(mut self) -> Self {
        self.is_passing = true;
        self
    }

    /// A line that is not a message.
    pub(crate) fn no_message() -> Self {
        let hint = "Send one JSON-RPC message per line; batches are not supported.";
        Self { number: INVALID_REQUEST, ..Self::new("invalid_request", "The line is not a JSON-RPC message.", hint) }
    }

    /// The limit of concurrent requests is exceeded.
    pub(crate) fn too_many() -> Self {
        Self::new("too_many", "Too many concurrent requests.", "Wait for responses before you send more.").passing()
    }

    /// The hub did not respond.
    pub(crate) fn unreachable(error: &reqwest::Error) -> Self {
        let message = if error.is_timeout() {
            "The hub did not respond in time.".to_owned()
        } else {
            format!("The hub cannot be reached: {}.", cause(error))
        };
        let hint = "Check that the hub runs and that --url is its URL, then retry with the same idempotency_key.";
        Self::new("unavailable", message, hint).passing()
    }

    /// The response is incomplete.
    pub(crate) fn broken_off() -> Self {
        let hint = "The call may or may not have taken effect: retry with the same idempotency_key.";
        Self::new("unavailable", "The connection to the hub broke before its response.", hint).passing()
    }

    /// The response is not one of a hub.
    pub(crate) fn strange() -> Self {
        Self::new("not_a_hub", "The server at this URL does not speak MCP.", "Check that --url is the URL of a hub.")
    }

    /// The session could not be restarted.
    pub(crate) fn no_session() -> Self {
        Self::new("session_lost", "The session has expired, and a new one could not be started.", "Connect again.")
    }

    /// The error for an HTTP status, with the details of the hub.
    pub(crate) fn of_status(status: StatusCode, retry_after: Option<&str>, body: &str) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Problem {
            code: String,
            detail: String,
        }
        let problem: Problem = serde_json::from_str(body).unwrap_or_default();
        let said =
            |otherwise: &str| if problem.detail.is_empty() { otherwise.to_owned() } else { problem.detail.clone() };
        let code = |otherwise: &str| if problem.code.is_empty() { otherwise.to_owned() } else { problem.code.clone() };
        match status.as_u16() {
            401 => {
                let hint =
                    format!("Ask the agent's owner for a new key, set {AGENT_KEY} to it and restart the client.");
                Self::new(&code("unauthenticated"), format!("The hub rejects the key in {AGENT_KEY}."), hint)
            }
            403 => Self::new(
                &code("forbidden"),
                said("The hub does not allow this."),
                "The key lacks the permission. Ask the agent's owner for it.",
            ),
            404 | 405 => {
                let hint = "Check that --url is the URL of a hub, without a path that a proxy does not route.";
                Self::new("not_a_hub", "No MCP endpoint at this URL.", hint)
            }
            413 => Self::new(&code("too_large"), said("The message is too large."), "Split the message."),
            429 => {
                let hint = format!("Wait {} s, then retry.", retry_after.unwrap_or("some"));
                Self::new(&code("rate_limited"), said("Too many requests."), hint).passing()
            }
            500..=599 => {
                let hint = "Retry in a moment, with the same idempotency_key.";
                Self::new(&code("unavailable"), said(&format!("The hub answered with {status}.")), hint).passing()
            }
            300..=399 => {
                let hint = "Set --url to the target of the redirect; the key is not sent there automatically.";
                Self::new("redirected", format!("The URL redirects ({status})."), hint)
            }
            _ => Self::new(
                &code("refused"),
                said(&format!("The hub answered with {status}.")),
                "See the log of the hub.",
            ),
        }
    }

    /// The error as the response to a request.
    pub(crate) fn line(&self, id: &Value) -> String {
        json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": {
                "code": self.number,
                "message": format!("{} {}", self.message, self.hint),
                "data": { "code": self.code, "message": self.message, "hint": self.hint },
            },
        })
        .to_string()
    }
}

/// The innermost cause, which is the one that a user can act on.
fn cause(error: &reqwest::Error) -> String {
    let mut reason: &dyn std::error::Error = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    reason.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_key_has_a_hint() {
        let refusal = Refusal::of_status(StatusCode::UNAUTHORIZED, None, "");
        let line: Value = serde_json::from_str(&refusal.line(&json!("a"))).unwrap();
        assert_eq!((&line["id"], &line["error"]["data"]["code"]), (&json!("a"), &json!("unauthenticated")));
        assert!(line["error"]["message"].as_str().unwrap().contains(AGENT_KEY));
        assert!(!refusal.is_passing);
    }

    #[test]
    fn errors_of_the_hub_are_passed_on() {
        let body = r#"{"status":503,"code":"storage_full","detail":"There is no room left."}"#;
        let refusal = Refusal::of_status(StatusCode::SERVICE_UNAVAILABLE, None, body);
        assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("storage_full", "There is no room left."));
        assert!(refusal.is_passing);
        let refusal = Refusal::of_status(StatusCode::TOO_MANY_REQUESTS, Some("7"), "<html>");
        assert!(refusal.hint.contains("7 s"), "{}", refusal.hint);
    }
}
