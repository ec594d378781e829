//! Numbers of pending and claimed direct messages.

use svc_macros::boxed_futures;
use svc_model::messages::Backlog;

use super::Messages;
use crate::error::Result;
use crate::store::db::Tx;

/// Each count uses an index over just these rows.
const PENDING: &str = "SELECT count(*) FROM messages WHERE recipient_id IS NOT NULL AND status = 'pending'";

const PROCESSING: &str = "SELECT count(*) FROM messages WHERE status = 'processing'";

#[boxed_futures]
impl Messages {
    /// Counts pending and claimed messages, for the metrics of the server. Reveals no message.
    pub async fn backlog(&self) -> Result<Backlog> {
        self.db.read((), |tx, ()| Box::pin(count(tx))).await
    }
}

async fn count(tx: &mut Tx) -> Result<Backlog> {
    let pending: i64 = tx.query(PENDING).fetch_value().await?;
    let processing: i64 = tx.query(PROCESSING).fetch_value().await?;
    let counted = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(Backlog { pending: counted(pending), processing: counted(processing) })
}
