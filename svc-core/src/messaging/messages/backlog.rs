//! Numbers of pending and claimed direct messages.

use svc_macros::boxed_futures;
use svc_model::messages::Backlog;

use super::Messages;
use super::store::claims;
use crate::error::Result;
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// Counts pending and claimed messages, for the metrics of the server. Reveals no message.
    pub async fn backlog(&self) -> Result<Backlog> {
        self.db.read((), |tx, ()| Box::pin(count(tx))).await
    }
}

async fn count(tx: &mut Tx) -> Result<Backlog> {
    let pending = claims::count_pending(tx).await?;
    let processing = claims::count_processing(tx).await?;
    let counted = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(Backlog { pending: counted(pending), processing: counted(processing) })
}
