//! From a line to its answer: single requests, notifications and batches.

use serde_json::Value;

use crate::error;
use crate::lines::Line;
use crate::methods::{Server, TABLE};
use crate::wire::{Fault, MAX_BATCH, MAX_REQUEST_LINE, Reply, Request};

/// Answers one line; `None` where JSON-RPC wants silence.
pub(crate) async fn answer(server: &Server, line: &Line) -> Option<String> {
    let text = match line {
        Line::TooLong => {
            let reason = format!("the line is longer than {MAX_REQUEST_LINE} bytes");
            return Some(print(&refuse(error::invalid_request(&reason))));
        }
        // Blank lines come from people who type and from clients that end lines twice.
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
        return Some(print(&refuse(error::invalid_request("a batch holds at least one request"))));
    }
    if requests.len() > MAX_BATCH {
        let reason = format!("a batch holds at most {MAX_BATCH} requests");
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
        Some(entry) => (entry.run)(server, params).await,
        None => Err(error::method_not_found(&method, &nearest(&method))),
    };
    id.map(|id| Reply::new(id, outcome))
}

/// Up to three methods whose names look like this one, the most alike first.
fn nearest(name: &str) -> Vec<&'static str> {
    const ALIKE: f64 = 0.8;
    // Nobody means a method by a name several times as long, and comparing costs the product.
    if name.len() > 64 {
        return Vec::new();
    }
    let mut alike: Vec<_> = TABLE
        .iter()
        .map(|entry| (strsim::jaro_winkler(name, entry.name), entry.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|one, other| other.0.total_cmp(&one.0));
    alike.into_iter().take(3).map(|(_, name)| name).collect()
}

/// A refusal of something that could not be read far enough to find an id.
fn refuse(fault: Fault) -> Reply {
    Reply::new(Value::Null, Err(fault))
}

/// The bytes of a fault that is told before anything was asked.
pub(crate) fn unasked(fault: Fault) -> String {
    print(&refuse(fault))
}

fn print(reply: &impl serde::Serialize) -> String {
    serde_json::to_string(reply).expect("replies are made of JSON values, which can always be printed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_found() {
        assert_eq!(nearest("status.shw").first(), Some(&"status.show"));
        assert_eq!(nearest("db.chekc").first(), Some(&"db.check"));
        assert!(nearest("zzz").is_empty());
        assert!(nearest(&"status.show".repeat(100)).is_empty());
    }
}
