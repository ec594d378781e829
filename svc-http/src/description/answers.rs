//! The errors that an operation can answer, by status.
//!
//! Most follow from what an operation is: one with a credential can be refused for it, one with a body can
//! be sent too much, one that names something in its path can miss it. [`more`] has the rest.

use serde_json::{Map, Value, json};

/// A status, the name of its answer in the document, and what it says.
const ERRORS: [(&str, &str, &str); 12] = [
    ("400", "BadRequest", "The request breaks a rule; `errors` names the fields."),
    ("401", "Unauthorized", "There is no credential, or it is not valid (any more)."),
    ("403", "Forbidden", "The credential does not allow this."),
    ("404", "NotFound", "There is no such thing, or it is not yours to see."),
    ("408", "RequestTimeout", "The body arrives too slowly."),
    ("409", "Conflict", "The present state does not allow this; `code` says why."),
    ("412", "PreconditionFailed", "The version is another one than the request expects."),
    ("413", "ContentTooLarge", "The body is too large, or a quota is used up."),
    ("415", "UnsupportedMediaType", "The body is of a type that is not taken here."),
    ("416", "RangeNotSatisfiable", "The file has no such range."),
    ("429", "TooManyRequests", "Too many requests; `Retry-After` says when to come back."),
    ("503", "Unavailable", "The hub cannot answer at present; `Retry-After` says when to come back."),
];

/// Statuses that do not follow from the form of an operation.
fn more(operation: &str) -> &'static [&'static str] {
    match operation {
        "login" => &["401", "403"],
        "register" => &["403", "409"],
        "get_attachment" => &["416"],
        // These name things in their body or their query.
        "send_message"
        | "create_key"
        | "create_channel"
        | "post_task"
        | "mark_read"
        | "list_messages_by_state"
        | "list_inbox"
        | "ingest_events" => &["404"],
        _ => &[],
    }
}

/// Puts the errors of an operation in the place of `default`.
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
    if parameters.iter().any(|parameter| parameter["name"] == "If-Match") {
        statuses.push("412");
    }
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    // Operations that need nobody have no `default`: they refuse a request that names no host, or two.
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

/// The answers that operations refer to.
pub(super) fn components(document: &mut Value) {
    let answers: Map<String, Value> = ERRORS
        .iter()
        .map(|(status, name, description)| {
            let content =
                json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
            let mut answer = json!({ "description": description, "content": content });
            if ["429", "503"].contains(status) {
                let seconds = json!({ "type": "integer", "minimum": 1 });
                let retry = json!({ "description": "Seconds until another try makes sense.", "schema": seconds });
                answer["headers"] = json!({ "Retry-After": retry });
            }
            ((*name).to_owned(), answer)
        })
        .collect();
    document["components"]["responses"] = answers.into();
}
