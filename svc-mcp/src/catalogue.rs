//! Catalogue of all tools in one fixed order: lookup, listing and calls.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use rmcp::model::{ContentBlock, ErrorData, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_core::api_keys::McpProfile as Profile;
use svc_core::auth::Actor;
use svc_core::{Caller, Error, Hub, limits};

use crate::answers;
use crate::arguments::{Shape, shortened};
use crate::error::Refusal;
use crate::tools;

/// Effect of a tool on the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No change; returns one object.
    Reads,
    /// No change; returns a list, page by page.
    Lists,
    /// Each call adds something.
    Adds,
    /// Sets a state; repeating the call changes nothing.
    Sets,
    /// Removes or gives something away; repeating the call changes nothing.
    Removes,
    /// May remove something, and repeating the call may change something else.
    Reaches,
}

impl Effect {
    pub(crate) fn changes(self) -> bool {
        !matches!(self, Self::Reads | Self::Lists)
    }

    fn annotations(self) -> ToolAnnotations {
        let mut annotations = ToolAnnotations::default();
        if self.changes() {
            annotations.destructive_hint = Some(matches!(self, Self::Removes | Self::Reaches));
            // `false` is the default of the protocol.
            annotations.idempotent_hint = self.is_repeatable().then_some(true);
        } else {
            annotations.read_only_hint = Some(true);
        }
        annotations
    }

    /// Whether repeating a call changes nothing.
    fn is_repeatable(self) -> bool {
        matches!(self, Self::Sets | Self::Removes)
    }

    /// Arguments that every tool of this effect takes.
    fn common(self) -> Vec<(&'static str, Value)> {
        let text = |what: &str, longest: usize| json!({ "description": what, "type": "string", "maxLength": longest });
        let (least, greatest) = (limits::READ_TOKENS.start(), limits::READ_TOKENS.end());
        let tokens = ("max_tokens", {
            json!({ "description": "size", "type": "integer", "minimum": least, "maximum": greatest })
        });
        match self {
            Self::Reads => vec![tokens],
            Self::Lists => vec![tokens, ("cursor", text("next", limits::MCP_CURSOR_MAX))],
            Self::Adds | Self::Sets | Self::Removes | Self::Reaches => {
                vec![("idempotency_key", text("retry", limits::IDEMPOTENCY_KEY_MAX))]
            }
        }
    }
}

/// Result of a tool: a JSON value, and content blocks that JSON cannot express.
pub(crate) struct Answer {
    pub(crate) value: Value,
    /// The JSON value as text, with its fields in reading order.
    pub(crate) text: String,
    pub(crate) blocks: Vec<ContentBlock>,
}

impl Answer {
    /// The serialized value.
    pub(crate) fn of(value: &impl Serialize) -> Outcome {
        let write = |error| Error::internal(format!("an answer cannot be written: {error}"));
        let text = serde_json::to_string(value).map_err(write)?;
        Ok(Self { value: serde_json::to_value(value).map_err(write)?, text, blocks: Vec::new() })
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Self { text: value.to_string(), value, blocks: Vec::new() }
    }
}

pub(crate) type Outcome = Result<Answer, Refusal>;

/// Context of a tool call besides its own arguments.
pub(crate) struct Call {
    pub(crate) hub: Hub,
    pub(crate) caller: Caller,
    /// Token budget of the result.
    pub(crate) max_tokens: u32,
    pub(crate) cursor: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    /// Trace context of the call.
    pub(crate) traceparent: Option<String>,
    pub(crate) progress: Option<Progress>,
}

/// Reports the progress of a long call to the client.
pub(crate) type Progress = Arc<dyn Fn(f64, f64) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

type Run = Box<dyn Fn(Call, JsonObject) -> Pin<Box<dyn Future<Output = Outcome> + Send>> + Send + Sync>;

/// A tool.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) shape: Arc<Shape>,
    /// The schema as it is listed for models.
    listed: Arc<JsonObject>,
    pub(crate) needs_agent: bool,
    everyday: bool,
    /// Whether messages in the result are recorded as delivered.
    notes: bool,
    also: &'static [(&'static str, &'static str)],
    answer: fn() -> JsonObject,
    run: Run,
}

impl Entry {
    pub(crate) fn new<A, F, W>(name: &'static str, effect: Effect, description: &'static str, work: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(Call, A) -> W + Send + Sync + 'static,
        W: Future<Output = Outcome> + Send + 'static,
    {
        let shape = Arc::new(Shape::of::<A>(name, &effect.common()));
        let (reader, listed) = (shape.clone(), Arc::new(for_models(&shape.schema, effect)));
        let run: Run = Box::new(move |call, arguments| match reader.read::<A>(arguments) {
            Ok(arguments) => Box::pin(work(call, arguments)),
            Err(refusal) => Box::pin(std::future::ready(Err(refusal))),
        });
        Self {
            name,
            description,
            effect,
            shape,
            listed,
            needs_agent: effect.changes(),
            everyday: false,
            notes: false,
            also: &[],
            answer: answers::any,
            run,
        }
    }

    /// Sets the type of the result.
    pub(crate) fn answers<T: JsonSchema>(mut self) -> Self {
        self.answer = answers::schema::<T>;
        self
    }

    /// Records delivery of the shown messages in receipts, so the tool is not free of effects although it changes
    /// nothing else.
    pub(crate) fn notes(mut self) -> Self {
        self.notes = true;
        self
    }

    /// Lists the tool in the compact profile too.
    pub(crate) fn everyday(mut self) -> Self {
        self.everyday = true;
        self
    }

    /// Restricts the tool to agents: it acts on the calling agent.
    pub(crate) fn for_agents(mut self) -> Self {
        self.needs_agent = true;
        self
    }

    /// Allows people as well as agents.
    pub(crate) fn for_all(mut self) -> Self {
        self.needs_agent = false;
        self
    }

    /// Aliases of arguments that clients often try first, each with the real name.
    pub(crate) fn also(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        self.also = names;
        self
    }

    pub(crate) fn tool(&self) -> Tool {
        let mut annotations = self.effect.annotations();
        if self.notes {
            annotations.read_only_hint = None;
            annotations.destructive_hint = Some(false);
            annotations.idempotent_hint = Some(true);
        }
        Tool::new(self.name, self.description, self.listed.clone()).with_annotations(annotations)
    }

    /// Definition of the tool with its whole schema, its title and its output schema, from which programs generate
    /// code.
    fn typed_tool(&self) -> Tool {
        let mut tool = self.tool();
        tool.input_schema = self.shape.schema.clone();
        tool.with_title(title(self.name)).with_raw_output_schema(Arc::new((self.answer)()))
    }

    /// Whether the caller may call the tool: an agent may be limited to some tools.
    pub(crate) fn is_allowed(&self, caller: &Caller) -> bool {
        caller.require_tool(self.name).is_ok()
    }

    /// Calls the tool with unparsed arguments.
    pub(crate) async fn call(&self, mut call: Call, arguments: JsonObject) -> Outcome {
        call.caller.require_tool(self.name)?;
        if self.needs_agent && !matches!(call.caller.actor(), Actor::Agent(_)) {
            return Err(Refusal::new(
                "agent_required",
                format!("{} acts as an agent, and this key is a person's.", self.name),
            )
            .hint("Use the key of an agent, or authorize again and choose an agent."));
        }
        let mut arguments = self.shape.mend(arguments, self.also)?;
        self.take_common(&mut call, &mut arguments)?;
        if let Some(key) = &call.idempotency_key {
            call.caller = call.caller.once(key).map_err(keyed)?;
        }
        (self.run)(call, arguments).await.map_err(|refusal| {
            if refusal.code == "validation_failed" {
                refusal.or_hint(|| format!("Call it as {}", self.shape.signature))
            } else {
                refusal
            }
        })
    }

    fn take_common(&self, call: &mut Call, arguments: &mut JsonObject) -> Result<(), Refusal> {
        let invalid = |field: &str, rule: String| {
            Refusal::from(Error::invalid(field, rule)).hint(format!("Call it as {}", self.shape.signature))
        };
        let text = |field: &str, value: Value| match value {
            Value::String(text) => Ok(text),
            _ => Err(invalid(field, "must be a string".into())),
        };
        if self.effect.changes() {
            let key = arguments.remove("idempotency_key");
            call.idempotency_key = key.map(|key| text("idempotency_key", key)).transpose()?;
            return Ok(());
        }
        if let Some(most) = arguments.remove("max_tokens") {
            let most = most
                .as_u64()
                .and_then(|most| u32::try_from(most).ok())
                .filter(|most| limits::READ_TOKENS.contains(most));
            let (least, greatest) = (limits::READ_TOKENS.start(), limits::READ_TOKENS.end());
            call.max_tokens = most.ok_or_else(|| invalid("max_tokens", format!("must be {least} to {greatest}")))?;
        }
        if self.effect == Effect::Lists {
            call.cursor = arguments.remove("cursor").map(|cursor| text("cursor", cursor)).transpose()?;
        }
        Ok(())
    }
}

/// Renames the field of an invalid idempotency key to its name in tool arguments.
fn keyed(error: Error) -> Refusal {
    let mut refusal = Refusal::from(error);
    for fault in &mut refusal.errors {
        fault.field = "idempotency_key".into();
    }
    refusal.message = refusal.message.replace("Idempotency-Key", "idempotency_key");
    refusal
}

static TOOLS: LazyLock<Vec<Entry>> = LazyLock::new(tools::all);

/// All tools, in listing order.
pub(crate) fn entries() -> &'static [Entry] {
    &TOOLS
}

/// The names of all tools, in listing order.
pub fn tool_names() -> Vec<&'static str> {
    entries().iter().map(|entry| entry.name).collect()
}

/// Finds a tool by name.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.name == name)
}

/// The name of the tool that does the work: the target where one tool calls another.
pub(crate) fn reached(entry: &'static Entry, arguments: Option<&JsonObject>) -> &'static str {
    let inner = || {
        let arguments = arguments?;
        let named = ["action", "name", "tool"].iter().find_map(|name| arguments.get(*name))?;
        find(named.as_str()?).map(|inner| inner.name)
    };
    if entry.name == "call_action" { inner().unwrap_or(entry.name) } else { entry.name }
}

/// The tools of a profile that are allowed.
pub(crate) fn listed(profile: Profile, is_allowed: impl Fn(&Entry) -> bool) -> Vec<Tool> {
    let entries = entries().iter().filter(|entry| is_allowed(entry));
    match profile {
        Profile::Full => entries.map(Entry::tool).collect(),
        Profile::Compact => entries.filter(|entry| entry.everyday).map(Entry::tool).collect(),
        Profile::Typed => entries.map(Entry::typed_tool).collect(),
    }
}

/// The schema as it is listed for models, without what they need not know before a call: bounds, which an error reports
/// (a description has the ranges that matter), the note that there are no other arguments, and the key of a call that
/// can be repeated in any case.
fn for_models(schema: &JsonObject, effect: Effect) -> JsonObject {
    const BOUNDS: [&str; 6] = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
    let mut schema = schema.clone();
    schema.remove("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        if effect.is_repeatable() {
            properties.remove("idempotency_key");
        }
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.retain(|key, value| !BOUNDS.contains(&key.as_str()) && *value != true);
            if let Some(Value::Object(item)) = property.get_mut("items") {
                item.remove("maxLength");
            }
        }
    }
    schema
}

/// Human-readable title of a tool: `send_message` as "Send message".
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The names of the tools that are most similar to this one, the most similar first.
pub(crate) fn near(name: &str) -> Vec<&'static str> {
    let name = &*shortened(name.to_owned());
    let mut near: Vec<(f64, &'static str)> = entries()
        .iter()
        .map(|entry| (likeness(name, entry.name), entry.name))
        .filter(|(likeness, _)| *likeness > 0.6)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Error for an unknown tool, with the most similar names.
pub(crate) fn unknown(name: &str) -> Refusal {
    let name = &*shortened(name.to_owned());
    let near = near(name);
    let hint = if near.is_empty() {
        "find_action finds a tool by what it does.".to_owned()
    } else {
        format!("Did you mean {}? find_action finds a tool by what it does.", near.join(", "))
    };
    Refusal::new("unknown_tool", format!("No tool named {name:?}.")).hint(hint)
}

/// Error for an unknown tool as a JSON-RPC error, because there is no tool that could return a result.
pub(crate) fn unknown_tool(name: &str) -> ErrorData {
    let refusal = unknown(name);
    let hint = refusal.hint.as_deref().unwrap_or_default();
    let message = format!("Unknown tool: {}. {hint}", shortened(name.to_owned()));
    ErrorData::invalid_params(message, serde_json::to_value(refusal).ok())
}

/// Similarity of two names, by their characters or by the words they consist of.
fn likeness(given: &str, name: &str) -> f64 {
    let given = given.to_ascii_lowercase().replace(['-', ' ', '.'], "_");
    let words = |text: &str| text.split('_').filter(|word| word.len() > 2).map(ToOwned::to_owned).collect::<Vec<_>>();
    let (asked, known) = (words(&given), words(name));
    let shared = asked.iter().filter(|word| known.contains(word)).count();
    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
    let by_words = if asked.is_empty() { 0.0 } else { shared as f64 / asked.len().max(known.len()) as f64 };
    strsim::jaro_winkler(&given, name).max(0.6 + 0.4 * by_words - if shared == 0 { 0.6 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(profile: Profile) -> Vec<Tool> {
        listed(profile, |_| true)
    }

    fn size(profile: Profile) -> usize {
        serde_json::to_string(&json!({ "tools": all(profile) })).unwrap().len()
    }

    #[test]
    fn the_lists_are_small_and_always_the_same() {
        let (full, compact) = (size(Profile::Full), size(Profile::Compact));
        println!(
            "tools/list: {full} bytes for {} tools; compact: {compact} bytes for {}",
            all(Profile::Full).len(),
            all(Profile::Compact).len()
        );
        assert!(full < limits::TOOL_LIST_MAX, "{full}");
        assert!(compact < limits::COMPACT_TOOL_LIST_MAX, "{compact}");
        assert!(all(Profile::Compact).len() <= 10);
        assert_eq!(
            serde_json::to_string(&all(Profile::Full)).unwrap(),
            serde_json::to_string(&all(Profile::Full)).unwrap()
        );
    }

    #[test]
    fn unknown_names_are_rejected_with_similar_ones() {
        let mut names = tool_names();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), entries().len());
        for (given, meant) in [
            ("send_mesage", "send_message"),
            ("sendMessage", "send_message"),
            ("inbox", "read_inbox"),
            ("channel_list", "list_channels"),
        ] {
            assert!(unknown(given).hint.as_ref().unwrap().contains(meant), "{given}: {:?}", unknown(given).hint);
        }
    }

    #[test]
    fn every_parameter_is_described_and_bounded() {
        for entry in entries() {
            for (name, property) in entry.shape.schema["properties"].as_object().unwrap() {
                let (place, has) =
                    (format!("{}.{name}: {property}", entry.name), |key: &str| property.get(key).is_some());
                assert!(has("description") || has("enum"), "{place}");
                match property["type"].as_str().unwrap() {
                    "integer" | "number" => assert!(has("minimum"), "{place}"),
                    "string" => assert!(has("enum") || has("maxLength"), "{place}"),
                    "array" => {
                        let is_bounded = ["maxLength", "enum"].iter().any(|key| property["items"].get(key).is_some())
                            || property["items"]["type"] == "object";
                        assert!(has("maxItems") && is_bounded, "{place}");
                    }
                    kind => assert!(matches!(kind, "boolean" | "object"), "{place}"),
                }
            }
        }
    }

    #[test]
    fn the_typed_list_has_the_same_tools_with_titles_and_answers() {
        let (full, typed) = (all(Profile::Full), all(Profile::Typed));
        assert_eq!(full.len(), typed.len());
        for (mut typed, plain) in typed.into_iter().zip(full) {
            assert!(typed.title.take().is_some_and(|title| !title.contains('_')), "{}", typed.name);
            let answer = typed.output_schema.take().unwrap();
            assert_eq!(answer["type"], "object", "{}", typed.name);
            let fields = answer.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
            assert_eq!(fields == 0, typed.name == "call_action", "{}: {answer:?}", typed.name);
            let effect = find(&typed.name).unwrap().effect;
            typed.input_schema = Arc::new(for_models(&typed.input_schema, effect));
            assert_eq!(serde_json::to_value(&typed).unwrap(), serde_json::to_value(&plain).unwrap());
        }
    }

    #[test]
    fn only_allowed_tools_are_listed() {
        let listed = listed(Profile::Full, |entry| entry.name == "get_goal");
        assert_eq!(listed.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["get_goal"]);
    }

    #[test]
    fn tools_with_effects_take_an_idempotency_key() {
        for entry in entries() {
            let properties = entry.shape.schema["properties"].as_object().unwrap();
            assert_eq!(entry.effect.changes(), properties.contains_key("idempotency_key"), "{}", entry.name);
            let tool = entry.tool();
            let is_listed = tool.input_schema["properties"].get("idempotency_key").is_some();
            let is_repeatable = tool.annotations.unwrap().idempotent_hint == Some(true);
            assert_eq!(entry.effect.changes() && !is_repeatable, is_listed, "{}", entry.name);
            assert_eq!(!entry.effect.changes(), properties.contains_key("max_tokens"), "{}", entry.name);
            assert_eq!(entry.shape.schema["additionalProperties"], false, "{}", entry.name);
        }
    }
}
