//! The SQL of traces.
//!
//! The filter decides which index is used, so the conditions are built from its fields. A single
//! statement with optional conditions would always be planned for the widest query.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::value::RawValue;
use svc_model::traces::{ActionCount, Trace, TraceFilter};

use super::filter::{TracePosition, TraceScope};
use super::model::TimedTrace;
use crate::error::Result;
use crate::ids::UserId;
use crate::limits;
use crate::store::db::{Query, Tx, Value};
use crate::timestamp::Timestamp;

const OLD: &str = "
    DELETE FROM traces
     WHERE id IN (SELECT id FROM traces WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

const ACTIVE_AGENTS: &str = "
    SELECT count(DISTINCT agent)
      FROM traces
     WHERE created_at >= $1";

const ACTIVE_AGENTS_OF: &str = "
    SELECT count(DISTINCT agent)
      FROM traces
     WHERE created_at >= $1 AND owner_id = $2";

const ACTIVE_AGENTS_NAMED: &str = "
    SELECT count(DISTINCT agent)
      FROM traces
     WHERE created_at >= $1 AND owner_id = $2 AND agent = $3";

const COLUMNS: &str = "
    SELECT t.id, t.owner_id, (SELECT p.handle FROM participants p WHERE p.id = t.owner_id) AS owner, t.agent,
           t.action, t.surface, t.request_id, t.duration_ms, t.details, t.error, t.created_at
      FROM traces t";

const LIST_RANGE: &str = "t.created_at >= $1 AND (t.created_at, t.id) < ($2, $3)";
const PAGE_RANGE: &str = "(t.created_at, t.id) > ($1, $2) AND t.created_at < $3";
const STATS_RANGE: &str = "t.created_at >= $1 AND t.created_at < $2";

/// The conditions of a query, with their values.
struct Conditions {
    text: String,
    values: Vec<Value>,
}

impl Conditions {
    /// The first `taken` placeholders are used by the range.
    fn new(range: &str, taken: usize, scope: &TraceScope, filter: &TraceFilter) -> Self {
        let mut conditions = Self { text: format!(" WHERE {range}"), values: Vec::new() };
        let mut equal = |column: &str, value: Value| {
            conditions.values.push(value);
            let placeholder = taken + conditions.values.len();
            // Writing to a string does not fail.
            write!(conditions.text, " AND t.{column} = ${placeholder}").ok();
        };
        let text = |text: &String| Value::Text(text.clone());
        match scope {
            TraceScope::All => {}
            TraceScope::Of(owner) => equal("owner_id", Value::Integer(owner.0)),
            TraceScope::Agent { owner, name } => {
                equal("owner_id", Value::Integer(owner.0));
                equal("agent", text(name));
            }
        }
        if let Some(agent) = &filter.agent {
            equal("agent", text(agent));
        }
        if let Some(action) = &filter.action {
            equal("action", text(action));
        }
        conditions.text.push_str(match filter.error {
            Some(true) => " AND t.error IS NOT NULL",
            Some(false) => " AND t.error IS NULL",
            None => "",
        });
        conditions
    }
}

fn bind_all(query: Query<'_>, values: Vec<Value>) -> Query<'_> {
    values.into_iter().fold(query, Query::bind)
}

fn list_text(scope: &TraceScope, filter: &TraceFilter) -> (String, Vec<Value>) {
    let Conditions { text, values } = Conditions::new(LIST_RANGE, 4, scope, filter);
    (format!("{COLUMNS}{text} ORDER BY t.created_at DESC, t.id DESC LIMIT $4"), values)
}

fn page_text(scope: &TraceScope, filter: &TraceFilter) -> (String, Vec<Value>) {
    let Conditions { text, values } = Conditions::new(PAGE_RANGE, 4, scope, filter);
    (format!("{COLUMNS}{text} ORDER BY t.created_at, t.id LIMIT $4"), values)
}

fn stats_text(scope: &TraceScope, filter: &TraceFilter) -> (String, Vec<Value>) {
    let Conditions { text, values } = Conditions::new(STATS_RANGE, 2, scope, filter);
    let select = "SELECT t.action, count(*) AS count, count(t.error) AS errors FROM traces t";
    (format!("{select}{text} GROUP BY t.action ORDER BY count DESC, t.action"), values)
}

/// Traces before a position, newest first.
pub(super) async fn list(
    tx: &mut Tx,
    scope: &TraceScope,
    filter: &TraceFilter,
    end: TracePosition,
    limit: u32,
) -> Result<Vec<Trace>> {
    let (text, values) = list_text(scope, filter);
    let query = tx.query(text).bind(filter.start()).bind(end.at).bind(end.id).bind(limit);
    bind_all(query, values).fetch_all().await
}

/// Traces after a position and before a time, oldest first.
pub(super) async fn page(
    tx: &mut Tx,
    scope: &TraceScope,
    filter: &TraceFilter,
    after: TracePosition,
    before: Timestamp,
) -> Result<Vec<Trace>> {
    let (text, values) = page_text(scope, filter);
    let query = tx.query(text).bind(after.at).bind(after.id).bind(before).bind(limits::TRACE_EXPORT_PAGE);
    bind_all(query, values).fetch_all().await
}

pub(super) async fn stats(tx: &mut Tx, scope: &TraceScope, filter: &TraceFilter) -> Result<Vec<ActionCount>> {
    let (text, values) = stats_text(scope, filter);
    let before = filter.before.unwrap_or(Timestamp::from_micros(i64::MAX));
    bind_all(tx.query(text).bind(filter.start()).bind(before), values).fetch_all().await
}

/// The number of failures since this time.
pub(crate) async fn errors_since(tx: &mut Tx, scope: &TraceScope, since: Timestamp) -> Result<i64> {
    let (text, values) = errors_text(scope);
    bind_all(tx.query(text).bind(since), values).fetch_value().await
}

fn errors_text(scope: &TraceScope) -> (String, Vec<Value>) {
    let failed = TraceFilter { error: Some(true), ..TraceFilter::default() };
    let Conditions { text, values } = Conditions::new("t.created_at >= $1", 1, scope, &failed);
    (format!("SELECT count(*) FROM traces t{text}"), values)
}

pub(super) async fn insert_all(tx: &mut Tx, traces: &[TimedTrace]) -> Result<()> {
    for TimedTrace { trace, at } in traces {
        tx.query(
            "INSERT INTO traces
                (owner_id, agent, action, surface, request_id, duration_ms, details, error, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(trace.owner)
        .bind(trace.agent.as_deref())
        .bind(trace.action.as_ref())
        .bind(trace.surface)
        .bind(trace.request_id.as_deref())
        .bind(i64::try_from(trace.duration.as_millis()).unwrap_or(i64::MAX))
        .bind(Value::Json(trace.details.as_deref().map_or("{}", RawValue::get).to_owned()))
        .bind(trace.error.as_deref())
        .bind(*at)
        .execute()
        .await?;
    }
    Ok(())
}

pub(super) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(OLD).bind(before).bind(limit).execute().await
}

/// The number of traces before this time.
pub(super) async fn count_before(tx: &mut Tx, before: Timestamp) -> Result<i64> {
    tx.query("SELECT count(*) FROM traces WHERE created_at < $1").bind(before).fetch_value().await
}

/// The number of agents that were active since this time.
pub(crate) async fn active_agents(tx: &mut Tx, since: Timestamp) -> Result<i64> {
    tx.query(ACTIVE_AGENTS).bind(since).fetch_value().await
}

/// The number of agents of one owner that were active since this time.
pub(crate) async fn active_agents_of(tx: &mut Tx, owner: UserId, since: Timestamp) -> Result<i64> {
    tx.query(ACTIVE_AGENTS_OF).bind(since).bind(owner).fetch_value().await
}

/// 1 if an agent was active since this time, otherwise 0.
pub(crate) async fn is_active(tx: &mut Tx, owner: UserId, name: &str, since: Timestamp) -> Result<i64> {
    tx.query(ACTIVE_AGENTS_NAMED).bind(since).bind(owner).bind(name).fetch_value().await
}

/// SQL statements over growing tables, for the query-plan test: each query with each filter that
/// uses another index.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    static LISTED: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let owner = UserId(1);
        let agent = TraceScope::Agent { owner, name: "a".to_owned() };
        let scopes = [("all", TraceScope::All), ("owner", TraceScope::Of(owner)), ("agent", agent)];
        let named = Some("a".to_owned());
        let filters = [
            ("any", TraceFilter::default()),
            ("agent", TraceFilter { agent: named.clone(), ..TraceFilter::default() }),
            ("action", TraceFilter { action: named, ..TraceFilter::default() }),
            ("errors", TraceFilter { error: Some(true), ..TraceFilter::default() }),
        ];
        let mut listed = Vec::new();
        for (who, scope) in &scopes {
            for (what, filter) in &filters {
                listed.push((format!("traces.list {who} {what}"), list_text(scope, filter).0));
                listed.push((format!("traces.page {who} {what}"), page_text(scope, filter).0));
                listed.push((format!("traces.stats {who} {what}"), stats_text(scope, filter).0));
            }
            listed.push((format!("traces.errors_since {who}"), errors_text(scope).0));
        }
        listed
    });
    let fixed = [
        ("traces.sweep", OLD),
        ("traces.active_agents", ACTIVE_AGENTS),
        ("traces.active_agents_of", ACTIVE_AGENTS_OF),
        ("traces.active_agents_named", ACTIVE_AGENTS_NAMED),
    ];
    fixed.into_iter().chain(LISTED.iter().map(|(name, text)| (name.as_str(), text.as_str()))).collect()
}
