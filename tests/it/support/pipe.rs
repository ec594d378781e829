//! A client of `svc-mcp-stdio`: starts it as a process and talks to it through its standard streams.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::child::program;
use super::wait::soon;

/// What the harness of a child prints before the program prints anything.
const HARNESS: &str = "role_of_a_child_process ... ";
const META: &str = "io.modelcontextprotocol";

/// A running program, and the end of its pipe.
pub(crate) struct Pipe {
    process: Child,
    input: Option<ChildStdin>,
    lines: mpsc::UnboundedReceiver<(Instant, String)>,
    log: mpsc::UnboundedReceiver<String>,
    next_id: i64,
    /// What came that was no answer to what was asked.
    pub(crate) notices: Vec<Value>,
}

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// Lines on standard output that nobody has read yet.
    pub(crate) rest: Vec<String>,
    pub(crate) stderr: String,
}

impl Pipe {
    /// Starts the program with this key.
    pub(crate) fn start(key: &str, arguments: &[&str]) -> Self {
        let mut command = program("svc-mcp-stdio", arguments);
        for variable in ["SVC_DATA", "SVC_DATABASE_URL", "SVC_URL", "SVC_TOOLS", "SVC_LOG_LEVEL"] {
            command.env_remove(variable);
        }
        command.env("SVC_AGENT_KEY", key);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let mut begun = false;
            for line in output.lines().map_while(Result::ok) {
                let line = match line.split_once(HARNESS) {
                    Some((_, rest)) if !begun => {
                        begun = true;
                        rest.to_owned()
                    }
                    _ if !begun => continue,
                    _ => line,
                };
                if !line.is_empty() && sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let errors = BufReader::new(process.stderr.take().unwrap());
        let (sender, log) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                // Nobody may be interested any more.
                sender.send(line).ok();
            }
        });
        let input = process.stdin.take();
        Self { process, input, lines, log, next_id: 0, notices: Vec::new() }
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The next line, and when it came; `None` when there are no more.
    pub(crate) async fn line(&mut self) -> Option<(Instant, String)> {
        soon("a line", self.lines.recv()).await
    }

    /// Sends a request without waiting for its answer; returns its id.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// The answer to a request, and when it came.
    pub(crate) async fn answer(&mut self, id: i64) -> (Instant, Value) {
        loop {
            let (at, line) = self.line().await.expect("the program answers");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no protocol: {line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["id"] == id && message.get("method").is_none() {
                return (at, message);
            }
            self.notices.push(message);
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, &params);
        self.answer(id).await.1
    }

    /// Begins as clients of the older revisions do; returns what the server says of itself.
    pub(crate) async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = self.ask("initialize", params).await;
        self.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].clone()
    }

    /// Calls a tool in a session; returns its structured result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        structured(&answer)
    }

    /// A request of the newest revision, which stands for itself.
    pub(crate) async fn ask_newest(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = newest_meta();
        self.ask(method, params).await
    }

    /// Closes the pipe and waits for the end.
    pub(crate) async fn end(mut self) -> Ended {
        self.input.take();
        self.ended().await
    }

    /// Waits for an end that comes by itself.
    pub(crate) async fn ended(mut self) -> Ended {
        let mut rest = Vec::new();
        while let Some((_, line)) = self.line().await {
            rest.push(line);
        }
        let mut stderr = String::new();
        while let Some(line) = soon("the end of the log", self.log.recv()).await {
            stderr.push_str(&line);
            stderr.push('\n');
        }
        let code = self.process.wait().unwrap().code();
        Ended { code, rest, stderr }
    }

    /// Waits until the log says this.
    pub(crate) async fn logged(&mut self, words: &str) {
        while !soon(words, self.log.recv()).await.expect("it runs").contains(words) {}
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        let sent =
            std::process::Command::new("kill").args([format!("-{name}"), self.process.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// What every request of the newest revision carries.
pub(crate) fn newest_meta() -> Value {
    json!({
        format!("{META}/protocolVersion"): "2026-07-28",
        format!("{META}/clientInfo"): { "name": "test", "version": "1" },
        format!("{META}/clientCapabilities"): {},
    })
}

/// The result of a tool that worked.
#[track_caller]
pub(crate) fn structured(answer: &Value) -> Value {
    let result = &answer["result"];
    assert!(result.get("isError").is_none_or(|is_error| is_error == false), "{answer}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"], "{answer}");
    result["structuredContent"].clone()
}
