//! Tool arguments: validated strictly, parsed leniently.
//!
//! Invariants: the listed schema is derived from the type that is deserialized; an argument that is unknown or of
//! another type results in an error that names it, with the signature of the tool. Common mistakes are corrected:
//! `"5"` for 5, a JSON string for an object or a list, one value for a list of one, `replyTo` for `reply_to`,
//! `#general` for `general`, `null` for an omitted argument.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use svc_core::{FieldError, limits};

use crate::error::Refusal;

/// Most field errors reported at once.
const FAULTS_MAX: usize = 10;
/// Longest name of an argument, in bytes.
const NAME_MAX: usize = 64;

/// Input schema of a tool and its one-line signature.
pub(crate) struct Shape {
    pub(crate) schema: Arc<JsonObject>,
    /// Signature on one line, for people and models.
    pub(crate) signature: String,
}

impl Shape {
    /// The shape of `A`, with additional properties that the caller of this function reads itself.
    pub(crate) fn of<A: JsonSchema>(tool: &str, more: &[(&str, Value)]) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let mut schema = settings.into_generator().into_root_schema_for::<A>().to_value();
        simplify(&mut schema);
        let mut schema = match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        schema.remove("description");
        schema.insert("type".into(), "object".into());
        schema.insert("additionalProperties".into(), false.into());
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            for (name, property) in more {
                properties.insert((*name).to_owned(), property.clone());
            }
        }
        let signature = signature(tool, &schema);
        Self { schema: Arc::new(schema), signature }
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.schema.get("properties")?.get(name)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|map| map.keys().map(String::as_str))
    }

    /// Corrects common mistakes in the arguments. All unknown arguments are reported in one error. `also` lists
    /// aliases, each with the real name.
    pub(crate) fn mend(&self, arguments: JsonObject, also: &[(&str, &str)]) -> Result<JsonObject, Refusal> {
        if arguments.len() > limits::TOOL_ARGUMENTS_MAX {
            let message = format!("must have at most {} members, not {}", limits::TOOL_ARGUMENTS_MAX, arguments.len());
            return Err(self.refuse(vec![FieldError { field: "arguments".into(), message }]));
        }
        let mut mended = Map::new();
        let mut faults = Vec::new();
        for (given, value) in arguments {
            if value.is_null() {
                continue;
            }
            if faults.len() >= FAULTS_MAX {
                break;
            }
            let given = shortened(given);
            let name = if self.property(&given).is_some() { given } else { snake(given) };
            let name = also.iter().find(|(other, _)| *other == name).map_or(name, |(_, real)| (*real).to_owned());
            match self.property(&name) {
                Some(_) if mended.contains_key(&name) => {
                    faults.push(FieldError { field: name, message: "is given twice, under two names".into() });
                }
                Some(schema) if is_listed_object(schema, &value) => {
                    faults.push(FieldError { field: name, message: "must be an object".into() });
                }
                Some(schema) => {
                    mended.insert(name.clone(), plain_name(&name, kind(schema, value)));
                }
                None => {
                    let nearest =
                        nearest(&name, self.names()).map_or_else(String::new, |near| format!(": did you mean {near}?"));
                    faults
                        .push(FieldError { field: name, message: format!("is not an argument of this tool{nearest}") });
                }
            }
        }
        if faults.is_empty() { Ok(mended) } else { Err(self.refuse(faults)) }
    }

    /// Deserializes the arguments.
    pub(crate) fn read<A: DeserializeOwned>(&self, arguments: JsonObject) -> Result<A, Refusal> {
        serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
            let path = error.path().to_string();
            self.refuse(vec![FieldError::of_serde("arguments", &path, &error.inner().to_string())])
        })
    }

    fn refuse(&self, faults: Vec<FieldError>) -> Refusal {
        Refusal::arguments(faults).hint(format!("Call it as {}", self.signature))
    }
}

/// The most similar of these names, if it is similar enough.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// Truncates a name that exceeds the limit, so that an error that quotes it stays short.
pub(crate) fn shortened(mut name: String) -> String {
    if name.len() > NAME_MAX {
        name.truncate(name.floor_char_boundary(NAME_MAX));
        name.push('…');
    }
    name
}

fn snake(name: String) -> String {
    if !name.contains(|letter: char| letter.is_ascii_uppercase() || letter == '-') {
        return name;
    }
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.push(if letter == '-' { '_' } else { letter.to_ascii_lowercase() });
    }
    snake
}

/// Strips `#` and `@` from `#general` and `@ann` where a name is expected.
fn plain_name(property: &str, value: Value) -> Value {
    let sign = match property {
        "channel" | "name" => '#',
        "to" | "agent" | "from" | "with" | "owner" | "coordinator" => '@',
        _ => return value,
    };
    match value {
        Value::String(text) if text.starts_with(sign) => Value::String(text.trim_start_matches(sign).to_owned()),
        value => value,
    }
}

/// Converts a value to the type of its schema where the intent is unambiguous.
fn kind(schema: &Value, value: Value) -> Value {
    match (schema.get("type").and_then(Value::as_str), value) {
        (Some("integer"), Value::String(text)) => text.trim().parse::<i64>().map_or(Value::String(text), Value::from),
        (Some("integer"), Value::Number(number)) => whole(&number).map_or(Value::Number(number), Value::from),
        (Some("number"), Value::String(text)) => match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Value::from(number),
            _ => Value::String(text),
        },
        (Some("boolean"), Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Value::Bool(true),
            "false" | "no" => Value::Bool(false),
            _ => Value::String(text),
        },
        // A fraction or a rounded number is not converted: its text would differ from the original.
        (Some("string"), Value::Number(number)) if number.is_i64() || number.is_u64() => {
            Value::String(number.to_string())
        }
        (Some("object"), Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(object)) => kind(schema, Value::Object(object)),
            _ => Value::String(text),
        },
        (Some("object"), Value::Object(fields)) => {
            let property = |name: &str| schema.get("properties").and_then(|properties| properties.get(name));
            let mended = fields.into_iter().map(|(name, value)| match property(&name) {
                Some(schema) => (name, kind(schema, value)),
                None => (name, value),
            });
            Value::Object(mended.collect())
        }
        (Some("array"), Value::String(text)) if text.trim_start().starts_with('[') || has_objects(schema) => {
            match serde_json::from_str(&text) {
                Ok(items @ Value::Array(_)) => kind(schema, items),
                Ok(item @ Value::Object(_)) if has_objects(schema) => kind(schema, item),
                _ => Value::String(text),
            }
        }
        (Some("array"), item @ Value::Object(_)) if has_objects(schema) => kind(schema, Value::Array(vec![item])),
        (Some("array"), Value::Array(items)) => {
            let of = schema.get("items").cloned().unwrap_or_default();
            Value::Array(items.into_iter().map(|item| kind(&of, item)).collect())
        }
        (Some("array"), value @ (Value::String(_) | Value::Number(_))) => kind(schema, Value::Array(vec![value])),
        (_, value) => value,
    }
}

/// Whether the items of a list are objects.
fn has_objects(schema: &Value) -> bool {
    schema.get("items").is_some_and(|items| items.get("type") == Some(&json!("object")))
}

/// Whether a list stands where an object belongs: types also accept a list of their fields, which no schema tells.
fn is_listed_object(schema: &Value, value: &Value) -> bool {
    value.is_array() && schema.get("type") == Some(&json!("object"))
}

/// Converts 5.0 to 5.
fn whole(number: &serde_json::Number) -> Option<i64> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range of i64")]
    (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
}

/// Removes keywords of the schema that its readers do not need.
fn simplify(value: &mut Value) {
    let Value::Object(map) = value else { return };
    for noise in ["$schema", "title", "format", "default"] {
        map.remove(noise);
    }
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(kinds)) = map.get_mut("enum") {
        kinds.retain(|kind| !kind.is_null());
    }
    if let Some(Value::Array(choices)) = map.remove("anyOf") {
        let mut choices: Vec<_> =
            choices.into_iter().filter(|choice| choice.get("type") != Some(&json!("null"))).collect();
        match (choices.len(), choices.pop()) {
            (1, Some(Value::Object(only))) => map.extend(only),
            (_, last) => {
                choices.extend(last);
                map.insert("anyOf".into(), Value::Array(choices));
            }
        }
        for noise in ["title", "format"] {
            map.remove(noise);
        }
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    if let Some(items) = map.get_mut("items") {
        simplify(items);
    }
}

fn signature(tool: &str, schema: &Map<String, Value>) -> String {
    format!("{tool}({})", fields_of(schema))
}

/// The properties of a schema with their types, the required ones first.
fn fields_of(schema: &Map<String, Value>) -> String {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_required = |name: &str| required.contains(&name);
    let (first, rest): (Vec<_>, Vec<_>) = properties.into_iter().flatten().partition(|(name, _)| is_required(name));
    let arguments: Vec<String> = first
        .into_iter()
        .chain(rest)
        .map(|(name, property)| {
            let optional = if required.contains(&name.as_str()) { "" } else { "?" };
            format!("{name}{optional}: {}", kind_of(property))
        })
        .collect();
    arguments.join(", ")
}

fn kind_of(property: &Value) -> String {
    if let Some(words) = property.get("enum").and_then(Value::as_array) {
        return words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|");
    }
    if let Some(schema) = property.as_object().filter(|schema| schema.contains_key("properties")) {
        return format!("{{{}}}", fields_of(schema));
    }
    match property.get("type").and_then(Value::as_str) {
        Some("array") => format!("[{}]", property.get("items").map_or_else(|| "any".into(), kind_of)),
        Some(kind) => kind.to_owned(),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        channel: String,
        #[serde(default)]
        reply_to: Option<i64>,
        #[serde(default)]
        tags: Option<Vec<String>>,
        #[serde(default)]
        metadata: Option<Map<String, Value>>,
        #[serde(default)]
        public: Option<bool>,
        #[serde(default)]
        #[schemars(schema_with = "parts")]
        parts: Option<Vec<Map<String, Value>>>,
    }

    fn parts(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let part = json!({ "type": "object", "properties": { "size": { "type": "integer" } }, "required": ["size"] });
        schemars::json_schema!({ "type": "array", "items": part })
    }

    fn read(arguments: Value) -> Result<Sample, Refusal> {
        let shape = Shape::of::<Sample>("sample", &[]);
        let Value::Object(arguments) = arguments else { panic!("an object") };
        shape.read(shape.mend(arguments, &[])?)
    }

    #[test]
    fn common_mistakes_are_corrected() {
        let kind = json!({
            "channel": "#general", "replyTo": "5", "tags": "one", "metadata": "{\"a\": 1}", "public": "true",
        });
        let plain = json!({
            "channel": "general", "reply_to": 5.0, "tags": "[\"one\"]", "metadata": {"a": 1}, "public": true,
        });
        assert_eq!(read(kind).unwrap(), read(plain).unwrap());
        assert_eq!(read(json!({"channel": "x", "reply_to": null})).unwrap().reply_to, None);
        let one = json!({ "channel": "x", "parts": [{ "size": 3 }] });
        for parts in
            [json!({ "size": 3 }), json!("{\"size\": \"3\"}"), json!("[{\"size\": 3}]"), json!([{ "size": 3.0 }])]
        {
            assert_eq!(read(json!({ "channel": "x", "parts": parts })).unwrap(), read(one.clone()).unwrap());
        }
    }

    #[test]
    fn invalid_arguments_are_rejected_by_name_with_the_signature() {
        for (arguments, field) in [
            (json!({}), "channel"),
            (json!({"channel": ["x"]}), "channel"),
            (json!({"channel": "x", "reply_to": "five"}), "reply_to"),
            (json!({"channel": "x", "reply_to": 1.5}), "reply_to"),
            (json!({"channel": "x", "chanel": "y"}), "chanel"),
            (json!({"channel": "x", "metadata": "no"}), "metadata"),
            (json!({"channel": "x", "metadata": [1]}), "metadata"),
            (json!({"channel": "x", "parts": "no"}), "parts"),
            (json!({"channel": "x", "parts": [[3]]}), "parts[0]"),
        ] {
            let refusal = read(arguments.clone()).unwrap_err();
            assert_eq!(
                (refusal.code.as_str(), refusal.errors[0].field.as_str()),
                ("validation_failed", field),
                "{arguments}"
            );
            assert!(refusal.hint.as_ref().unwrap().contains("sample(channel: string"), "{arguments}");
        }
    }
}
