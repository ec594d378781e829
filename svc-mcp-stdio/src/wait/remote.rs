//! Waits at a remote hub: repeated calls of its tool `wait_for_messages`.
//!
//! Each call is a request of the revision without sessions, so there is no state to lose when the hub restarts
//! meanwhile.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use svc_core::{Error, ErrorKind, Result, limits};
use svc_mcp::Profile;

use super::{Summary, WaitRequest};
use crate::bridge::{Address, Envelope, Known, NEWEST, Refusal, Remote, Sent, of_message};
use crate::key::Key;

/// The first and the longest delay after a temporary failure.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
const ID: &str = "wait";

/// The part of the tool's result that is used.
#[derive(Deserialize)]
struct WaitResult {
    messages: Vec<Item>,
    #[serde(default)]
    omitted: usize,
}

#[derive(Deserialize)]
struct Item {
    id: i64,
    from: String,
    /// Left out if it is the default.
    #[serde(default = "usual")]
    priority: u32,
}

fn usual() -> u32 {
    limits::PRIORITY_DEFAULT
}

pub(super) async fn wait(address: &Address, key: &Key, request: WaitRequest) -> Result<Option<Summary>> {
    // In this profile an error has a structured value, whatever the key's own profile is.
    let remote = Remote::new(address, key, Some(Profile::Full))?;
    let (mut has_worked, mut pause) = (false, PAUSES.0);
    loop {
        match ask(&remote, request).await {
            Ok(answer) => {
                if let Some(summary) = read(&answer)? {
                    return Ok(Some(summary));
                }
                (has_worked, pause) = (true, PAUSES.0);
            }
            // A hub that has responded before is restarting, or busy; one that never did is a configuration mistake.
            Err(refusal) if refusal.is_passing && has_worked => {
                tracing::warn!(target: "svc::mcp", code = refusal.code, "{} Trying again.", refusal.message);
                tokio::time::sleep(pause.min(request.left())).await;
                pause = (pause * 2).min(PAUSES.1);
            }
            Err(refusal) => {
                let sentence = format!("{} {}", refusal.message, refusal.hint);
                return Err(Error::new(ErrorKind::Unavailable, "hub", sentence));
            }
        }
        if request.left().is_zero() {
            return Ok(None);
        }
    }
}

async fn ask(remote: &Remote, request: WaitRequest) -> Result<Value, Refusal> {
    let left = request.stretch();
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    let mut arguments = json!({ "timeout_seconds": seconds, "max_tokens": limits::READ_TOKENS.end() });
    if let Some(after) = request.after {
        arguments["after"] = after.into();
    }
    let call = json!({
        "jsonrpc": "2.0",
        "id": ID,
        "method": "tools/call",
        "params": {
            "name": "wait_for_messages",
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": NEWEST,
                "io.modelcontextprotocol/clientInfo": { "name": "svc-mcp-stdio", "version": env!("CARGO_PKG_VERSION") },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let Ok(message) = Envelope::read(&call.to_string()) else { return Err(Refusal::strange()) };
    let headers = of_message(&message, &Known::default());
    match remote.post(message.text, headers).await? {
        Sent::Answered { mut answers, .. } => {
            let id = Value::from(ID);
            while let Some(reply) = answers.next().await? {
                if reply.answers(&id) {
                    return Ok(reply.value());
                }
            }
            Err(Refusal::broken_off())
        }
        Sent::Refused(reply) => Ok(reply.value()),
        Sent::Forgotten => Err(Refusal::strange()),
    }
}

/// Parses a result.
fn read(answer: &Value) -> Result<Option<Summary>> {
    let refuse = |told: &Value| {
        let part = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let sentence = [part("message"), part("hint")].join(" ");
        Err(Error::new(ErrorKind::Unavailable, "hub", sentence.trim().to_owned()))
    };
    if answer.get("error").is_some() {
        return refuse(&answer["error"]);
    }
    let told = &answer["result"]["structuredContent"];
    if answer["result"]["isError"] == true {
        return refuse(told);
    }
    let Ok(found) = WaitResult::deserialize(told) else {
        return Err(Error::unavailable("hub", "The server at --url is not a hub, or of an unsupported version."));
    };
    let items = found.messages.into_iter().map(|item| (item.id, item.from, item.priority));
    Ok(Summary::of(items).map(|summary| Summary { messages: summary.messages + found.omitted, ..summary }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_the_tool_becomes_a_line() {
        let told =
            json!({"messages":[{"id":4,"from":"ann","body":"…"},{"id":3,"from":"bob","priority":9}],"omitted":2});
        let summary = read(&json!({"result":{"structuredContent":told}})).unwrap().unwrap();
        assert_eq!((summary.messages, summary.newest, summary.top_priority), (4, 4, 9));
        let nothing = json!({"result":{"structuredContent":{"messages":[],"timed_out":true}}});
        assert_eq!(read(&nothing).unwrap(), None);
    }

    #[test]
    fn an_error_of_the_tool_keeps_its_message() {
        let told = json!({"code":"agent_required","message":"It acts as an agent.","hint":"Use the key of an agent."});
        let refusal = read(&json!({"result":{"isError":true,"structuredContent":told}})).unwrap_err();
        assert_eq!(refusal.message(), "It acts as an agent. Use the key of an agent.");
        assert!(read(&json!({"result":{}})).is_err());
        assert_eq!(read(&json!({"error":{"message":"No."}})).unwrap_err().message(), "No.");
    }
}
