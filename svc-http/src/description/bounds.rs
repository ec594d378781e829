//! Bounds of values: ranges of numbers, lengths and patterns of strings, values of enumerations.
//!
//! The framework describes a parameter by its Rust type alone. The further checks of the core are described here,
//! with the numbers of [`limits`] only. A test checks that every number and every string of a body is bounded.

use serde_json::{Value, json};
use svc_core::limits;

/// Patterns of strings, as ECMA 262 regular expressions.
const AGENT_NAME: &str = "^[a-z0-9][a-z0-9_-]{1,62}$";
const CHANNEL_NAME: &str = "^[a-z0-9][a-z0-9_-]{0,79}$";
const SLUG: &str = "^[a-z0-9][a-z0-9_-]*$";
const ARTICLE_SLUG: &str = "^[a-z0-9][a-z0-9-]{0,98}[a-z0-9]$";
const USERNAME: &str = "^[A-Za-z0-9_]{3,64}$";
const HASH: &str = "^[0-9a-f]{64}$";
const DURATION: &str = "^(0|[0-9]{1,5}[smhd])$";
const LABEL: &str = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$";
const ACCOUNT: &str = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$";
const IMAGE: &str = "^[A-Za-z0-9]([A-Za-z0-9._/:@-]*[A-Za-z0-9])?$";
const MEMORY: &str = "^[0-9][0-9.]{0,15}(k|M|G|T|Ki|Mi|Gi|Ti)?$";
const CPU: &str = "^[0-9]([0-9.]{0,15}|[0-9]{0,15}m)$";
const PUBLIC_KEY: &str = "^[A-Za-z0-9_-]{87}=?$";
const AUTH_SECRET: &str = "^[A-Za-z0-9_-]{22}(==)?$";
const PAGE: &str = "^[A-Za-z0-9_-]{0,64}$";
const TIME_OF_DAY: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
/// A string with at least one character that is not whitespace.
const NOT_BLANK: &str = "\\S";
/// A string without NUL.
const NO_NUL: &str = "^[^\\u0000]*$";

/// A text of one line without characters that cannot be printed or that change its direction, as
/// [`line`](svc_core::model::names::line) takes it; it may be empty.
const ONE_LINE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$";

/// A text without NUL and with at least one character that is not whitespace.
const FILLED: &str = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";

/// A text of one line, as [`ONE_LINE`], with at least one character that is not whitespace.
const FILLED_LINE: &str = concat!(
    "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*",
    "[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
    "[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$",
);

/// The bodies of requests about goals, and their parts.
const GOALS: [&str; 9] = [
    "NewGoal",
    "GoalChanges",
    "GoalBudget",
    "GoalCompletion",
    "TaskTree",
    "TaskNode",
    "Verifier",
    "TaskVerdict",
    "DecisionNote",
];

/// The bodies of requests about articles.
const ARTICLES: [&str; 5] = ["NewArticle", "ArticleSave", "ArticleRename", "ArticleRestore", "ArticleVerify"];

/// The largest id, which is the largest integer of the store.
const ID_MAX: i64 = i64::MAX;

fn one_of(words: &[&str]) -> Value {
    json!({ "enum": words })
}

fn between(least: impl Into<Value>, most: impl Into<Value>) -> Value {
    json!({ "minimum": least.into(), "maximum": most.into() })
}

fn text(longest: usize) -> Value {
    json!({ "maxLength": longest })
}

fn filled(longest: usize) -> Value {
    json!({ "minLength": 1, "maxLength": longest, "pattern": NOT_BLANK })
}

fn form(pattern: &str) -> Value {
    json!({ "pattern": pattern })
}

fn list(least: usize, most: usize, item: &Value) -> Value {
    json!({ "minItems": least, "maxItems": most, "items": item })
}

/// Adds bounds to the parameters of an operation.
pub(super) fn parameters(operation: &mut Value) {
    let name = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let place = parameter["in"].as_str().unwrap_or_default().to_owned();
        let called = parameter["name"].as_str().unwrap_or_default().to_owned();
        if parameter["schema"].get("$ref").is_none() {
            super::merge(&mut parameter["schema"], parameter_bounds(&name, &place, &called));
        }
    }
}

/// Adds bounds to a list that is a whole body.
pub(super) fn lists(operation: &mut Value) {
    if operation["operationId"] != "mark_read" {
        return;
    }
    let media = operation["requestBody"]["content"].as_object_mut().into_iter().flatten();
    for form in media.filter_map(|(_, media)| media["schema"]["oneOf"].as_array_mut()).flatten() {
        if form["type"] == "array" {
            super::merge(form, json!({ "minItems": 1, "maxItems": limits::MARKS_MAX }));
        }
    }
}

fn parameter_bounds(operation: &str, place: &str, name: &str) -> Value {
    match (operation, place, name) {
        ("analytics_top_agents" | "analytics_top_channels", _, "limit")
        | ("list_k8s_runs", _, "handler")
        | ("diff_article", _, "to")
        | (_, _, "id")
        | (_, "path", "task" | "number") => between(1, ID_MAX),
        ("get_usage", _, "days") => between(1, limits::USAGE_DAYS_MAX),
        ("read_evidence", _, "limit") => between(1, limits::EVIDENCE_PAGE_MAX),
        (_, _, "limit") => between(1, limits::PAGE_MAX),
        (_, _, "offset") | ("diff_article", _, "from") => between(0, ID_MAX),
        ("delete_article", _, "summary") => article_bounds("summary").unwrap_or_default(),
        (_, "path", "slug") => form(ARTICLE_SLUG),
        (_, _, "min_priority") => between(*limits::PRIORITIES.start(), *limits::PRIORITIES.end()),
        ("remove_reaction", _, "reaction") => one_of(&["approve", "reject", "in_progress", "done", "published"]),
        (_, "path", "emoji") => json!({ "minLength": 1, "maxLength": limits::EMOJI_BYTES_MAX }),
        ("list_messages_by_state", _, "state") => {
            one_of(&["proposed", "approved", "in_progress", "rejected", "done", "published"])
        }
        ("search_messages", _, "sort") => one_of(&["relevance", "newest"]),
        ("follow_events", _, "after" | "Last-Event-ID") => form("^[0-9]{1,18}$"),
        ("search_messages" | "list_traces" | "export_traces" | "trace_stats", _, "after" | "before") => {
            json!({ "anyOf": [{ "format": "date" }, { "format": "date-time" }] })
        }
        ("list_directory", _, "query") => text(limits::DIRECTORY_QUERY_MAX),
        ("list_directory", _, "kind") => one_of(&["human", "agent"]),
        ("list_directory", _, "cursor") => text(limits::HANDLE_MAX),
        (_, "path", "hash") => form(HASH),
        (_, "header", "Idempotency-Key") => {
            json!({ "minLength": 1, "maxLength": limits::IDEMPOTENCY_KEY_MAX, "pattern": "^[!-~]+$" })
        }
        (_, "path", "name" | "handle" | "agent" | "source") => {
            json!({ "minLength": 1, "maxLength": limits::CHANNEL_NAME.end() })
        }
        ("list_channels", _, "q") => text(*limits::CHANNEL_NAME.end()),
        ("list_users", _, "q") => text(limits::DIRECTORY_QUERY_MAX),
        // These are texts.
        ("list_articles" | "get_backlinks", _, "cursor") => json!({ "minLength": 1 }),
        ("list_goals", _, "cursor") => form("^[1-9][0-9]{0,17}$"),
        // A cursor need not be the id of an existing object.
        (_, _, "before" | "after" | "around" | "cursor") => between(i64::MIN, ID_MAX),
        // Other strings are bounded by the size limit of headers.
        _ => json!({}),
    }
}

/// Adds bounds to the fields of requests.
pub(super) fn fields(document: &mut Value) {
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        if schema["additionalProperties"] != false {
            continue;
        }
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (field, property) in properties.into_iter().flatten() {
            let bounds = push_bounds(name, field).or_else(|| status_bounds(name, field));
            if let Some(bounds) = bounds.or_else(|| field_bounds(name, field)) {
                super::merge(property, bounds);
            }
        }
        if name == "NewMessage" || name == "NewScheduledMessage" {
            schema["oneOf"] = json!([{ "required": ["to"] }, { "required": ["channel"] }]);
        }
    }
}

/// The bounds of the fields of goals and of decisions about them. An object has bounds of its own.
fn goal_bounds(field: &str) -> Option<Value> {
    let handle = json!({ "maxLength": limits::HANDLE.end() });
    let note = json!({ "maxLength": limits::GOAL_NOTE_MAX, "pattern": NO_NUL });
    let depths = limits::SPAWN_DEPTHS;
    let title = json!({ "type": "string", "minLength": 1, "maxLength": limits::GOAL_TITLE_MAX });
    Some(match field {
        "title" => filled(limits::GOAL_TITLE_MAX),
        "description" | "acceptance_criteria" => {
            json!({ "maxLength": limits::GOAL_TEXT_MAX, "pattern": NO_NUL })
        }
        "slug" => json!({ "maxLength": limits::GOAL_SLUG_MAX, "pattern": SLUG }),
        "coordinator" | "assignee" | "by" => handle,
        "max_spawn_depth" => between(*depths.start(), *depths.end()),
        "billing_code" => filled(limits::BILLING_CODE_MAX),
        "usd" | "budget_usd" => between(0, limits::BUDGET_USD_MAX),
        "tokens" | "budget_tokens" => between(0, limits::BUDGET_TOKENS_MAX),
        "depends_on" => list(0, limits::GOAL_DEPENDENCIES_MAX, &title),
        "children" => json!({ "maxItems": limits::GOAL_TASKS_MAX }),
        "tree" => json!({ "minItems": 1, "maxItems": limits::GOAL_TASKS_MAX }),
        "stuck_reason" | "summary" | "note" | "reason" => note,
        "completion_message_id" => between(1, ID_MAX),
        _ => return None,
    })
}

/// The bounds of the fields of articles.
fn article_bounds(field: &str) -> Option<Value> {
    Some(match field {
        "slug" => form(ARTICLE_SLUG),
        "title" | "section" => filled(limits::ARTICLE_TITLE_MAX),
        "body" => json!({ "maxLength": limits::ARTICLE_BODY_MAX, "pattern": NO_NUL }),
        "summary" => json!({ "maxLength": limits::ARTICLE_SUMMARY_MAX, "pattern": NO_NUL }),
        "revision" | "base_revision" => between(1, ID_MAX),
        "stale_after" => json!({ "maxLength": 64, "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?)?$" }),
        _ => return None,
    })
}

/// The bounds of the fields of a status.
fn status_bounds(schema: &str, field: &str) -> Option<Value> {
    match (schema, field) {
        ("NewStatus", "text") => Some(text(limits::STATUS_TEXT_MAX)),
        ("NewStatus", "emoji") => Some(text(limits::EMOJI_BYTES_MAX)),
        _ => None,
    }
}

/// The bounds of the fields of push subscriptions and notification settings.
fn push_bounds(schema: &str, field: &str) -> Option<Value> {
    Some(match (schema, field) {
        ("NewPushSubscription", "endpoint") => json!({ "minLength": 1, "maxLength": limits::PUSH_ENDPOINT_MAX }),
        ("NewPushSubscription", "device") => filled(*limits::PUSH_DEVICE_LENGTHS.end()),
        ("NewPushSubscription", "expirationTime") => between(0, limits::EXPIRATION_MILLIS_MAX),
        ("PushKeys", "p256dh") => form(PUBLIC_KEY),
        ("PushKeys", "auth") => form(AUTH_SECRET),
        ("PushTest", "subscription_id") => between(i64::MIN, ID_MAX),
        ("Presence", "page") => form(PAGE),
        ("QuietHoursChange", "start" | "end") => form(TIME_OF_DAY),
        ("QuietHoursChange", "time_zone") => json!({ "minLength": 1, "maxLength": limits::TIME_ZONE_MAX }),
        ("SettingsChange", "conversations") => json!({ "maxItems": limits::LEVELS_PER_CHANGE }),
        _ => return None,
    })
}

/// Bounds of a handler of events in a cluster, besides those of fields that others have too.
fn handler_bounds(field: &str) -> Option<Value> {
    Some(match field {
        "image" => json!({ "maxLength": limits::IMAGE_MAX, "pattern": IMAGE }),
        "namespace" => json!({ "maxLength": limits::LABEL_MAX, "pattern": LABEL }),
        "service_account" => json!({ "maxLength": limits::SUBDOMAIN_MAX, "pattern": ACCOUNT }),
        "memory" => form(MEMORY),
        "cpu" => form(CPU),
        "env" => json!({ "maxProperties": limits::HARNESS_ENV_MAX }),
        "timeout_seconds" => between(*limits::HANDLER_SECONDS_RANGE.start(), *limits::HANDLER_SECONDS_RANGE.end()),
        _ => return None,
    })
}

fn field_bounds(schema: &str, field: &str) -> Option<Value> {
    if (schema, field) == ("GoalCompletion", "status") {
        return Some(one_of(&["completed", "stuck", "cancelled"]));
    }
    if GOALS.contains(&schema) {
        return goal_bounds(field);
    }
    if ARTICLES.contains(&schema) {
        return article_bounds(field);
    }
    if schema == "CreateK8sHandler"
        && let Some(bounds) = handler_bounds(field)
    {
        return Some(bounds);
    }
    let handle = || json!({ "type": "string", "minLength": 1, "maxLength": limits::HANDLE.end() });
    let channel = || json!({ "type": "string", "minLength": 1, "maxLength": limits::CHANNEL_NAME.end() + 1 });
    Some(match (schema, field) {
        ("CreateAgent", "name") => form(AGENT_NAME),
        ("CreateChannel", "name") => form(CHANNEL_NAME),
        ("RegisterRequest" | "JoinRequest" | "CreateUser", "username") => form(USERNAME),
        ("CreateInvite", "note") => filled(limits::INVITE_NOTE_MAX),
        ("CreateInvite", "expires_in") => between(1, limits::INVITE_TTL_MAX.as_secs()),
        ("SaveMessage", "note") => json!({ "maxLength": limits::SAVED_NOTE_MAX, "pattern": ONE_LINE }),
        ("CreateKey", "name") => filled(limits::KEY_NAME_MAX),
        (_, "display_name") => filled(limits::DISPLAY_NAME_MAX),
        (_, "agent_md") => text(limits::AGENT_MD_MAX),
        (_, "cooldown_seconds") => between(0, limits::AGENT_COOLDOWN_MAX),
        (_, "daily_run_budget") => between(0, limits::AGENT_DAILY_RUNS_MAX),
        (_, "max_trigger_depth") => between(0, limits::AGENT_TRIGGER_DEPTH_MAX),
        (_, "harness" | "metadata" | "details") => json!({ "type": "object" }),
        (_, "k8s_image") => json!({ "maxLength": limits::IMAGE_MAX, "pattern": "^[!#-&(-\\[\\]-~]*$" }),
        // An object with bounds of its own.
        ("AgentSettings" | "CreateAgent", "budget") => return None,
        ("Budget", "usd") => between(0, limits::BUDGET_USD_MAX),
        ("Budget", "tokens") => between(0, limits::BUDGET_TOKENS_MAX),
        ("Budget", "runs") => between(0, limits::BUDGET_RUNS_MAX),
        ("AgentSettings", "quarantined") => json!({ "enum": [false] }),
        (_, "description") => text(limits::DESCRIPTION_MAX),
        (_, "topic") => text(limits::TOPIC_MAX),
        (_, "approve_threshold" | "publish_threshold") => between(0, 1),
        (_, "stalemate_escalate_after" | "stalemate_remind_after") => form(DURATION),
        (_, "lease_seconds") => between(*limits::LEASE_SECONDS.start(), *limits::LEASE_SECONDS.end()),
        ("ClaimRequest", "limit") => between(1, limits::CLAIM_MAX),
        ("CreateChannel", "members") => list(0, limits::INVITE_BATCH_MAX, &handle()),
        ("Invitation", "members") => list(1, limits::INVITE_BATCH_MAX, &handle()),
        ("CreateKey", "allowed_channels") => list(0, limits::KEY_CHANNELS_MAX, &channel()),
        ("CreateKey", "permissions") => json!({ "minItems": 1, "maxItems": 3 }),
        ("NewMessage", "attachments") => {
            list(0, limits::ATTACHMENTS_PER_MESSAGE, &json!({ "type": "string", "pattern": HASH }))
        }
        ("CreateWebhook" | "WebhookUpdate" | "CreateK8sHandler", "events") => json!({ "minItems": 1, "maxItems": 16 }),
        ("CreateWebhook" | "WebhookUpdate", "url") => json!({ "minLength": 1, "maxLength": limits::WEBHOOK_URL_MAX }),
        // A position need not be that of an existing event.
        ("RecoverWebhook", "after") => between(i64::MIN, ID_MAX),
        ("CreateWebhook", "secret") => json!({ "pattern": "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$" }),
        ("ProvideSecret", "value") => {
            json!({ "minLength": 1, "maxLength": limits::SECRET_VALUE_MAX, "pattern": NO_NUL })
        }
        ("NewRun", "prompt") => text(limits::RUN_REQUEST_MAX),
        ("DeliveredResult", "response") => text(limits::RUN_REPORT_MAX),
        ("DeliveredResult", "error") => text(limits::RUN_DETAIL_MAX),
        ("DeliveredResult", "session_id" | "trace_id") => text(limits::RUN_SESSION_MAX),
        ("DeliveredUsage", "cost_usd") => between(0, limits::HARNESS_USD_MAX),
        ("DeliveredUsage", _) => between(0, limits::HARNESS_TOKENS_MAX),
        ("Report", "events") => json!({ "minItems": 1, "maxItems": limits::MACHINE_EVENTS_MAX }),
        (_, "agent" | "owner" | "to") => handle(),
        (_, "channel") | ("Mark" | "ConversationLevel", "name") => channel(),
        (_, "username") => text(*limits::USERNAME.end()),
        ("LoginRequest", "password") | (_, "current_password" | "invite" | "reset" | "claim_token" | "traceparent") => {
            text(limits::JSON_BODY_MAX)
        }
        (_, "password" | "new_password") => {
            json!({ "minLength": 1, "maxLength": limits::PASSWORD.end() })
        }
        (_, "bid_id" | "last_message_id" | "reply_to") => between(1, ID_MAX),
        (_, "reason") => json!({ "maxLength": limits::REASON_MAX, "pattern": NO_NUL }),
        (_, "priority") => between(*limits::PRIORITIES.start(), *limits::PRIORITIES.end()),
        (_, "subject") => text(limits::SUBJECT_MAX),
        ("NewMessage" | "MessageEdit", "body") => filled(limits::BODY_MAX),
        ("NewMessageTemplate" | "MessageTemplateUpdate", "name") => {
            json!({ "minLength": 1, "maxLength": limits::TEMPLATE_NAME_MAX, "pattern": FILLED_LINE })
        }
        ("NewScheduledMessage" | "ScheduledMessageUpdate" | "NewMessageTemplate" | "MessageTemplateUpdate", "body") => {
            json!({ "minLength": 1, "maxLength": limits::BODY_MAX, "pattern": FILLED })
        }
        ("MessageEdit", "version") => between(1, limits::MESSAGE_VERSIONS_MAX),
        ("NewTask", "body") => filled(limits::TASK_BODY_MAX),
        (_, "title") => filled(limits::TASK_TITLE_MAX),
        (_, "note") => json!({ "maxLength": limits::TASK_NOTE_MAX, "pattern": NO_NUL }),
        (_, "summary") => json!({ "maxLength": limits::TASK_SUMMARY_MAX, "pattern": NO_NUL }),
        (_, "amount" | "budget") => between(0, limits::TASK_AMOUNT_MAX),
        (_, "deadline") => json!({ "pattern": "^([0-9]{1,5}[smhd]|[0-9]{4}-[0-9]{2}-[0-9]{2}T.+)$" }),
        (_, "event_id") => {
            json!({ "minLength": 1, "maxLength": limits::MACHINE_EVENT_ID_MAX, "pattern": "^[!-~]+$" })
        }
        ("NewMachineEvent", "type") => {
            json!({ "maxLength": limits::MACHINE_EVENT_TYPE_MAX, "pattern": "^[a-z0-9][a-z0-9._:-]*$" })
        }
        (_, "occurred_at") => json!({ "format": "date-time", "maxLength": 64 }),
        (_, "heartbeat_seconds") => between(*limits::MACHINE_HEARTBEATS.start(), *limits::MACHINE_HEARTBEATS.end()),
        ("NewRuntimeStatus", "message") => text(limits::MACHINE_MESSAGE_MAX),
        ("NewRuntimeStatus", "state") => {
            json!({ "maxLength": limits::MACHINE_STATE_MAX, "pattern": "^[a-z][a-z0-9_-]*$" })
        }
        _ => return None,
    })
}
