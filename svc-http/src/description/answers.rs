//! The error responses of each operation, by status.
//!
//! Most follow from the form of an operation: one with credentials can return 401, one with a body 413, one with an
//! id in its path 404. [`more`] lists the rest.

use serde_json::{Map, Value, json};

/// Status, component name and description of a response.
const ERRORS: [(&str, &str, &str); 12] = [
    ("400", "BadRequest", "The request is invalid; `errors` names the fields."),
    ("401", "Unauthorized", "The credential is missing, invalid or expired."),
    ("403", "Forbidden", "The credential lacks the permission."),
    ("404", "NotFound", "The object does not exist, or the caller may not see it."),
    ("408", "RequestTimeout", "The body arrived too slowly."),
    ("409", "Conflict", "The current state does not allow the operation; `code` says why."),
    ("412", "PreconditionFailed", "The current version differs from the expected one."),
    ("413", "ContentTooLarge", "The body is too large, or a quota is exceeded."),
    ("415", "UnsupportedMediaType", "The content type of the body is not supported."),
    ("416", "RangeNotSatisfiable", "The range is outside of the file."),
    ("429", "TooManyRequests", "Too many requests; retry after `Retry-After` seconds."),
    ("503", "Unavailable", "Temporarily unavailable; retry after `Retry-After` seconds."),
];

/// Statuses that do not follow from the form of an operation.
fn more(operation: &str) -> &'static [&'static str] {
    match operation {
        "login" => &["401", "403"],
        "register" | "join" | "choose_password" => &["403", "409"],
        "get_attachment" => &["416"],
        "put_source_config" | "edit_message" => &["412"],
        // These refer to objects in their body or their query.
        "send_message"
        | "create_key"
        | "create_channel"
        | "post_task"
        | "mark_read"
        | "list_messages_by_state"
        | "list_inbox"
        | "list_pins"
        | "ingest_events"
        | "create_webhook"
        | "create_k8s_handler"
        | "create_goal"
        | "send_test_push"
        | "delete_oauth_client" => &["404"],
        _ => &[],
    }
}

/// Replaces `default` with the error responses of an operation.
pub(super) fn errors(path: &str, method: &str, operation: &mut Value) {
    let name = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let is_anonymous = operation.get("security").is_none();
    let has_body = operation.get("requestBody").is_some();
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let mut statuses = Vec::new();
    if has_body || !parameters.is_empty() {
        statuses.push("400");
    }
    if !is_anonymous {
        statuses.extend(["401", "403"]);
    }
    if path.contains('{') {
        statuses.push("404");
    }
    if has_body {
        statuses.extend(["408", "413", "415"]);
    }
    if method != "get" {
        statuses.push("409");
    }
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    // Operations without credentials have no `default`: they reject a request with no host, or with two.
    if answers.remove("default").is_none() {
        answers.insert("400".into(), json!({ "$ref": "#/components/responses/BadRequest" }));
        return;
    }
    statuses.extend(["429", "503"]);
    statuses.extend(more(&name));
    for (status, answer, _) in ERRORS {
        if statuses.contains(&status) && !answers.contains_key(status) {
            answers.insert(status.into(), json!({ "$ref": format!("#/components/responses/{answer}") }));
        }
    }
}

/// The responses that operations refer to.
pub(super) fn components(document: &mut Value) {
    let answers: Map<String, Value> = ERRORS
        .iter()
        .map(|(status, name, description)| {
            let content =
                json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
            let mut answer = json!({ "description": description, "content": content });
            if ["429", "503"].contains(status) {
                let seconds = json!({ "type": "integer", "minimum": 1 });
                let retry = json!({ "description": "Seconds to wait before a retry.", "schema": seconds });
                answer["headers"] = json!({ "Retry-After": retry });
            }
            ((*name).to_owned(), answer)
        })
        .collect();
    document["components"]["responses"] = answers.into();
}
