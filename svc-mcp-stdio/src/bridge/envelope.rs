//! The envelope of a message: all that the bridge reads of it.

use serde::Deserialize;
use serde_json::Value;

/// Metadata key of the protocol revision in requests of the newest revision.
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// A message from the client.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Envelope {
    /// The unmodified message.
    pub(crate) text: String,
    /// The id of a request, or of the response to one.
    pub(crate) id: Option<Value>,
    /// `None` in a response.
    pub(crate) method: Option<String>,
    pub(crate) params: Params,
}

/// Parameters that headers are derived from.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Params {
    pub(crate) name: Option<Value>,
    pub(crate) uri: Option<Value>,
    #[serde(rename = "taskId")]
    pub(crate) task_id: Option<Value>,
    #[serde(rename = "requestId")]
    pub(crate) request_id: Option<Value>,
    #[serde(rename = "_meta")]
    meta: Option<Value>,
}

/// The reason why a line is not a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not JSON: its id is unknown, so there is no response.
    Unreadable,
    /// JSON, but not a message.
    NoMessage,
}

impl Envelope {
    /// Parses a line.
    pub(crate) fn read(line: &str) -> Result<Self, Fault> {
        #[derive(Deserialize)]
        struct Outside {
            #[serde(default)]
            id: Option<Value>,
            #[serde(default)]
            method: Option<String>,
            #[serde(default)]
            params: Option<Value>,
        }
        let text = line.trim().trim_start_matches('\u{feff}');
        let outside: Outside = serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Fault::NoMessage,
            _ => Fault::Unreadable,
        })?;
        if outside.method.is_none() && outside.id.is_none() {
            return Err(Fault::NoMessage);
        }
        // Parameters of an unknown shape are rejected by the hub.
        let params = outside.params.and_then(|params| serde_json::from_value(params).ok()).unwrap_or_default();
        Ok(Self { text: text.to_owned(), id: outside.id, method: outside.method, params })
    }

    /// Whether the message expects a response.
    pub(crate) fn is_request(&self) -> bool {
        self.method.is_some() && self.id.is_some()
    }

    pub(crate) fn is(&self, method: &str) -> bool {
        self.method.as_deref() == Some(method)
    }

    /// The revision that the message itself names.
    pub(crate) fn version(&self) -> Option<&str> {
        self.params.meta.as_ref()?.get(VERSION_KEY)?.as_str()
    }
}

/// A message from the hub.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The message on one line.
    pub(crate) text: String,
    id: Option<Value>,
    is_answer: bool,
}

impl Reply {
    /// Parses a received text; `None` if it is not a message.
    pub(crate) fn read(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Outside {
            jsonrpc: String,
            #[serde(default)]
            id: Option<Value>,
            #[serde(default)]
            method: Option<serde::de::IgnoredAny>,
        }
        let outside: Outside = serde_json::from_str(text).ok()?;
        if outside.jsonrpc != "2.0" {
            return None;
        }
        // A line break in JSON is always between tokens, never in a string.
        let text = text.trim().replace(['\n', '\r'], " ");
        Some(Self { text, id: outside.id, is_answer: outside.method.is_none() })
    }

    /// Whether it is the response to the request with this id.
    pub(crate) fn answers(&self, id: &Value) -> bool {
        self.is_answer && self.id.as_ref() == Some(id)
    }

    /// A response without an id: an error from before the request was parsed.
    pub(crate) fn is_unaddressed(&self) -> bool {
        self.is_answer && self.id.is_none()
    }

    /// The whole message.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn requests_notifications_and_responses_are_distinguished() {
        let read = |line: &str| Envelope::read(line).unwrap();
        assert!(read(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).is_request());
        assert!(!read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).is_request());
        assert!(!read(r#"{"jsonrpc":"2.0","id":"a","result":{}}"#).is_request());
        assert_eq!(Envelope::read("not json"), Err(Fault::Unreadable));
        assert_eq!(Envelope::read("[]"), Err(Fault::NoMessage));
        assert_eq!(Envelope::read("{}"), Err(Fault::NoMessage));
        assert_eq!(Envelope::read("7"), Err(Fault::NoMessage));
    }

    #[test]
    fn the_newest_revision_names_itself() {
        let line = json!({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{VERSION_KEY:"2026-07-28"}}});
        assert_eq!(Envelope::read(&line.to_string()).unwrap().version(), Some("2026-07-28"));
        assert_eq!(Envelope::read(r#"{"id":1,"method":"tools/list","params":[1]}"#).unwrap().version(), None);
    }

    #[test]
    fn an_answer_is_one_line_and_knows_its_request() {
        let reply = Reply::read("{\"jsonrpc\":\"2.0\",\n\"id\":1,\r\n\"result\":{\"a\":\"x\\ny\"}}").unwrap();
        assert!(!reply.text.contains('\n'));
        assert_eq!(reply.value()["result"]["a"], "x\ny");
        assert!(reply.answers(&json!(1)) && !reply.answers(&json!("1")));
        let question = Reply::read(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).unwrap();
        assert!(!question.answers(&json!(1)));
        assert_eq!(Reply::read("{\"ok\":true}"), None);
    }

    proptest! {
        #[test]
        fn arbitrary_lines_never_panic(line in "\\PC{0,60}|\\{[\"a-z:,0-9\\[\\]{}]{0,40}\\}") {
            drop(Envelope::read(&line));
            drop(Reply::read(&line));
        }

        #[test]
        fn a_response_stays_one_line(body in "\\PC{0,20}[\n\r\t]{0,3}\\PC{0,20}") {
            let message = json!({"jsonrpc":"2.0","id":1,"result":{"body":body}});
            let reply = Reply::read(&serde_json::to_string_pretty(&message).unwrap()).unwrap();
            prop_assert_eq!(reply.text.lines().count(), 1);
            prop_assert_eq!(reply.value(), message);
        }
    }
}
