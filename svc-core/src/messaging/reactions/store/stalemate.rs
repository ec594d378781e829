//! The SQL of stalled messages.

use serde::Serialize;
use svc_model::reactions::WorkflowState;

use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The step that is taken for a stalled message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::messaging::reactions) enum Step {
    Reminder,
    Escalation,
}

/// A message for which a step is due.
#[derive(Debug, Clone)]
pub(in crate::messaging::reactions) struct Due {
    pub(in crate::messaging::reactions) step: Step,
    pub(in crate::messaging::reactions) id: MessageId,
    pub(in crate::messaging::reactions) state: WorkflowState,
    pub(in crate::messaging::reactions) changed_at: Timestamp,
}

crate::row! {
    struct DueRow {
        id: MessageId,
        workflow_state: WorkflowState,
        workflow_changed_at: Timestamp,
    }
}

// Each statement uses an index over unhandled messages only.
pub(super) const DUE_REMINDERS: &str = "
    SELECT m.id, m.workflow_state, m.workflow_changed_at
      FROM channels c
      JOIN messages m ON m.channel_id = c.id
     WHERE c.workflow_enabled AND c.archived_at IS NULL AND c.stalemate_remind_after > 0
       AND m.workflow_state IN ('proposed', 'approved', 'in_progress') AND m.reminded_at IS NULL
       AND m.workflow_changed_at <= $1 - c.stalemate_remind_after * 1000000
     LIMIT $2";

pub(super) const DUE_ESCALATIONS: &str = "
    SELECT m.id, m.workflow_state, m.workflow_changed_at
      FROM channels c
      JOIN messages m ON m.channel_id = c.id
     WHERE c.workflow_enabled AND c.archived_at IS NULL AND c.stalemate_escalate_after > 0
       AND m.workflow_state IN ('proposed', 'approved', 'in_progress') AND m.escalated_at IS NULL
       AND m.workflow_changed_at <= $1 - c.stalemate_escalate_after * 1000000
     LIMIT $2";

/// The steps that are due, ordered by message, so that concurrent workers lock messages in the same
/// order.
pub(in crate::messaging::reactions) async fn due(tx: &mut Tx, batch: u32) -> Result<Vec<Due>> {
    let now = tx.now();
    let mut all = Vec::new();
    for (step, text) in [(Step::Reminder, DUE_REMINDERS), (Step::Escalation, DUE_ESCALATIONS)] {
        let rows: Vec<DueRow> = tx.query(text).bind(now).bind(batch).fetch_all().await?;
        all.extend(rows.into_iter().map(|row| Due {
            step,
            id: row.id,
            state: row.workflow_state,
            changed_at: row.workflow_changed_at,
        }));
    }
    all.sort_by_key(|due| (due.id, due.step));
    Ok(all)
}

/// Marks a step as taken. Returns whether it was still due.
pub(in crate::messaging::reactions) async fn mark(tx: &mut Tx, due: &Due) -> Result<bool> {
    let now = tx.now();
    let text = match due.step {
        Step::Reminder => {
            "UPDATE messages SET reminded_at = $2
              WHERE id = $1 AND workflow_state = $3 AND workflow_changed_at = $4 AND reminded_at IS NULL"
        }
        Step::Escalation => {
            "UPDATE messages SET escalated_at = $2, updated_at = $2
              WHERE id = $1 AND workflow_state = $3 AND workflow_changed_at = $4 AND escalated_at IS NULL"
        }
    };
    let query = tx.query(text).bind(due.id).bind(now).bind(due.state).bind(due.changed_at);
    Ok(query.execute().await? == 1)
}

/// The participant with the `in_progress` reaction, if not deleted and still allowed to see the
/// message.
pub(in crate::messaging::reactions) async fn claimant(tx: &mut Tx, id: MessageId) -> Result<Option<ParticipantId>> {
    let found: Option<(ParticipantId,)> = tx
        .query(
            "SELECT r.participant_id
               FROM reactions r
               JOIN participants p ON p.id = r.participant_id
               JOIN messages m ON m.id = r.message_id
               JOIN channels c ON c.id = m.channel_id
              WHERE r.message_id = $1 AND r.reaction = 'in_progress' AND p.deleted_at IS NULL
                AND (c.public
                     OR EXISTS (SELECT 1 FROM channel_members cm
                                 WHERE cm.channel_id = c.id AND cm.participant_id = p.id)
                     OR EXISTS (SELECT 1 FROM channel_members cm
                                  JOIN agents a ON a.id = cm.participant_id
                                 WHERE cm.channel_id = c.id AND a.owner_id = p.id))",
        )
        .bind(id)
        .fetch_optional()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The owner of a channel, or the human of a deleted agent.
pub(in crate::messaging::reactions) async fn reachable(tx: &mut Tx, owner: ParticipantId) -> Result<ParticipantId> {
    tx.query(
        "SELECT CASE WHEN p.deleted_at IS NULL THEN p.id ELSE coalesce(a.owner_id, p.id) END
           FROM participants p
           LEFT JOIN agents a ON a.id = p.id
          WHERE p.id = $1",
    )
    .bind(owner)
    .fetch_value()
    .await
}
