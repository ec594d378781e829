//! Every listed statement is served by an index: nothing reads a table that grows from end to end.

mod filling;
mod kept;
mod people;

use svc_core::auth::Surface;
use svc_core::db::{Engine, Tx};
use svc_core::traces::NewTrace;
use svc_core::{Hub, Result};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

/// Fills the tables that grow, so that the planner has something to choose from. Each statement is a unit
/// of work, because a unit has to end within a time.
async fn fill(hub: &Hub) {
    let engine = hub.db().engine();
    for text in [filling::filling(engine), people::filling(engine)].concat() {
        hub.db().write(text, |tx, text| Box::pin(async move { tx.query(text.clone()).execute().await })).await.unwrap();
    }
}

#[both_engines]
async fn no_listed_statement_scans_a_table_that_grows(test: TestHub) {
    test.hub.traces().record(NewTrace::new("test", Surface::Hub)).await.unwrap();
    test.hub.traces().flush().await.unwrap();
    fill(&test.hub).await;
    let listed = svc_core::listed_queries();
    assert!(listed.len() >= 6);
    for (name, text) in listed {
        let plan = test.hub.db().read((name, text), |tx, listed| Box::pin(explain(tx, *listed))).await;
        let plan = plan.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let scans = match test.hub.db().engine() {
            Engine::Sqlite => plan.lines().any(|line| scans_a_table(&plan, line)),
            Engine::Postgres => plan.contains("Seq Scan"),
        };
        // Reading the first rows in the order of the primary key is not a scan to the end.
        let ordered_by_key = name == "events.oldest";
        assert!(!scans || ordered_by_key, "{name} reads a whole table:\n{plan}");
    }
}

/// Whether a step of SQLite's reads a table from end to end. What a subquery found is no table.
fn scans_a_table(plan: &str, line: &str) -> bool {
    let Some(scanned) = line.strip_prefix("SCAN ") else { return false };
    let name = scanned.split(' ').next().unwrap_or_default();
    let found =
        ["CO-ROUTINE", "MATERIALIZE"].iter().any(|step| plan.lines().any(|line| line == format!("{step} {name}")));
    !found && !line.contains("INDEX") && !line.contains("PRIMARY KEY") && !line.contains("CONSTANT ROW")
}

/// What stands for the placeholders of a statement, from `$1` on; a quoted number, which is taken for
/// whatever is wanted, where nothing is said.
fn values(name: &str, text: &str) -> &'static [&'static str] {
    // The viewer is not the admin socket: see `messages::viewer`.
    const VIEWER: &[&str] = &["FALSE", "20", "30", "''"];
    match name {
        "idempotency.find" => &["'s'", "'20'"],
        "audit.stats" => &["19990"],
        // Recent ones are asked for, and recent ones are few.
        name if name.starts_with("traces.list") => &["19990", "20001", "0", "40", "'5'", "'5'", "'5'"],
        name if name.starts_with("traces.page") => &["19990", "0", "20001", "40", "'5'", "'5'", "'5'"],
        name if name.starts_with("traces.stats") => &["19990", "20001", "'5'", "'5'", "'5'"],
        name if name.starts_with("traces.active") || name.starts_with("traces.errors") => &["19990", "'5'", "'5'"],
        name if name.starts_with("analytics.lately") => &["19990", "19990", "'5'"],
        name if name.starts_with("analytics.total") => &["'5'"],
        "analytics.oldest" | "analytics.sweep" => &["'hour'", "20"],
        name if name.starts_with("analytics.top") => &["'hour'", "19990", "5", "'5'"],
        name if name.starts_with("analytics.") => &["'hour'", "19990", "'5'"],
        "conversations.find_direct" => &["10", "20", "''"],
        "claims.take" => &["10", "20", "'t'", "40", "50", "'processing'"],
        "work.one" | "work.more" => &["10", "20", "'t'", "40", "50", "'processing'", "70"],
        "runs.list_by_status" => &["10", "20", "'failed'"],
        "runs.list_of_owner_by_status" | "runs.list_of_agent_by_status" => &["10", "20", "30", "'failed'"],
        "claims.overdue" => &["10", "0"],
        "queue.overdue" => &["10", "''", "30"],
        "queue.keys.pick" => &["'q10'", "20", "''"],
        "queue.ready" => &["'q10'", "''"],
        "queue.keys.heads" | "queue.keys.leased" | "queue.keys.standings" | "queue.keys.seen" => &["'q10'", "'k10'"],
        "queue.keys.free" => &["10", "'q10'", "'k10'", "40"],
        "queue.keys.reschedule" => &["'q10'", "20", "'k10'", "'ready'", "5", "60", "70", "80"],
        "queue.report" => &["10", "20", "'t'", "'done'", "50", "'f'"],
        "attempts.set_statuses" => &["10", "20", "'open'", "'timeout'", "500", "1"],
        "messages.visible_to_agents" => &["10", "20"],
        "queue.claim" => &["'q10'", "20", "'t'", "40", "50", "'leased'", "'k10'", "5"],
        "dead_letters.list" | "dead_letters.count" => &["10", "'all'", "0", "0", "20001"],
        name if name.starts_with("inbox.walk") => &["10", "10", "''", "0", "1", "FALSE"],
        name if name.starts_with("inbox.") => &["10", "10"],
        "narrow.by_status" => &["10", "20", "30", "'done'"],
        "reactions.by_state" | "reactions.count_by_state" => {
            &["FALSE", "20", "30", "''", "'proposed'", "''", "50", "0"]
        }
        "emoji.of_messages" => &["10", "10", "20", "30"],
        "machine_events.all" => &["19990", "20"],
        name if name.starts_with("machine_events.of") => &["19900", "20", "'5'", "'5'"],
        "trust.score" => &["10", "'publish'"],
        "tasks.list_in" | "tasks.list_mine" => &["FALSE", "20", "30", "''", "50", "60", "'open'"],
        "goals.list_in" => &["10", "20", "'stuck'"],
        "goals.list_of_owner_in" => &["10", "20", "30", "'stuck'"],
        "goals.waiting_tasks" => &["10", "'proposed'", "'human'", "40"],
        "wiki.slug" | "wiki.by_slug" => &["'page-10'"],
        "wiki.new_backlinks" => &["10", "'page-20'"],
        "wiki.sources" => &["'page-10'", "20", "30"],
        "wiki.wanted" => &["50"],
        name if name.starts_with("secret_requests.list") => &["10", "20", "''", "40"],
        "attachments.by_hash" | "attachments.upload_of" | "attachments.uploads" => &["'10'"],
        "attachments.idle" => &["19990", "19980", "'10'"],
        "attachments.idle_of" => &["10", "20", "'10'"],
        "attachments.seen" => &["FALSE", "20", "30", "''", "'10'"],
        _ if text.contains("$4 = ''") => VIEWER,
        _ => &[],
    }
}

async fn explain(tx: &mut Tx, (name, text): (&str, &str)) -> Result<String> {
    // Small numbers, so that a range is a small part of the table; the larger placeholders first, so
    // that $1 is not found in $10.
    let concrete = (1..=30_usize).rev().fold(text.to_owned(), |concrete, number| {
        let said = values(name, text).get(number - 1);
        let value = said.map_or_else(|| format!("'{}'", number * 10), ToString::to_string);
        concrete.replace(&format!("${number}"), &value)
    });
    let concrete = concrete.replace("IS NOT NULL) = '20'", "IS NOT NULL) = TRUE");
    match tx.engine() {
        Engine::Sqlite => {
            let steps: Vec<SqliteStep> = tx.query(format!("EXPLAIN QUERY PLAN {concrete}")).fetch_all().await?;
            Ok(steps.into_iter().map(|step| step.detail).collect::<Vec<_>>().join("\n"))
        }
        Engine::Postgres => {
            let lines: Vec<(String,)> = tx.query(format!("EXPLAIN {concrete}")).fetch_all().await?;
            Ok(lines.into_iter().map(|(line,)| line).collect::<Vec<_>>().join("\n"))
        }
    }
}

svc_core::row! {
    struct SqliteStep {
        id: i64,
        parent: i64,
        notused: i64,
        detail: String,
    }
}
