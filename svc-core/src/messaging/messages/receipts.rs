//! Receipts: the delivery state of a message for each of its recipients.
//!
//! The receipt of a direct message is stored in its row. Receipts of a channel message are derived
//! from the read cursors of the members and from the direct messages that notified of a mention;
//! nothing is stored for them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{MessageStatus, Receipt, ReceiptState, Receipts};

use super::service::Messages;
use super::store::receipts::{self, ReceiptRow};
use super::store::{self, MessageRow};
use super::viewer::Viewer;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// The delivery state of a message, visible to the caller, for each of its recipients.
    pub async fn receipts(&self, caller: &Caller, id: MessageId, page: Page) -> Result<Receipts> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), id, page), |tx, (viewer, id, page)| {
                Box::pin(async move {
                    let message = store::visible(tx, viewer, *id).await?;
                    match message.channel_id {
                        None => of_direct(tx, &message, *page).await,
                        Some(channel) => of_channel(tx, &message, channel, *page).await,
                    }
                })
            })
            .await
    }
}

async fn of_direct(tx: &mut Tx, message: &MessageRow, page: Page) -> Result<Receipts> {
    let row = receipts::of_direct(tx, message.id).await?.ok_or_else(|| Error::not_found("message"))?;
    let receipts = if page.offset() == 0 { vec![receipt(message, row)] } else { Vec::new() };
    Ok(Receipts { message_id: message.id, receipts, total: 1 })
}

async fn of_channel(tx: &mut Tx, message: &MessageRow, channel: ChannelId, page: Page) -> Result<Receipts> {
    let total = receipts::count_of_channel(tx, message, channel).await?;
    let rows = receipts::of_channel(tx, message, channel, page).await?;
    let receipts = rows.into_iter().map(|row| receipt(message, row)).collect();
    Ok(Receipts { message_id: message.id, receipts, total })
}

fn receipt(message: &MessageRow, row: ReceiptRow) -> Receipt {
    let state = state(message.id, &row);
    // The time of a cursor is that of its last move, so it says nothing about earlier messages.
    let read_at = row.read_at.filter(|_| row.read_id == Some(message.id));
    Receipt {
        participant: row.participant,
        kind: row.kind,
        state,
        stored_at: message.created_at,
        offered_at: row.offered_at,
        read_at,
        claimed_at: row.claimed_at,
        finished_at: row.finished_at,
        reason: row.failure,
    }
}

fn state(id: MessageId, row: &ReceiptRow) -> ReceiptState {
    let reached = |cursor: Option<MessageId>| cursor.is_some_and(|reached| reached >= id);
    match row.status {
        Some(MessageStatus::Processing) => ReceiptState::Claimed,
        Some(MessageStatus::Done) => ReceiptState::Done,
        Some(MessageStatus::Failed) => ReceiptState::Failed,
        _ if reached(row.read_id) => ReceiptState::Read,
        _ if row.offered_at.is_some() || reached(row.offered_id) => ReceiptState::Offered,
        _ => ReceiptState::Stored,
    }
}

#[cfg(test)]
mod tests {
    use svc_model::participants::ParticipantKind;

    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn the_most_advanced_state_wins() {
        let at = Timestamp::from_micros(7);
        let row = |status, offered_at, read: i64, offered: i64| ReceiptRow {
            participant: "ann".into(),
            kind: ParticipantKind::Human,
            status,
            offered_at,
            claimed_at: None,
            finished_at: None,
            failure: None,
            read_id: Some(MessageId(read)),
            read_at: Some(at),
            offered_id: Some(MessageId(offered)),
        };
        for (row, expected) in [
            (row(None, None, 0, 0), ReceiptState::Stored),
            (row(None, None, 4, 5), ReceiptState::Offered),
            (row(Some(MessageStatus::Pending), Some(at), 4, 0), ReceiptState::Offered),
            (row(Some(MessageStatus::Pending), Some(at), 5, 0), ReceiptState::Read),
            (row(None, None, 9, 9), ReceiptState::Read),
            (row(Some(MessageStatus::Processing), Some(at), 9, 9), ReceiptState::Claimed),
            (row(Some(MessageStatus::Done), None, 0, 0), ReceiptState::Done),
            (row(Some(MessageStatus::Failed), None, 0, 0), ReceiptState::Failed),
        ] {
            assert_eq!(state(MessageId(5), &row), expected);
        }
    }
}
