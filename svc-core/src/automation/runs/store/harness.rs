//! The SQL of what went into runs and what came out: prompts, responses, logs.

use svc_model::harness::Usage;
use svc_model::runs::HarnessRun;

use crate::error::Result;
use crate::ids::RunId;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

pub(super) const SWEEP_LOGS: &str = "
    DELETE FROM run_logs
     WHERE run_id IN (SELECT run_id FROM run_logs WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

/// Stores what goes into a run.
pub(in crate::automation::runs) async fn insert_harness_run(
    tx: &mut Tx,
    run: RunId,
    backend: &str,
    prompt: &str,
    is_cut: bool,
) -> Result<()> {
    tx.query(
        "INSERT INTO harness_runs (reactive_run_id, backend, prompt, prompt_truncated, response_truncated, cost_imputed)
         VALUES ($1, $2, $3, $4, FALSE, FALSE)
         ON CONFLICT (reactive_run_id) DO NOTHING",
    )
    .bind(run)
    .bind(backend)
    .bind(prompt)
    .bind(is_cut)
    .execute()
    .await?;
    Ok(())
}

/// What came out of a run.
#[derive(Debug, Clone, Default)]
pub(in crate::automation::runs) struct Output {
    pub(in crate::automation::runs) response: Option<String>,
    pub(in crate::automation::runs) is_cut: bool,
    pub(in crate::automation::runs) session_id: Option<String>,
    pub(in crate::automation::runs) usage: Usage,
    pub(in crate::automation::runs) exit_code: Option<i64>,
    pub(in crate::automation::runs) trace_id: Option<String>,
    pub(in crate::automation::runs) logs_excerpt: Option<String>,
    pub(in crate::automation::runs) error_log: Option<String>,
}

/// Stores what came out of a run.
pub(in crate::automation::runs) async fn set_output(tx: &mut Tx, run: RunId, output: &Output) -> Result<()> {
    let usage = output.usage;
    // Nothing reported is not the same as nothing used.
    let is_told = usage.tokens() > 0 || usage.cost_micros.is_some();
    tx.query(
        "UPDATE harness_runs
            SET response = $2, response_truncated = $3, session_id = $4, tokens_in = $5, tokens_out = $6,
                tokens_cached = $7, cost_micros = $8, cost_imputed = $9, exit_code = $10, trace_id = $11,
                logs_excerpt = $12, error_log = $13
          WHERE reactive_run_id = $1",
    )
    .bind(run)
    .bind(output.response.as_deref())
    .bind(output.is_cut)
    .bind(output.session_id.as_deref())
    .bind(is_told.then_some(usage.tokens_in))
    .bind(is_told.then_some(usage.tokens_out))
    .bind(is_told.then_some(usage.tokens_cached))
    .bind(usage.cost_micros)
    .bind(usage.is_imputed)
    .bind(output.exit_code)
    .bind(output.trace_id.as_deref())
    .bind(output.logs_excerpt.as_deref())
    .bind(output.error_log.as_deref())
    .execute()
    .await?;
    Ok(())
}

pub(in crate::automation::runs) async fn harness_run(tx: &mut Tx, run: RunId) -> Result<Option<HarnessRun>> {
    tx.query(
        "SELECT reactive_run_id, backend, prompt, prompt_truncated, response, response_truncated, session_id, tokens_in,
                tokens_out, tokens_cached, CAST(cost_micros AS DOUBLE PRECISION) / 1000000.0 AS cost_usd, cost_imputed,
                exit_code, trace_id, logs_excerpt, error_log
           FROM harness_runs
          WHERE reactive_run_id = $1",
    )
    .bind(run)
    .fetch_optional()
    .await
}

/// Stores the log of a run, instead of what was stored of it before.
pub(in crate::automation::runs) async fn put_log(tx: &mut Tx, run: RunId, text: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO run_logs (run_id, text, created_at, updated_at) VALUES ($1, $2, $3, $3)
         ON CONFLICT (run_id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at",
    )
    .bind(run)
    .bind(text)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The stored log of a run.
pub(in crate::automation::runs) async fn log(tx: &mut Tx, run: RunId) -> Result<Option<String>> {
    let found: Option<(String,)> =
        tx.query("SELECT text FROM run_logs WHERE run_id = $1").bind(run).fetch_optional().await?;
    Ok(found.map(|(text,)| text))
}

/// Whether there is a log from before a time.
pub(in crate::automation::runs) async fn is_any_log_before(tx: &mut Tx, before: Timestamp) -> Result<bool> {
    let query = tx.query("SELECT run_id FROM run_logs WHERE created_at < $1 LIMIT 1").bind(before);
    let found: Option<(RunId,)> = query.fetch_optional().await?;
    Ok(found.is_some())
}

/// Removes old logs. Returns their number.
pub(in crate::automation::runs) async fn sweep_logs(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP_LOGS).bind(before).bind(limit).execute().await
}
