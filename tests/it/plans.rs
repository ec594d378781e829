//! Every listed statement is served by an index: nothing reads a table that grows from end to end.

use svc_core::db::{Engine, Tx};
use svc_core::{NewTrace, Result, Surface};

use crate::support::hub::TestHub;

/// Fills the tables that grow, so that the planner has something to choose from.
async fn fill(tx: &mut Tx) -> Result<()> {
    let numbers = match tx.engine() {
        Engine::Sqlite => {
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)"
        }
        Engine::Postgres => "WITH numbers (n) AS (SELECT generate_series(1, 20000))",
    };
    let json = if tx.engine() == Engine::Sqlite { "'{}'" } else { "CAST('{}' AS jsonb)" };
    let bytes = if tx.engine() == Engine::Sqlite { "x'00'" } else { "CAST('x' AS bytea)" };
    let hash = if tx.engine() == Engine::Sqlite { "CAST(n AS BLOB)" } else { "CAST(CAST(n AS TEXT) AS bytea)" };
    for text in [
        format!("{numbers} INSERT INTO events (kind, payload, created_at) SELECT 'test', {json}, n FROM numbers"),
        format!(
            "{numbers} INSERT INTO traces (owner_id, agent, action, surface, duration_ms, details, created_at)
             SELECT n % 50, 'a' || (n % 20), 'test', 'hub', 0, {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO idempotency_keys (scope, key, fingerprint, answer, created_at)
             SELECT 's', CAST(n AS TEXT), {bytes}, 'null', n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             SELECT 'agent', 'a' || n, 'a' || n, 'a', n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO sessions (user_id, token_hash, created_at, seen_at, expires_at)
             SELECT (SELECT min(id) FROM users), {hash}, n, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO invites (token_hash, role, created_at, expires_at)
             SELECT {hash}, 'user', n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO login_failures (subject, failures, last_at, blocked_until)
             SELECT {hash}, 1, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO api_keys
                (key_id, secret_hash, kind, owner_id, name, permissions, allowed_channels, created_at)
             SELECT CAST(n AS TEXT), {hash}, 'managed', (SELECT min(id) FROM users), 'k', {json}, {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO audit_log (event, surface, details, created_at)
             SELECT 'login_success', 'rest', {json}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             SELECT 'human', 'h' || n, 'h' || n, 'h', n FROM numbers"
        ),
        "INSERT INTO users (id, role, password_changed_at)
         SELECT id, 'user', created_at FROM participants WHERE handle_key LIKE 'h%' AND kind = 'human'"
            .into(),
        format!(
            "INSERT INTO agents
                (id, owner_id, trigger_mode, cooldown_seconds, daily_run_budget, max_trigger_depth, harness, agent_md,
                 pending_work, updated_at)
             SELECT id, (SELECT min(id) FROM users), 'passive', 0, 0, 0, {json}, '', FALSE, created_at
               FROM participants WHERE kind = 'agent'"
        ),
        format!(
            "{numbers} INSERT INTO oauth_clients
                (client_id, source, name, token_endpoint_auth_method, redirect_uris, grant_types, created_at)
             SELECT 'c' || n, 'registered', 'c', 'none', {json}, {json}, n FROM numbers"
        ),
        "INSERT INTO oauth_grants (client_id, user_id, agent_id, scope, created_at, expires_at)
         SELECT 'c' || a.updated_at, a.owner_id, a.id, 'mcp', a.updated_at, a.updated_at FROM agents a"
            .into(),
        format!(
            "{numbers} INSERT INTO oauth_tokens (token_hash, kind, grant_id, created_at, expires_at)
             SELECT {hash}, 'access', (SELECT min(id) FROM oauth_grants) + n - 1, n, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO oauth_codes
                (code_hash, client_id, user_id, agent_id, redirect_uri, code_challenge, scope, created_at, expires_at)
             SELECT {hash}, 'c' || n, (SELECT min(id) FROM users), (SELECT min(id) FROM agents), 'r', 'x', 'mcp', n, n
               FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO oauth_device_codes
                (device_code_hash, user_code, client_id, scope, status, interval_seconds, created_at, expires_at)
             SELECT {hash}, CAST(n AS TEXT), 'c' || n, 'mcp', 'pending', 5, n, n FROM numbers"
        ),
        "ANALYZE".into(),
    ] {
        tx.query(text).execute().await?;
    }
    Ok(())
}

on_both_engines! {
    async fn no_listed_statement_scans_a_table_that_grows(test: TestHub) {
        test.hub.traces().record(NewTrace::new("test", Surface::Hub)).await.unwrap();
        test.hub.traces().flush().await.unwrap();
        test.hub.db().write((), |tx, ()| Box::pin(fill(tx))).await.unwrap();
        let listed = svc_core::listed_queries();
        assert!(listed.len() >= 6);
        for (name, text) in listed {
            let plan = test.hub.db().read(text, |tx, text| Box::pin(explain(tx, text))).await.unwrap();
            let scans = match test.hub.db().engine() {
                Engine::Sqlite => plan.lines().any(|line| line.contains("SCAN") && !line.contains("INDEX") && !line.contains("PRIMARY KEY")),
                Engine::Postgres => plan.contains("Seq Scan"),
            };
            // Reading the first rows in the order of the primary key is not a scan to the end.
            let ordered_by_key = name == "events.oldest";
            assert!(!scans || ordered_by_key, "{name} reads a whole table:\n{plan}");
        }
    }
}

async fn explain(tx: &mut Tx, text: &str) -> Result<String> {
    // Small numbers, so that a range is a small part of the table.
    let concrete = text.replace("$1", "10").replace("$2", "20").replace("$3", "30").replace("$4", "40");
    let concrete = concrete.replace("scope = 10 AND key = 20", "scope = 's' AND key = '20'");
    // Recent ones are asked for, and recent ones are few.
    let concrete = concrete.replace("created_at >= 10", "created_at >= 19990");
    let concrete = concrete.replace("IS NOT NULL) = 20", "IS NOT NULL) = TRUE");
    let concrete = concrete.replace("_hash = 10", "_hash = '10'");
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
