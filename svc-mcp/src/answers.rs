//! What tools answer, as JSON Schemas for the list in which each tool has one.
//!
//! What always holds: a schema comes from the type that is answered; the types of the hub that stand in answers are
//! described here.

use std::borrow::Cow;

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use svc_core::{ReactionKind, WorkflowState};

/// A number by which the hub knows something.
pub(crate) type Id = i64;

macro_rules! described {
    ($($(#[$meta:meta])* $name:ident: $schema:expr;)*) => {$(
        $(#[$meta])*
        pub(crate) enum $name {}

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

/// One of some words.
fn words(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

described! {
    /// A moment.
    Moment: json_schema!({ "type": "string", "description": "RFC 3339, UTC" });
    /// How far somebody is trusted.
    Trust: json_schema!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, { "type": "string", "enum": ["human"] }] });
    /// Whose somebody is.
    Owner: words(&["same", "other"]);
    /// What a participant is.
    Kind: words(&["human", "agent", "system"]);
    /// How far a direct message has come.
    Status: words(&["pending", "processing", "done", "failed"]);
    /// What the reactions on a message come to.
    State: words(&WorkflowState::ALL.map(WorkflowState::as_str));
    /// What a reaction says.
    Reaction: words(&ReactionKind::ALL.map(ReactionKind::as_str));
    /// What became of a reaction.
    Action: words(&["added", "removed", "already"]);
    /// How far a message has come with one participant.
    Receipt: words(&["stored", "offered", "read", "claimed", "done", "failed"]);
    /// What a key may do.
    Permission: words(&["read", "write", "admin"]);
    /// How far a task has come.
    TaskStatus: words(&["open", "assigned", "completed", "cancelled"]);
    /// What became of a bid.
    BidStatus: words(&["open", "accepted", "declined"]);
}

/// What a value of this type looks like once it is answered.
pub(crate) fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => any(),
    }
}

/// Whatever the tool that is reached answers.
pub(crate) fn any() -> JsonObject {
    Map::from_iter([("type".to_owned(), json!("object"))])
}

/// Takes away what is said by the place of a schema, and formats that no validator knows.
fn tidy(schema: &mut Value) {
    // Some clients take no schema that is not an object.
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
    let Value::Object(schema) = schema else { return };
    for noise in ["$schema", "title", "format", "default"] {
        schema.remove(noise);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(tidy);
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get_mut(inner) {
            tidy(inner);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.iter_mut().for_each(tidy);
    }
}
