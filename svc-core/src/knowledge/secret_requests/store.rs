//! The SQL of requests for secrets.

use svc_model::secret_requests::{NewSecretRequest, SecretRequest, SecretRequestFilter, SecretRequestStatus};

use crate::error::Result;
use crate::ids::{AgentId, GoalId, SecretRequestId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A request, with whether its secret exists.
    #[derive(Debug, Clone)]
    pub(super) struct RequestRow {
        pub(super) id: SecretRequestId,
        pub(super) agent_id: AgentId,
        pub(super) agent: String,
        pub(super) name: String,
        pub(super) reason: String,
        pub(super) goal_id: Option<GoalId>,
        pub(super) status: SecretRequestStatus,
        pub(super) rejection: Option<String>,
        pub(super) created_at: Timestamp,
        pub(super) decided_at: Option<Timestamp>,
    }
}

impl RequestRow {
    pub(super) fn shown(self) -> SecretRequest {
        SecretRequest {
            id: self.id,
            agent: self.agent,
            name: self.name,
            reason: self.reason,
            goal_id: self.goal_id,
            status: self.status,
            rejection: self.rejection,
            created_at: self.created_at,
            decided_at: self.decided_at,
        }
    }
}

/// The requests and the names of secrets that a caller can access.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    pub(super) owner: Option<UserId>,
    pub(super) agent: Option<AgentId>,
}

/// The status of a request `r`: one that is open and whose secret exists is provided.
macro_rules! status {
    () => {
        "CASE WHEN r.status = 'requested'
               AND EXISTS (SELECT 1 FROM secrets s
                            WHERE s.name = r.name AND s.participant_id IN (r.agent_id, r.owner_id))
              THEN 'provided' ELSE r.status END"
    };
}

macro_rules! select_requests {
    ($($rest:expr),+) => {
        concat!(
            "SELECT r.id, r.agent_id, p.handle AS agent, r.name, r.reason, r.goal_id, ",
            status!(),
            " AS status, r.rejection, r.created_at, r.decided_at
               FROM secret_requests r
               JOIN participants p ON p.id = r.agent_id ",
            $($rest),+
        )
    };
}

const FIND: &str =
    select_requests!("WHERE r.id = $1 AND ($2 IS NULL OR r.owner_id = $2) AND ($3 IS NULL OR r.agent_id = $3)");
const LIST: &str =
    select_requests!("WHERE r.id < $1 AND ($3 = '' OR $3 = ", status!(), ") ORDER BY r.id DESC LIMIT $2");
const LIST_OF_OWNER: &str = select_requests!(
    "WHERE r.owner_id = $4 AND r.id < $1 AND ($3 = '' OR $3 = ",
    status!(),
    ") ORDER BY r.id DESC LIMIT $2"
);
const LIST_OF_AGENT: &str = select_requests!(
    "WHERE r.agent_id = $4 AND r.id < $1 AND ($3 = '' OR $3 = ",
    status!(),
    ") ORDER BY r.id DESC LIMIT $2"
);
const OPEN: &str = "SELECT id FROM secret_requests WHERE agent_id = $1 AND name = $2 AND status = 'requested'";
const NAMES: &str = "
    SELECT DISTINCT s.name
      FROM secrets s
      JOIN agents a ON a.id = $1
     WHERE s.participant_id IN (a.id, a.owner_id)
     ORDER BY s.name";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("secret_requests.find", FIND),
    ("secret_requests.list", LIST),
    ("secret_requests.list_of_owner", LIST_OF_OWNER),
    ("secret_requests.list_of_agent", LIST_OF_AGENT),
    ("secret_requests.open", OPEN),
];

pub(super) async fn find(tx: &mut Tx, scope: &Scope, id: SecretRequestId) -> Result<Option<RequestRow>> {
    tx.query(FIND).bind(id).bind(scope.owner).bind(scope.agent).fetch_optional().await
}

/// Requests before one of them, newest first.
pub(super) async fn list(
    tx: &mut Tx,
    scope: &Scope,
    filter: &SecretRequestFilter,
    limit: u32,
) -> Result<Vec<RequestRow>> {
    let before = filter.before.unwrap_or(SecretRequestId(i64::MAX));
    let status = filter.status.map_or("", SecretRequestStatus::as_str);
    match (scope.agent, scope.owner) {
        (Some(agent), _) => tx.query(LIST_OF_AGENT).bind(before).bind(limit).bind(status).bind(agent).fetch_all().await,
        (None, Some(owner)) => {
            tx.query(LIST_OF_OWNER).bind(before).bind(limit).bind(status).bind(owner).fetch_all().await
        }
        (None, None) => tx.query(LIST).bind(before).bind(limit).bind(status).fetch_all().await,
    }
}

/// The open request of an agent for a name.
pub(super) async fn open(tx: &mut Tx, agent: AgentId, name: &str) -> Result<Option<SecretRequestId>> {
    let found: Option<(SecretRequestId,)> = tx.query(OPEN).bind(agent).bind(name).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

pub(super) async fn count_open(tx: &mut Tx, agent: AgentId) -> Result<i64> {
    tx.query("SELECT count(*) FROM secret_requests WHERE agent_id = $1 AND status = 'requested'")
        .bind(agent)
        .fetch_value()
        .await
}

pub(super) async fn insert(
    tx: &mut Tx,
    agent: AgentId,
    owner: UserId,
    new: &NewSecretRequest,
) -> Result<SecretRequestId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO secret_requests (agent_id, owner_id, name, reason, goal_id, status, created_at)
         VALUES ($1, $2, $3, $4, $5, 'requested', $6)",
    )
    .bind(agent)
    .bind(owner)
    .bind(new.name.as_str())
    .bind(new.reason.as_str())
    .bind(new.goal_id)
    .bind(now)
    .insert("id")
    .await
}

/// Records the decision on a request.
pub(super) async fn decide(
    tx: &mut Tx,
    id: SecretRequestId,
    status: SecretRequestStatus,
    rejection: Option<&str>,
) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE secret_requests SET status = $2, rejection = $3, decided_at = $4 WHERE id = $1")
        .bind(id)
        .bind(status)
        .bind(rejection)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// The names of the secrets that runs of an agent receive.
pub(super) async fn names(tx: &mut Tx, agent: AgentId) -> Result<Vec<String>> {
    let found: Vec<(String,)> = tx.query(NAMES).bind(agent).fetch_all().await?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// Removes the requests of an agent that is being deleted.
pub(crate) async fn remove_all_of(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    tx.query("DELETE FROM secret_requests WHERE agent_id = $1").bind(agent).execute().await
}
