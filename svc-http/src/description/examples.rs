//! Examples of request bodies: the JSON objects and lists in the description of the operation. The document has them in
//! a form that programs read, so that the two cannot differ.

use serde_json::{Map, Value, json};

/// Adds the examples in the description of an operation to its JSON body.
pub(super) fn bodies(operation: &mut Value) {
    let examples = in_text(operation["description"].as_str().unwrap_or_default());
    let media = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
    for (_, media) in media.into_iter().flatten().filter(|(name, _)| name.starts_with("application/json")) {
        match examples.as_slice() {
            [] => {}
            [example] => media["example"] = example.clone(),
            several => {
                let named = several.iter().zip(1..).map(|(value, number)| {
                    let summary = format!("Example {number}");
                    (format!("example_{number}"), json!({ "summary": summary, "value": value }))
                });
                media["examples"] = named.collect::<Map<_, _>>().into();
            }
        }
    }
}

/// The JSON objects and lists between backticks.
fn in_text(description: &str) -> Vec<Value> {
    // A line of the source ends wherever it is full, also within an example.
    let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let values = line.split('`').skip(1).step_by(2).filter_map(|text| serde_json::from_str(text).ok());
    values.filter(|value: &Value| value.is_object() || value.is_array()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_taken_from_the_description() {
        let operation = |description: &str| {
            let mut operation = json!({
                "description": description,
                "requestBody": { "content": { "application/json; charset=utf-8": {} } },
            });
            bodies(&mut operation);
            operation["requestBody"]["content"]["application/json; charset=utf-8"].take()
        };
        let one = operation("For example `{\"body\":\n\"Hello\"}`, with `header`.");
        assert_eq!(one, json!({ "example": { "body": "Hello" } }));
        let two = operation("No body, or `{\"a\": 1}` or `[{\"a\": 2}]`.");
        let examples = json!({
            "example_1": { "summary": "Example 1", "value": { "a": 1 } },
            "example_2": { "summary": "Example 2", "value": [{ "a": 2 }] },
        });
        assert_eq!(two, json!({ "examples": examples }));
        assert_eq!(operation("Nothing to show."), json!({}));
    }
}
