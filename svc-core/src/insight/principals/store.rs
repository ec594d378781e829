//! The SQL of machine events.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use serde_json::Value;
use svc_model::principals::EvidenceFilter;
use svc_model::traces::Trace;

use super::batch::Draft;
use crate::error::Result;
use crate::identity::principals::dialect;
use crate::identity::principals::machine::Machine;
use crate::ids::{MachineEventId, MessageId};
use crate::limits;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// A stored event, as needed to detect duplicates.
    #[derive(Debug, Clone)]
    pub(super) struct StoredEvent {
        pub(super) id: MachineEventId,
        pub(super) event_id: String,
        pub(super) sha256: String,
        pub(super) message_id: Option<MessageId>,
    }
}

crate::row! {
    /// An event row, without its traces.
    #[derive(Debug, Clone)]
    pub(super) struct EventRow {
        pub(super) id: MachineEventId,
        pub(super) principal_id: String,
        pub(super) kid: String,
        pub(super) event_id: String,
        pub(super) kind: String,
        pub(super) occurred_at: Option<Timestamp>,
        pub(super) received_at: Timestamp,
        pub(super) data: Value,
        pub(super) channel: Option<String>,
        pub(super) message_id: Option<MessageId>,
        pub(super) request_id: Option<String>,
        pub(super) signature_id: Option<String>,
    }
}

const STORED: &str = "
    SELECT id, event_id, sha256, message_id
      FROM machine_events
     WHERE principal_id = $1 AND event_id IN (";

/// The stored events among these ids of a principal, by id.
pub(super) async fn stored(
    tx: &mut Tx,
    principal_id: &str,
    ids: &BTreeSet<&str>,
) -> Result<HashMap<String, StoredEvent>> {
    let query = tx.query(format!("{STORED}{})", placeholders(2, ids.len()))).bind(principal_id);
    let rows: Vec<StoredEvent> = ids.iter().fold(query, |query, id| query.bind(*id)).fetch_all().await?;
    Ok(rows.into_iter().map(|row| (row.event_id.clone(), row)).collect())
}

/// The number of shared columns of [`insert`], and of columns per event.
const SHARED: usize = 5;
const OWN: usize = 7;

crate::row! {
    struct Inserted {
        id: MachineEventId,
        event_id: String,
    }
}

/// Inserts the events of one request, each with the message that announced it. Returns the new ids
/// by event id. Later events have larger ids.
pub(super) async fn insert(
    tx: &mut Tx,
    machine: &Machine,
    events: &[(&Draft, Option<MessageId>)],
) -> Result<HashMap<String, MachineEventId>> {
    let now = tx.now();
    let mut ids = HashMap::with_capacity(events.len());
    let signature_id = machine.signature_id();
    dialect::announce_ids(tx).await?;
    for step in events.chunks(limits::MACHINE_EVENTS_STEP) {
        let query = tx
            .query(insertion(step.len()))
            .bind(machine.principal_id())
            .bind(machine.kid())
            .bind(now)
            .bind(machine.visit().request_id.as_deref())
            .bind(signature_id.as_str());
        let query = step.iter().fold(query, |query, (draft, message_id)| {
            query
                .bind(draft.event_id.as_str())
                .bind(draft.kind.as_str())
                .bind(draft.occurred_at)
                .bind(draft.data.clone())
                .bind(draft.sha256.as_str())
                .bind(draft.channel.as_deref())
                .bind(*message_id)
        });
        let rows: Vec<Inserted> = query.fetch_all().await?;
        ids.extend(rows.into_iter().map(|row| (row.event_id, row.id)));
    }
    Ok(ids)
}

fn insertion(count: usize) -> String {
    let row = |number: usize| format!("($1, $2, $3, $4, $5, {})", placeholders(SHARED + 1 + number * OWN, OWN));
    let rows: Vec<_> = (0..count).map(row).collect();
    format!(
        "INSERT INTO machine_events
            (principal_id, kid, received_at, request_id, signature_id, event_id, type, occurred_at, data, sha256, channel,
             message_id)
         VALUES {}
         RETURNING id, event_id",
        rows.join(", ")
    )
}

// The given filters decide which index is used.
macro_rules! select_events {
    ($condition:literal) => {
        concat!(
            "SELECT e.id, e.principal_id, e.kid, e.event_id, e.type AS kind, e.occurred_at, e.received_at, e.data,
                    e.channel, e.message_id, e.request_id, e.signature_id
               FROM machine_events e
              WHERE e.id > $1 ",
            $condition,
            " ORDER BY e.id LIMIT $2"
        )
    };
}

const ALL: &str = select_events!("");
const OF_PRINCIPAL: &str = select_events!("AND e.principal_id = $3");
const OF_TYPE: &str = select_events!("AND e.type = $3");
const OF_BOTH: &str = select_events!("AND e.principal_id = $3 AND e.type = $4");

/// Events after an id, oldest first.
pub(super) async fn after(
    tx: &mut Tx,
    filter: &EvidenceFilter,
    after: MachineEventId,
    limit: u32,
) -> Result<Vec<EventRow>> {
    let text = match (&filter.principal, &filter.kind) {
        (None, None) => ALL,
        (Some(_), None) => OF_PRINCIPAL,
        (None, Some(_)) => OF_TYPE,
        (Some(_), Some(_)) => OF_BOTH,
    };
    let named = [&filter.principal, &filter.kind].into_iter().flatten();
    named.fold(tx.query(text).bind(after).bind(limit), |query, name| query.bind(name.as_str())).fetch_all().await
}

/// The action of the events route in traces.
const ACTION: &str = "ingest_events";

/// SELECT of the traces of requests with these signatures (from `$2` on), at most `$1` per
/// signature.
fn traces_of(signatures: usize) -> String {
    format!(
        "SELECT f.id, f.owner_id, CAST(NULL AS TEXT) AS owner, f.agent, f.action, f.surface, f.request_id,
                f.duration_ms, f.details, f.error, f.created_at
           FROM (SELECT t.id, t.owner_id, t.agent, t.action, t.surface, t.request_id, t.duration_ms, t.details, t.error,
                        t.created_at,
                        row_number() OVER (PARTITION BY t.details ->> 'signature_id' ORDER BY t.id) AS place
                   FROM traces t
                  WHERE t.owner_id IS NULL AND t.details ->> 'signature_id' IN ({})
                    AND t.action = '{ACTION}') f
          WHERE f.place <= $1
          ORDER BY f.id",
        placeholders(2, signatures)
    )
}

/// The traces of requests that reported events, oldest first, by signature id.
pub(super) async fn traces(tx: &mut Tx, signatures: &BTreeSet<&str>) -> Result<HashMap<String, Vec<Trace>>> {
    let mut found: HashMap<_, Vec<Trace>> = HashMap::new();
    if signatures.is_empty() {
        return Ok(found);
    }
    let query = tx.query(traces_of(signatures.len())).bind(limits::EVIDENCE_TRACES_MAX);
    let traces: Vec<Trace> = signatures.iter().fold(query, |query, id| query.bind(*id)).fetch_all().await?;
    for trace in traces {
        found.entry(trace.details["signature_id"].as_str().unwrap_or_default().to_owned()).or_default().push(trace);
    }
    Ok(found)
}

const OLDEST: &str = "SELECT id, received_at FROM machine_events WHERE id > $1 ORDER BY id LIMIT $2";
const FORGET: &str = "DELETE FROM machine_events WHERE id > $1 AND id <= $2 AND received_at < $3";

crate::row! {
    struct OldEvent {
        id: MachineEventId,
        received_at: Timestamp,
    }
}

/// Removes old events among a batch after an id. Returns the number removed and the id to continue
/// after. Ids are nearly in the order of arrival, so if a whole batch contains no old event, none
/// follows.
pub(super) async fn forget(
    tx: &mut Tx,
    before: Timestamp,
    after: MachineEventId,
    limit: u32,
) -> Result<(u64, Option<MachineEventId>)> {
    let rows: Vec<OldEvent> = tx.query(OLDEST).bind(after).bind(limit).fetch_all().await?;
    let last = rows.iter().rev().find(|row| row.received_at < before).map(|row| row.id);
    let Some(last) = last else { return Ok((0, None)) };
    let forgotten = tx.query(FORGET).bind(after).bind(last).bind(before).execute().await?;
    Ok((forgotten, Some(last)))
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    static FOUND: LazyLock<String> = LazyLock::new(|| format!("{STORED}$2, $3, $4)"));
    static TRACES: LazyLock<String> = LazyLock::new(|| traces_of(3));
    vec![
        ("machine_events.oldest", OLDEST),
        ("machine_events.forget", FORGET),
        ("machine_events.stored", FOUND.as_str()),
        ("machine_events.all", ALL),
        ("machine_events.of_principal", OF_PRINCIPAL),
        ("machine_events.of_type", OF_TYPE),
        ("machine_events.of_both", OF_BOTH),
        ("machine_events.traces", TRACES.as_str()),
    ]
}
