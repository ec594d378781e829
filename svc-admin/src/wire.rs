//! JSON-RPC 2.0 messages: one JSON text per line, in either direction.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error;

/// The longest line that a server accepts: a registry of one mebibyte, in which each quotation mark takes two bytes,
/// and a margin.
pub(crate) const MAX_REQUEST_LINE: usize = 3 * 1024 * 1024;

/// The longest line that a client accepts; responses may be lists.
pub(crate) const MAX_REPLY_LINE: usize = 64 * 1024 * 1024;

/// The most requests in one batch.
pub(crate) const MAX_BATCH: usize = 100;

/// A well-formed request. Without an id it is a notification.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: Option<Value>,
    pub(crate) method: String,
    pub(crate) params: Option<Value>,
}

/// A response.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) jsonrpc: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
    #[serde(default)]
    pub(crate) id: Value,
}

/// An error response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The error number of JSON-RPC.
    pub code: i32,
    /// A sentence for people.
    pub message: String,
    /// The error for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<FaultDetail>,
}

/// Machine-readable error: the codes that every surface uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultDetail {
    /// The stable error code.
    pub code: String,
    /// The sentence for people, again.
    pub message: String,
    /// The invalid fields, if there are any.
    #[serde(default)]
    pub errors: Vec<FaultField>,
    /// Additional values of some codes, by name.
    #[serde(flatten)]
    pub details: Box<Map<String, Value>>,
}

/// One invalid field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultField {
    /// The name of the field in the request.
    pub field: String,
    /// The rule that it violates.
    pub message: String,
}

impl Reply {
    pub(crate) fn new(id: Value, outcome: Result<Value, Fault>) -> Self {
        let (result, error) = match outcome {
            Ok(result) => (Some(result), None),
            Err(fault) => (None, Some(fault)),
        };
        Self { jsonrpc: "2.0".into(), result, error, id }
    }
}

impl Request {
    /// Parses a request; an error contains the id as far as it could be determined.
    pub(crate) fn parse(value: Value) -> Result<Self, Box<Reply>> {
        let Value::Object(mut members) = value else {
            return Err(Box::new(Reply::new(Value::Null, Err(error::invalid_request("a request is an object")))));
        };
        let id = members.remove("id");
        let known_id = id.clone().filter(is_id).unwrap_or(Value::Null);
        let checked = if id.as_ref().is_none_or(is_id) {
            method_and_params(members)
        } else {
            Err("id must be text, a number or null")
        };
        match checked {
            Ok((method, params)) => Ok(Self { id, method, params }),
            Err(reason) => Err(Box::new(Reply::new(known_id, Err(error::invalid_request(reason))))),
        }
    }
}

fn is_id(id: &Value) -> bool {
    matches!(id, Value::Null | Value::String(_) | Value::Number(_))
}

fn method_and_params(mut members: Map<String, Value>) -> Result<(String, Option<Value>), &'static str> {
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err("jsonrpc must be \"2.0\"");
    }
    let Some(Value::String(method)) = members.remove("method") else {
        return Err("method must be text");
    };
    match members.remove("params") {
        None => Ok((method, None)),
        Some(params) if params.is_object() || params.is_array() => Ok((method, Some(params))),
        Some(_) => Err("params must be an object"),
    }
}
