//! The SQL of what waits for the decision of a human.

use svc_model::goals::{Approval, ApprovalKind, GoalTaskStatus, VerifierKind};

use crate::error::Result;
use crate::ids::{GoalId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

pub(super) const TASKS: &str = "
    SELECT t.goal_id, g.title AS goal, t.id, t.title, coalesce(w.handle, a.handle) AS by,
           CASE WHEN t.status = 'proposed' THEN t.description ELSE coalesce(t.result, '') END AS text,
           t.updated_at AS since
      FROM goal_tasks t
      JOIN goals g ON g.id = t.goal_id
      LEFT JOIN participants w ON w.id = t.claimant_id
      LEFT JOIN participants a ON a.id = t.assignee_id
     WHERE t.owner_id = $1 AND t.status = $2 AND t.status IN ('proposed', 'awaiting_verification')
       AND ($3 IS NULL OR t.verifier = $3)
     ORDER BY t.id
     LIMIT $4";
pub(super) const AGENTS: &str = "
    SELECT q.goal_id, g.title AS goal, q.number AS id, q.name AS title, p.handle AS by, q.purpose AS text,
           q.created_at AS since
      FROM goal_proposals q
      JOIN goals g ON g.id = q.goal_id
      JOIN participants p ON p.id = q.proposer_id
     WHERE q.owner_id = $1 AND q.status = 'proposed'
     ORDER BY q.created_at
     LIMIT $2";
/// Requests whose secret does not exist yet.
pub(super) const SECRETS: &str = "
    SELECT r.goal_id, g.title AS goal, r.id, r.name AS title, p.handle AS by, r.reason AS text, r.created_at AS since
      FROM secret_requests r
      JOIN participants p ON p.id = r.agent_id
      LEFT JOIN goals g ON g.id = r.goal_id
     WHERE r.owner_id = $1 AND r.status = 'requested'
       AND NOT EXISTS (SELECT 1 FROM secrets s
                        WHERE s.name = r.name AND s.participant_id IN (r.agent_id, r.owner_id))
     ORDER BY r.id
     LIMIT $2";

crate::row! {
    struct Waiting {
        goal_id: Option<GoalId>,
        goal: Option<String>,
        id: i64,
        title: String,
        by: Option<String>,
        text: String,
        since: Timestamp,
    }
}

fn shown(kind: ApprovalKind, rows: Vec<Waiting>) -> Vec<Approval> {
    let one = |row: Waiting| Approval {
        kind,
        goal_id: row.goal_id,
        goal: row.goal,
        id: row.id,
        title: row.title,
        by: row.by,
        text: row.text,
        since: row.since,
    };
    rows.into_iter().map(one).collect()
}

/// Items that wait for the decision of an owner, at most `limit` of each kind.
pub(crate) async fn waiting(tx: &mut Tx, owner: UserId, limit: u32) -> Result<Vec<Approval>> {
    let none: Option<VerifierKind> = None;
    let proposed = tx.query(TASKS).bind(owner).bind(GoalTaskStatus::Proposed).bind(none).bind(limit);
    let mut found = shown(ApprovalKind::Task, proposed.fetch_all().await?);
    let submitted = tx.query(TASKS).bind(owner).bind(GoalTaskStatus::AwaitingVerification);
    let submitted = submitted.bind(Some(VerifierKind::Human)).bind(limit);
    found.extend(shown(ApprovalKind::Verification, submitted.fetch_all().await?));
    found.extend(shown(ApprovalKind::Agent, tx.query(AGENTS).bind(owner).bind(limit).fetch_all().await?));
    found.extend(shown(ApprovalKind::Secret, tx.query(SECRETS).bind(owner).bind(limit).fetch_all().await?));
    found.sort_by_key(|approval| approval.since);
    Ok(found)
}
