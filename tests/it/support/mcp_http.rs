//! An MCP client made of plain HTTP requests, of both generations of the protocol, so that the tests see
//! what is on the wire.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::server::TestServer;

/// The newest revision, in which every request stands for itself.
pub(crate) const NEWEST: &str = "2026-07-28";
/// The newest revision with sessions.
pub(crate) const WITH_SESSIONS: &str = "2025-11-25";

impl TestServer {
    /// The list of tools that a client of the newest revision is shown at this address.
    pub(crate) async fn tools_at(&self, key: &str, path: &str) -> Value {
        let request = self
            .request(Method::POST, path)
            .bearer_auth(key)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", NEWEST)
            .header("mcp-method", "tools/list")
            .json(&message("tools/list", json!({})));
        answered(request.send().await.unwrap()).await
    }

    /// A request to `/mcp` with the headers that every client sends.
    pub(crate) fn mcp_request(&self, key: &str, body: &Value) -> RequestBuilder {
        let method = body["method"].as_str().unwrap_or_default();
        let name = body["params"]["name"].as_str().or_else(|| body["params"]["uri"].as_str());
        let mut request = self
            .request(Method::POST, "/mcp")
            .bearer_auth(key)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", NEWEST)
            .header("mcp-method", method)
            .json(body);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        request
    }

    /// A request of the newest revision, and its answer.
    pub(crate) async fn mcp(&self, key: &str, method: &str, params: Value) -> Value {
        let answer = self.mcp_request(key, &message(method, params)).send().await.unwrap();
        answered(answer).await
    }

    /// Calls a tool; returns its result.
    pub(crate) async fn call_tool(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let answer = self.mcp(key, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let result = answer.get("result").unwrap_or_else(|| panic!("{tool}: {answer}")).clone();
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "{tool}: the text says the same");
        result
    }

    /// Calls a tool that works; returns what it says.
    pub(crate) async fn tool(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let result = self.call_tool(key, tool, arguments).await;
        assert_eq!(result.get("isError"), None, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that refuses with this code; returns what it says.
    pub(crate) async fn tool_refuses(&self, key: &str, tool: &str, arguments: Value, code: &str) -> Value {
        let result = self.call_tool(key, tool, arguments).await;
        let told = &result["structuredContent"];
        assert_eq!((&result["isError"], &told["code"]), (&json!(true), &json!(code)), "{tool}: {result}");
        assert!(told["message"].as_str().is_some_and(|text| !text.is_empty()), "{tool}: {told}");
        told.clone()
    }
}

/// A request of the newest revision.
pub(crate) fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": { "name": "it", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// The message in an answer, be it JSON or the first one of a stream that has an id.
pub(crate) async fn answered(answer: Response) -> Value {
    let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
    let text = answer.text().await.unwrap();
    if kind.starts_with("application/json") {
        return serde_json::from_str(&text).unwrap();
    }
    assert!(kind.starts_with("text/event-stream"), "{kind}: {text}");
    let messages =
        text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).filter(|data| !data.is_empty());
    let messages: Vec<Value> = messages.map(|data| serde_json::from_str(data).unwrap()).collect();
    messages.into_iter().find(|message| !message["id"].is_null()).unwrap_or_else(|| panic!("no answer in {text}"))
}

/// A session of an older revision.
pub(crate) struct Session<'t> {
    test: &'t TestServer,
    key: String,
    pub(crate) id: String,
    number: std::sync::atomic::AtomicI64,
}

impl<'t> Session<'t> {
    /// Opens one.
    pub(crate) async fn open(test: &'t TestServer, key: &str) -> Self {
        let hello = json!({
            "protocolVersion": WITH_SESSIONS, "capabilities": {}, "clientInfo": { "name": "it", "version": "1" },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
        let answer = request(test, key, None, &body).send().await.unwrap();
        let id = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let told = answered(answer).await;
        assert_eq!(told["result"]["protocolVersion"], WITH_SESSIONS, "{told}");
        let session = Self { test, key: key.to_owned(), id, number: 1.into() };
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(session.send(&done).await.status(), 202);
        session
    }

    /// The same session at another node.
    pub(crate) fn at<'o>(&self, node: &'o TestServer) -> Session<'o> {
        Session { test: node, key: self.key.clone(), id: self.id.clone(), number: 1.into() }
    }

    pub(crate) async fn send(&self, body: &Value) -> Response {
        request(self.test, &self.key, Some(&self.id), body).send().await.unwrap()
    }

    /// The same session with another key.
    pub(crate) fn stolen_by(&self, key: &str, body: &Value) -> RequestBuilder {
        request(self.test, key, Some(&self.id), body)
    }

    #[expect(clippy::needless_pass_by_value, reason = "parameters are written where they are sent")]
    pub(crate) fn body(&self, method: &str, params: Value) -> Value {
        let number = self.number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params })
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        answered(self.send(&self.body(method, params)).await).await
    }

    pub(crate) async fn tool(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(answer["result"].get("isError").is_none(), "{tool}: {answer}");
        answer["result"]["structuredContent"].clone()
    }
}

fn request(test: &TestServer, key: &str, session: Option<&str>, body: &Value) -> RequestBuilder {
    let request = test
        .request(Method::POST, "/mcp")
        .bearer_auth(key)
        .header("accept", "application/json, text/event-stream")
        .json(body);
    match session {
        Some(id) => request.header("mcp-session-id", id).header("mcp-protocol-version", WITH_SESSIONS),
        None => request,
    }
}
