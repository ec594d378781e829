//! The agent itself. The newest revision of MCP has no sessions: every call is one request, so a plain
//! HTTP client is all that is needed.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

/// Why something did not work.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

const REVISION: &str = "2026-07-28";
/// For how long a message is ours. It is kept while the work takes longer, and lost when we die.
const LEASE_SECONDS: u32 = 30;

/// A hub, and the key of the agent that we are.
pub(crate) struct Agent {
    client: Client,
    endpoint: String,
    key: String,
}

impl Agent {
    /// The agent with this key on the hub at this address.
    pub(crate) fn new(url: &str, key: &str) -> Result<Self, Failure> {
        #[expect(clippy::disallowed_methods, reason = "it talks to the one hub that it was told of")]
        let client = Client::builder().timeout(Duration::from_secs(70)).build()?;
        Ok(Self { client, endpoint: format!("{}/mcp", url.trim_end_matches('/')), key: key.to_owned() })
    }

    /// Who we are.
    pub(crate) async fn name(&self) -> Result<String, Failure> {
        let status = self.call("my_status", json!({})).await?;
        Ok(status["you"]["name"].as_str().unwrap_or_default().to_owned())
    }

    /// Answers messages for ever. Each takes this long to think about.
    pub(crate) async fn run(&self, thinking: Duration, tell: impl Fn(String)) -> Result<(), Failure> {
        loop {
            // Returns as soon as there is something, and otherwise after a while.
            self.call("wait_for_messages", json!({ "timeout_seconds": 50 })).await?;
            let claimed = self.call("claim_messages", json!({ "lease_seconds": LEASE_SECONDS })).await?;
            for message in claimed["messages"].as_array().into_iter().flatten() {
                self.answer(message, thinking, &tell).await?;
            }
        }
    }

    async fn answer(&self, message: &Value, thinking: Duration, tell: &impl Fn(String)) -> Result<(), Failure> {
        let (id, token) = (&message["id"], &message["claim_token"]);
        tell(format!("claimed {id} from {}", message["from"].as_str().unwrap_or_default()));
        tokio::time::sleep(thinking).await;
        // The same key for the same message: were it claimed again after we died here, it would still be
        // answered once.
        let answer = json!({
            "to": message["from"],
            "reply_to": id,
            "body": format!("echo: {}", message["body"].as_str().unwrap_or_default()),
            "idempotency_key": format!("echo-{id}"),
        });
        self.call("send_message", answer).await?;
        self.call("mark_done", json!({ "id": id, "claim_token": token })).await?;
        tell(format!("done {id}"));
        Ok(())
    }

    /// Calls a tool.
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
        let told = &result["structuredContent"];
        if result["isError"] == true {
            return Err(format!("{tool}: {} {}", told["message"], told["hint"]).into());
        }
        if told.is_null() {
            return Err(format!("{tool}: {status} {answer}").into());
        }
        Ok(told.clone())
    }
}
