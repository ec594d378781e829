//! The headers of a message: pure rules, one for each revision of the protocol.
//!
//! From 2026-07-28 on they repeat values of the body, so that proxies can route without parsing it, and a hub rejects
//! a request whose headers differ from its body.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::envelope::Envelope;

/// The revision without sessions.
pub(crate) const NEWEST: &str = "2026-07-28";

pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Prefix and suffix of a value that a header cannot contain as it is.
const WRAPPED: (&str, &str) = ("=?base64?", "?=");

/// Session state besides the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) session: Option<String>,
    pub(crate) version: Option<String>,
}

/// The headers of a message.
pub(crate) fn of_message(message: &Envelope, known: &Known) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let version = message.version().or(known.version.as_deref());
    // A message that names its own revision belongs to no session, and the first one starts it.
    let is_first = message.is("initialize");
    if message.version().is_none() && !is_first {
        put(&mut headers, SESSION, known.session.as_deref());
    }
    if !is_first {
        put(&mut headers, VERSION, version);
    }
    if version.is_some_and(|version| version >= NEWEST) && !is_first {
        put(&mut headers, METHOD, message.method.as_deref());
        put(&mut headers, NAME, name(message).map(carried).as_deref());
    }
    headers
}

/// The headers of a request that only belongs to the session.
pub(crate) fn of_session(known: &Known) -> HeaderMap {
    let mut headers = HeaderMap::new();
    put(&mut headers, SESSION, known.session.as_deref());
    put(&mut headers, VERSION, known.version.as_deref());
    headers
}

/// A value that a header cannot contain is left out; the hub then reports it as missing.
fn put(headers: &mut HeaderMap, name: HeaderName, value: Option<&str>) {
    if let Some(Ok(value)) = value.map(HeaderValue::from_str) {
        headers.insert(name, value);
    }
}

/// The name of the object that a method refers to.
fn name(message: &Envelope) -> Option<&str> {
    let params = &message.params;
    let about = match message.method.as_deref()? {
        "tools/call" | "prompts/get" => &params.name,
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => &params.uri,
        "tasks/get" | "tasks/update" | "tasks/cancel" => &params.task_id,
        _ => return None,
    };
    about.as_ref().and_then(Value::as_str)
}

/// Encodes a value for a header.
fn carried(value: &str) -> String {
    let is_plain = value.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) && value.trim() == value;
    let looks_wrapped = value.starts_with(WRAPPED.0) && value.ends_with(WRAPPED.1);
    if is_plain && !looks_wrapped {
        value.to_owned()
    } else {
        format!("{}{}{}", WRAPPED.0, BASE64_STANDARD.encode(value), WRAPPED.1)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::envelope::VERSION_KEY;
    use super::*;

    fn known() -> Known {
        Known { session: Some("s-1".into()), version: Some("2025-06-18".into()) }
    }

    fn headers(message: &Value, known: &Known) -> Vec<(String, String)> {
        let message = Envelope::read(&message.to_string()).unwrap();
        of_message(&message, known)
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn older_revisions_name_their_session() {
        let call = json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"my_status"}});
        assert_eq!(
            headers(&call, &known()),
            pairs(&[("mcp-session-id", "s-1"), ("mcp-protocol-version", "2025-06-18")])
        );
    }

    #[test]
    fn the_first_message_has_no_session_yet() {
        let first = json!({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}});
        assert!(headers(&first, &known()).is_empty());
    }

    #[test]
    fn the_newest_revision_repeats_what_the_body_says() {
        let meta = json!({ VERSION_KEY: "2026-07-28" });
        let call = json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"my_status","_meta":meta}});
        let expected =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "my_status")];
        assert_eq!(headers(&call, &Known::default()), pairs(&expected));
        assert_eq!(headers(&call, &known()), pairs(&expected), "it belongs to no session");
        let read =
            json!({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"svc://wiki/größe","_meta":meta}});
        assert_eq!(headers(&read, &known())[2].1, "=?base64?c3ZjOi8vd2lraS9ncsO2w59l?=");
    }

    #[test]
    fn values_that_a_header_would_change_are_wrapped() {
        assert_eq!(carried("plain value"), "plain value");
        assert_eq!(carried(" x"), "=?base64?IHg=?=");
        assert_eq!(carried("=?base64?eA==?="), "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
        assert_eq!(carried("a\r\nb"), "=?base64?YQ0KYg==?=");
    }
}
