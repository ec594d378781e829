//! The OpenAPI document: generated from the routes, completed with facts that the framework does not know.
//!
//! Invariants:
//! - Every operation lists its error responses by status; none is covered by `default`.
//! - Every number has bounds and every string of a body has a length or a pattern: the limits of
//!   [`svc_core::limits`], so that the document cannot disagree with the code.
//! - A body that rejects unknown fields says so (`additionalProperties: false`).
//! - An optional field of a response may be `null`.
//! - Every JSON body has an example: the JSON in the description of its operation.
//!
//! It is a pure function from one document to another, applied once when the server starts.

mod answers;
mod bounds;
mod examples;
mod schemas;

use serde_json::{Value, json};

/// The methods that a path can have.
const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// Completes the generated document. `server` is the public URL, if it is configured.
pub(crate) fn complete(document: &str, server: Option<&str>) -> String {
    let Ok(mut document) = serde_json::from_str::<Value>(document) else {
        return document.to_owned();
    };
    document["openapi"] = "3.0.3".into();
    document["servers"] = json!([{ "url": server.unwrap_or("/") }]);
    schemas::close_requests(&mut document);
    for_each_operation(&mut document, |path, method, operation| {
        bounds::parameters(operation);
        bounds::lists(operation);
        examples::bodies(operation);
        answers::errors(path, method, operation);
        if operation.get("security").is_none() {
            // Explicit: the operation needs no credential.
            operation["security"] = json!([]);
        }
    });
    answers::components(&mut document);
    bounds::fields(&mut document);
    schemas::allow_nulls(&mut document);
    document.to_string()
}

/// Calls `visit` with the path, the method and the operation, for each operation.
fn for_each_operation(document: &mut Value, mut visit: impl FnMut(&str, &str, &mut Value)) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, methods) in paths.into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = methods.get_mut(method) {
                visit(path, method, operation);
            }
        }
    }
}

/// Merges the fields of `more` into `schema`.
fn merge(schema: &mut Value, more: Value) {
    if let (Some(fields), Value::Object(more)) = (schema.as_object_mut(), more) {
        fields.extend(more);
    }
}
