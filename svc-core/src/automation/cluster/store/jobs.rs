//! The SQL of runs that are Jobs of a cluster, as they are listed.

use svc_model::cluster::ClusterRun;

use super::handlers::Scope;
use crate::error::Result;
use crate::ids::{HandlerId, RunId};
use crate::store::db::Tx;

/// The columns of [`ClusterRun`] and what follows.
macro_rules! select_jobs {
    ($rest:literal) => {
        concat!(
            "SELECT j.run_id AS id, p.handle AS agent, j.handler_id, j.event, j.event_seq AS event_sequence, r.status,
                    r.error, x.error_log AS error_detail, x.exit_code, j.image, j.namespace, j.name AS job,
                    r.trigger_message_id, r.retry_of, r.created_at, r.started_at, r.ended_at
               FROM cluster_jobs j
               JOIN reactive_runs r ON r.id = j.run_id
               JOIN participants p ON p.id = j.agent_id
               LEFT JOIN harness_runs x ON x.reactive_run_id = j.run_id ",
            $rest
        )
    };
}

pub(super) const LIST: &str = select_jobs!("WHERE j.run_id < $1 ORDER BY j.run_id DESC LIMIT $2");
pub(super) const LIST_OF_OWNER: &str =
    select_jobs!("WHERE j.run_id < $1 AND j.owner_id = $3 ORDER BY j.run_id DESC LIMIT $2");
pub(super) const LIST_OF_AGENT: &str =
    select_jobs!("WHERE j.run_id < $1 AND j.agent_id = $3 ORDER BY j.run_id DESC LIMIT $2");
pub(super) const LIST_OF_HANDLER: &str =
    select_jobs!("WHERE j.run_id < $1 AND j.handler_id = $3 ORDER BY j.run_id DESC LIMIT $2");
pub(super) const FIND: &str =
    select_jobs!("WHERE j.run_id = $1 AND ($2 IS NULL OR j.owner_id = $2) AND ($3 IS NULL OR j.agent_id = $3)");

/// The next runs of a handler, or of everything in a scope, before one of them. The handler must be in the scope.
pub(crate) async fn list_jobs(
    tx: &mut Tx,
    scope: &Scope,
    handler: Option<HandlerId>,
    before: RunId,
    limit: u32,
) -> Result<Vec<ClusterRun>> {
    match (handler, scope.agent, scope.owner) {
        (Some(handler), _, _) => tx.query(LIST_OF_HANDLER).bind(before).bind(limit).bind(handler).fetch_all().await,
        (None, Some(agent), _) => tx.query(LIST_OF_AGENT).bind(before).bind(limit).bind(agent).fetch_all().await,
        (None, None, Some(owner)) => tx.query(LIST_OF_OWNER).bind(before).bind(limit).bind(owner).fetch_all().await,
        (None, None, None) => tx.query(LIST).bind(before).bind(limit).fetch_all().await,
    }
}

pub(crate) async fn find_job(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<Option<ClusterRun>> {
    tx.query(FIND).bind(id).bind(scope.owner).bind(scope.agent).fetch_optional().await
}
