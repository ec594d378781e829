//! `/openapi.json`: the description of the API, which the page at `/docs` draws.

use std::sync::Arc;

use poem::endpoint::make;
use poem::{Endpoint, Request};
use serde_json::{Value, json};

use super::cached::Cached;

/// Serves the document. It changes with the server, so a browser asks again but rarely downloads.
pub(crate) fn endpoint(document: &str) -> impl Endpoint + 'static {
    let document = Arc::new(Cached::new(with_nulls(document), "application/json; charset=utf-8", "no-cache"));
    make(move |request: Request| {
        let document = document.clone();
        async move { Ok::<_, poem::Error>(document.answer(request.headers()).await) }
    })
}

/// The same document in which every field that may be absent may be `null` too. The framework does not
/// say so, and our answers write `null` for what there is none of.
fn with_nulls(document: &str) -> String {
    let Ok(mut document) = serde_json::from_str::<Value>(document) else {
        return document.to_owned();
    };
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for schema in schemas.into_iter().flat_map(|schemas| schemas.values_mut()) {
        let required: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, property) in properties.into_iter().flatten() {
            if !required.contains(name) {
                *property = nullable(property.take());
            }
        }
    }
    document.to_string()
}

fn nullable(mut schema: Value) -> Value {
    if schema.get("$ref").is_some() {
        return json!({ "allOf": [schema], "nullable": true });
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("nullable".into(), true.into());
        // An enumeration has to list the null as well.
        if let Some(Value::Array(words)) = fields.get_mut("enum") {
            words.push(Value::Null);
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_absent_may_be_null() {
        let document = json!({ "components": { "schemas": { "Message": {
            "required": ["id"],
            "properties": {
                "id": { "type": "integer" },
                "channel": { "type": "string" },
                "state": { "$ref": "#/components/schemas/State" },
            },
        } } } });
        let printed: Value = serde_json::from_str(&with_nulls(&document.to_string())).unwrap();
        let properties = &printed["components"]["schemas"]["Message"]["properties"];
        assert_eq!(properties["id"], json!({ "type": "integer" }));
        assert_eq!(properties["channel"], json!({ "type": "string", "nullable": true }));
        let state = json!({ "allOf": [{ "$ref": "#/components/schemas/State" }], "nullable": true });
        assert_eq!(properties["state"], state);
    }
}
