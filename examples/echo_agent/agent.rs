//! The agent. The newest revision of MCP has no sessions: every call is one request, so a plain
//! HTTP client is enough.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

/// The error type of the example.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

const REVISION: &str = "2026-07-28";
/// The lease of a claim. It must exceed the time of the work, and it ends if the agent dies.
const LEASE_SECONDS: u32 = 30;

/// A connection to a hub as an agent.
pub(crate) struct Agent {
    client: Client,
    endpoint: String,
    key: String,
}

impl Agent {
    /// Connects to the hub at this URL with the key of an agent.
    pub(crate) fn new(url: &str, key: &str) -> Result<Self, Failure> {
        #[expect(clippy::disallowed_methods, reason = "it talks to the one hub that it was told of")]
        let client = Client::builder().timeout(Duration::from_secs(70)).build()?;
        Ok(Self { client, endpoint: format!("{}/mcp", url.trim_end_matches('/')), key: key.to_owned() })
    }

    /// The name of the agent.
    pub(crate) async fn name(&self) -> Result<String, Failure> {
        let status = self.call("my_status", json!({})).await?;
        Ok(status["you"]["name"].as_str().unwrap_or_default().to_owned())
    }

    /// Answers messages forever, each after a delay.
    pub(crate) async fn run(&self, delay: Duration, report: impl Fn(String)) -> Result<(), Failure> {
        loop {
            // Returns as soon as there is a message, otherwise after a timeout.
            self.call("wait_for_messages", json!({ "timeout_seconds": 50 })).await?;
            let claimed = self.call("claim_messages", json!({ "lease_seconds": LEASE_SECONDS })).await?;
            for message in claimed["messages"].as_array().into_iter().flatten() {
                self.answer(message, delay, &report).await?;
            }
        }
    }

    async fn answer(&self, message: &Value, delay: Duration, report: &impl Fn(String)) -> Result<(), Failure> {
        let (id, token) = (&message["id"], &message["claim_token"]);
        report(format!("claimed {id} from {}", message["from"].as_str().unwrap_or_default()));
        tokio::time::sleep(delay).await;
        // The same idempotency key for the same message: if the agent dies here and the message is
        // claimed again, it is still answered once.
        let answer = json!({
            "to": message["from"],
            "reply_to": id,
            "body": format!("echo: {}", message["body"].as_str().unwrap_or_default()),
            "idempotency_key": format!("echo-{id}"),
        });
        self.call("send_message", answer).await?;
        self.call("mark_done", json!({ "id": id, "claim_token": token })).await?;
        report(format!("done {id}"));
        Ok(())
    }

    /// Calls an MCP tool.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, Failure> {
        let request = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": tool,
                "arguments": arguments,
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": REVISION,
                    "io.modelcontextprotocol/clientInfo": { "name": "echo_agent", "version": "1" },
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        });
        let response = self.client.post(&self.endpoint).bearer_auth(&self.key);
        let response = response
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", REVISION)
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .json(&request)
            .send()
            .await?;
        let status = response.status();
        let answer: Value = response.json().await?;
        let result = &answer["result"];
        let content = &result["structuredContent"];
        if result["isError"] == true {
            return Err(format!("{tool}: {} {}", content["message"], content["hint"]).into());
        }
        if content.is_null() {
            return Err(format!("{tool}: {status} {answer}").into());
        }
        Ok(content.clone())
    }
}
