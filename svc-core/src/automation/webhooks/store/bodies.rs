//! The SQL of the texts that deliveries send.

use crate::error::Result;
use crate::ids::{AgentId, DeliveryId, EventSeq, MessageId};
use crate::store::db::{Tx, placeholders};

pub(super) const BODY: &str = "SELECT id FROM webhook_bodies WHERE event_seq = $1 AND agent_id = $2";

/// The text of an event for an agent, if it is stored.
pub(crate) async fn body(tx: &mut Tx, seq: EventSeq, agent: AgentId) -> Result<Option<i64>> {
    let found = tx.query(BODY).bind(seq).bind(agent).fetch_optional::<(i64,)>();
    Ok(found.await?.map(|(id,)| id))
}

/// Stores the text of an event for an agent. A text that is stored already stays, because every attempt sends the
/// same bytes.
pub(crate) async fn insert_body(
    tx: &mut Tx,
    seq: EventSeq,
    agent: AgentId,
    message: MessageId,
    text: &str,
) -> Result<i64> {
    let inserted = tx
        .query(
            "INSERT INTO webhook_bodies (event_seq, agent_id, message_id, text) VALUES ($1, $2, $3, $4)
             ON CONFLICT (event_seq, agent_id) DO UPDATE SET message_id = excluded.message_id
             RETURNING id",
        )
        .bind(seq)
        .bind(agent)
        .bind(message)
        .bind(text);
    inserted.fetch_value().await
}

/// Gives a delivery a text again.
pub(crate) async fn set_body(tx: &mut Tx, id: DeliveryId, body: i64) -> Result<()> {
    tx.query("UPDATE webhook_deliveries SET body_id = $2 WHERE id = $1").bind(id).bind(body).execute().await?;
    Ok(())
}

/// Removes the text of a delivery that its agent may no longer see, for all webhooks of the agent.
pub(crate) async fn remove_body(tx: &mut Tx, id: DeliveryId) -> Result<()> {
    tx.query("DELETE FROM webhook_bodies WHERE id = (SELECT body_id FROM webhook_deliveries WHERE id = $1)")
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Removes texts that no delivery needs any more.
pub(super) async fn remove_unused(tx: &mut Tx, removed: Vec<(Option<i64>,)>) -> Result<u64> {
    let count = removed.len() as u64;
    let mut bodies: Vec<i64> = removed.into_iter().filter_map(|(body,)| body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    if !bodies.is_empty() {
        let text = format!(
            "DELETE FROM webhook_bodies
              WHERE id IN ({})
                AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.body_id = webhook_bodies.id)",
            placeholders(1, bodies.len())
        );
        bodies.iter().fold(tx.query(text), |query, body| query.bind(*body)).execute().await?;
    }
    Ok(count)
}
