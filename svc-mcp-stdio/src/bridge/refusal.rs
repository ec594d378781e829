//! What the client is told when the hub could not be asked, or did not answer as a hub does.

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::key::AGENT_KEY;

/// The code of errors that are the bridge's own, from the range that JSON-RPC leaves to servers.
const OURS: i64 = -32000;
const INVALID_REQUEST: i64 = -32600;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What every surface of a hub calls it.
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: String,
    /// Whether the same may work a little later.
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

    /// A line that is no message.
    pub(crate) fn no_message() -> Self {
        let hint = "Send one JSON-RPC message per line; batches are not taken.";
        Self { number: INVALID_REQUEST, ..Self::new("invalid_request", "The line holds no JSON-RPC message.", hint) }
    }

    /// More requests under way than anybody means.
    pub(crate) fn too_many() -> Self {
        Self::new("too_many", "Too many requests are under way.", "Wait for answers before you send more.").passing()
    }

    /// The address did not answer.
    pub(crate) fn unreachable(error: &reqwest::Error) -> Self {
        let message = if error.is_timeout() {
            "The hub did not answer in time.".to_owned()
        } else {
            format!("The hub cannot be reached: {}.", cause(error))
        };
        let hint = "See that the hub runs and that --url is its address, then send the same again with the same idempotency_key.";
        Self::new("unavailable", message, hint).passing()
    }

    /// The answer ended before it was whole.
    pub(crate) fn broken_off() -> Self {
        let hint = "It may have happened or not: send the same again with the same idempotency_key.";
        Self::new("unavailable", "The hub broke off before it had answered.", hint).passing()
    }

    /// What came is not what a hub says.
    pub(crate) fn strange() -> Self {
        Self::new(
            "not_a_hub",
            "What answers at this address does not speak MCP.",
            "See that --url is the address of a hub.",
        )
    }

    /// The session could not be begun again.
    pub(crate) fn no_session() -> Self {
        Self::new(
            "session_lost",
            "The hub has forgotten the session, and a new one could not be begun.",
            "Connect again.",
        )
    }

    /// An answer by its status, with what a hub adds to it.
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
                    format!("Ask the agent's owner for a new key, put it into {AGENT_KEY} and start the client again.");
                Self::new(&code("unauthenticated"), format!("The hub does not take the key in {AGENT_KEY}."), hint)
            }
            403 => Self::new(
                &code("forbidden"),
                said("The hub does not allow this."),
                "Ask the agent's owner: this is beyond what the key may do.",
            ),
            404 | 405 => {
                let hint = "See that --url is the address of a hub, without a path that a proxy does not know.";
                Self::new("not_a_hub", "There is no MCP endpoint at this address.", hint)
            }
            413 => Self::new(&code("too_large"), said("The message is too large."), "Send less at once."),
            429 => {
                let hint = format!("Wait {} s, then send the same again.", retry_after.unwrap_or("some"));
                Self::new(&code("rate_limited"), said("Too many requests."), hint).passing()
            }
            500..=599 => {
                let hint = "Send the same again in a moment, with the same idempotency_key.";
                Self::new(&code("unavailable"), said(&format!("The hub answered with {status}.")), hint).passing()
            }
            300..=399 => {
                let hint = "Give the address that it points to as --url; the key is not sent after it.";
                Self::new("redirected", format!("The address answered with {status}."), hint)
            }
            _ => Self::new(
                &code("refused"),
                said(&format!("The hub answered with {status}.")),
                "See the log of the hub.",
            ),
        }
    }

    /// As the answer to a request.
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

/// The innermost reason, which is the one that a person can act on.
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
    fn a_refused_key_says_what_to_do() {
        let refusal = Refusal::of_status(StatusCode::UNAUTHORIZED, None, "");
        let line: Value = serde_json::from_str(&refusal.line(&json!("a"))).unwrap();
        assert_eq!((&line["id"], &line["error"]["data"]["code"]), (&json!("a"), &json!("unauthenticated")));
        assert!(line["error"]["message"].as_str().unwrap().contains(AGENT_KEY));
        assert!(!refusal.is_passing);
    }

    #[test]
    fn what_the_hub_says_is_handed_on() {
        let body = r#"{"status":503,"code":"storage_full","detail":"There is no room left."}"#;
        let refusal = Refusal::of_status(StatusCode::SERVICE_UNAVAILABLE, None, body);
        assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("storage_full", "There is no room left."));
        assert!(refusal.is_passing);
        let refusal = Refusal::of_status(StatusCode::TOO_MANY_REQUESTS, Some("7"), "<html>");
        assert!(refusal.hint.contains("7 s"), "{}", refusal.hint);
    }
}
