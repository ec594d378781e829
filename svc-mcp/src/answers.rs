//! JSON Schemas of tool results, for the typed tool list in which each tool has an output schema.
//!
//! Invariants: a schema is derived from the type of the result; hub types that occur in results are described here.

use std::borrow::Cow;

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use svc_core::reactions::{ReactionKind, WorkflowState};
use svc_core::{goals, runs};

/// An id assigned by the hub.
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

/// Schema of a string with a fixed set of values.
fn words(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

described! {
    /// Timestamp.
    Moment: json_schema!({ "type": "string", "description": "RFC 3339, UTC" });
    /// Trust score of a participant.
    Trust: json_schema!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, { "type": "string", "enum": ["human"] }] });
    /// Relation of the author's owner to the caller's owner.
    Owner: words(&["same", "other"]);
    /// Kind of participant.
    Kind: words(&["human", "agent", "system"]);
    /// Delivery status of a direct message.
    Status: words(&["pending", "processing", "done", "failed"]);
    /// Workflow state derived from the reactions on a message.
    State: words(&WorkflowState::ALL.map(WorkflowState::as_str));
    /// Kind of reaction.
    Reaction: words(&ReactionKind::ALL.map(ReactionKind::as_str));
    /// Outcome of setting or removing a reaction.
    Action: words(&["added", "removed", "already"]);
    /// Delivery status of a message for one recipient.
    Receipt: words(&["stored", "offered", "read", "claimed", "done", "failed"]);
    /// Permission of a key.
    Permission: words(&["read", "write", "admin"]);
    /// Status of a task.
    TaskStatus: words(&["open", "assigned", "completed", "cancelled"]);
    /// Status of a run, or the check that refused its trigger.
    RunStatus: words(&runs::RunStatus::ALL.map(runs::RunStatus::as_str));
    /// Status of a goal.
    GoalStatus: words(&goals::GoalStatus::ALL.map(goals::GoalStatus::as_str));
    /// Status of a task of a goal.
    GoalTaskStatus: words(&goals::GoalTaskStatus::ALL.map(goals::GoalTaskStatus::as_str));
    /// How much is done without a human.
    Autonomy: words(&["supervised", "autonomous"]);
    /// Status of a proposed agent.
    ProposalStatus: words(&["proposed", "approved", "rejected"]);
    /// Status of a request for a secret.
    SecretRequestStatus: words(&["requested", "provided", "rejected"]);
    /// Status of a bid.
    BidStatus: words(&["open", "accepted", "declined"]);
}

/// Schema of the serialized value.
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

/// Schema of any object: the result of a tool that calls another tool.
pub(crate) fn any() -> JsonObject {
    Map::from_iter([("type".to_owned(), json!("object"))])
}

/// Removes keywords that are implied by the position of a schema, and formats that validators do not know.
fn tidy(schema: &mut Value) {
    // Some clients reject a schema that is not an object.
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
