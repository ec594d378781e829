//! Schemas of bodies: closed where unknown fields are rejected, and nullable where a value may be missing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Forbids additional properties in every object of a request, because requests are parsed strictly.
pub(super) fn close_requests(document: &mut Value) {
    let mut names = BTreeSet::new();
    super::for_each_operation(document, |_, _, operation| {
        if let Some(body) = operation.get("requestBody") {
            collect_references(body, &mut names);
        }
    });
    let mut pending: Vec<String> = names.iter().cloned().collect();
    while let Some(name) = pending.pop() {
        let mut inner = BTreeSet::new();
        collect_references(&document["components"]["schemas"][&name], &mut inner);
        pending.extend(inner.into_iter().filter(|name| names.insert(name.clone())));
    }
    for name in names {
        let schema = &mut document["components"]["schemas"][&name];
        if schema["type"] == "object" {
            schema["additionalProperties"] = false.into();
        }
    }
}

/// Makes every optional field nullable: responses contain `null` for a missing value, and requests may.
pub(super) fn allow_nulls(document: &mut Value) {
    let named = document["components"]["schemas"].clone();
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for schema in schemas.into_iter().flat_map(|schemas| schemas.values_mut()) {
        let required: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap_or_default();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, property) in properties.into_iter().flatten() {
            if !required.contains(name) {
                *property = nullable(property.take(), &named);
            }
        }
    }
}

fn nullable(mut schema: Value, named: &Value) -> Value {
    if let Some(name) = referenced(&schema) {
        return json!({ "type": named[name]["type"], "nullable": true, "allOf": [schema] });
    }
    // The framework wraps a reference that has a description of its own.
    if let Some(wrapped) = schema.get("allOf").and_then(|parts| parts.get(0)).filter(|part| part.get("$ref").is_some())
    {
        let mut inner = nullable(wrapped.clone(), named);
        if let Some(description) = schema.get("description") {
            inner["description"] = description.clone();
        }
        return inner;
    }
    // A schema without a type allows anything, `null` included.
    if schema.get("type").is_some() {
        schema["nullable"] = true.into();
        if let Some(Value::Array(words)) = schema.get_mut("enum") {
            words.push(Value::Null);
        }
    }
    schema
}

fn referenced(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

fn collect_references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(name) = referenced(value) {
                names.insert(name.to_owned());
            }
            fields.values().for_each(|value| collect_references(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_field_may_be_null() {
        let mut document = json!({ "components": { "schemas": {
            "State": { "type": "string", "enum": ["open"] },
            "Sender": { "type": "object" },
            "Message": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": { "type": "integer" },
                    "channel": { "type": "string" },
                    "state": { "$ref": "#/components/schemas/State" },
                    "from": { "allOf": [{ "$ref": "#/components/schemas/Sender" }], "description": "Who." },
                    "data": { "description": "Anything." },
                },
            },
        } } });
        allow_nulls(&mut document);
        let properties = &document["components"]["schemas"]["Message"]["properties"];
        assert_eq!(properties["id"], json!({ "type": "integer" }));
        assert_eq!(properties["channel"], json!({ "type": "string", "nullable": true }));
        let state = json!({ "$ref": "#/components/schemas/State" });
        assert_eq!(properties["state"], json!({ "type": "string", "nullable": true, "allOf": [state] }));
        assert_eq!(properties["from"]["nullable"], true);
        assert_eq!(properties["from"]["description"], "Who.");
        assert_eq!(properties["data"], json!({ "description": "Anything." }));
    }

    #[test]
    fn requests_are_closed_and_responses_are_not() {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let mut document = json!({
            "paths": { "/a": { "post": { "requestBody": { "schema": reference("Asked") }, "responses": {} } } },
            "components": { "schemas": {
                "Asked": { "type": "object", "properties": { "part": reference("Part") } },
                "Part": { "type": "object" },
                "Told": { "type": "object" },
            } },
        });
        close_requests(&mut document);
        let schemas = &document["components"]["schemas"];
        assert_eq!(
            (&schemas["Asked"]["additionalProperties"], &schemas["Part"]["additionalProperties"]),
            (&json!(false), &json!(false))
        );
        assert_eq!(schemas["Told"].get("additionalProperties"), None);
    }
}
