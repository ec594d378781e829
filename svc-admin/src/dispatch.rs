//! From a line to its response: single requests, notifications and batches.

use std::time::{Duration, Instant};

use serde_json::Value;
use svc_core::auth::Surface;
use svc_core::traces::NewTrace;

use crate::error;
use crate::lines::Line;
use crate::methods::rpc::Discover;
use crate::methods::{Method, Server, TABLE};
use crate::nearest::nearest;
use crate::wire::{Fault, MAX_BATCH, MAX_REQUEST_LINE, Reply, Request};

/// Handles one line; `None` where JSON-RPC demands no response.
pub(crate) async fn answer(server: &Server, line: &Line) -> Option<String> {
    let text = match line {
        Line::TooLong => {
            let reason = format!("the line is longer than {MAX_REQUEST_LINE} bytes");
            return Some(print(&refuse(error::invalid_request(&reason))));
        }
        // Blank lines come from interactive users and from clients that end lines twice.
        Line::Text(text) if text.trim_ascii().is_empty() => return None,
        Line::Text(text) => text,
    };
    match serde_json::from_slice(text) {
        Err(error) => Some(print(&refuse(error::parse_error(&error.to_string())))),
        Ok(Value::Array(requests)) => batch(server, requests).await,
        Ok(request) => one(server, request).await.as_ref().map(print),
    }
}

async fn batch(server: &Server, requests: Vec<Value>) -> Option<String> {
    if requests.is_empty() {
        return Some(print(&refuse(error::invalid_request("a batch contains at least one request"))));
    }
    if requests.len() > MAX_BATCH {
        let reason = format!("a batch contains at most {MAX_BATCH} requests");
        return Some(print(&refuse(error::invalid_request(&reason))));
    }
    let mut replies = Vec::with_capacity(requests.len());
    for request in requests {
        replies.extend(one(server, request).await);
    }
    (!replies.is_empty()).then(|| print(&replies))
}

async fn one(server: &Server, request: Value) -> Option<Reply> {
    let Request { id, method, params } = match Request::parse(request) {
        Ok(request) => request,
        Err(refusal) => return Some(*refusal),
    };
    let outcome = match TABLE.iter().find(|entry| entry.name == method) {
        Some(entry) => {
            let started = Instant::now();
            let outcome = (entry.run)(server, params).await;
            // A client asks this before each command, to know whose server it is.
            if entry.name != Discover::NAME {
                record(server, entry.name, started.elapsed(), outcome.as_ref().err()).await;
            }
            outcome
        }
        None => Err(error::method_not_found(&method, &nearest(&method, TABLE.iter().map(|entry| entry.name)))),
    };
    id.map(|id| Reply::new(id, outcome))
}

/// Records a trace of a call: method, duration and outcome, without the parameters.
async fn record(server: &Server, method: &'static str, duration: Duration, fault: Option<&Fault>) {
    let code = fault.map(|fault| fault.data.as_ref().map_or("internal", |detail| detail.code.as_str()).to_owned());
    let trace = NewTrace { duration, error: code, ..NewTrace::new(method, Surface::Admin) };
    // A trace that cannot be recorded is logged and counted by then, and does not delay the response.
    drop(server.hub.traces().record(trace).await);
}

/// Error response for a request whose id cannot be determined.
fn refuse(fault: Fault) -> Reply {
    Reply::new(Value::Null, Err(fault))
}

/// The encoded error that is sent before any request.
pub(crate) fn unasked(fault: Fault) -> String {
    print(&refuse(fault))
}

fn print(reply: &impl serde::Serialize) -> String {
    serde_json::to_string(reply).expect("replies are made of JSON values, which can always be printed")
}
