//! Receipts: the delivery state of a message for each of its recipients.
//!
//! The receipt of a direct message is stored in its row. Receipts of a channel message are derived
//! from the read cursors of the members and from the direct messages that notified of a mention;
//! nothing is stored for them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::{MessageStatus, Receipt, ReceiptState, Receipts};
use svc_model::participants::ParticipantKind;

use super::service::Messages;
use super::store::{self, MessageRow};
use super::viewer::Viewer;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::store::db::{Query, Tx, placeholders};
use crate::text;
use crate::timestamp::Timestamp;

crate::row! {
    /// The delivery facts of a message for one recipient. In a channel, the status is that of the
    /// direct message that notified of a mention, if there is one.
    struct ReceiptRow {
        participant: String,
        kind: ParticipantKind,
        status: Option<MessageStatus>,
        offered_at: Option<Timestamp>,
        claimed_at: Option<Timestamp>,
        finished_at: Option<Timestamp>,
        failure: Option<String>,
        read_id: Option<MessageId>,
        read_at: Option<Timestamp>,
        offered_id: Option<MessageId>,
    }
}

const DIRECT: &str = "
    SELECT p.handle AS participant, p.kind, m.status, m.offered_at, m.claimed_at, m.finished_at, m.failure,
           rc.message_id AS read_id, rc.updated_at AS read_at, NULL AS offered_id
      FROM messages m
      JOIN participants p ON p.id = m.recipient_id
      LEFT JOIN read_cursors rc ON rc.participant_id = m.recipient_id AND rc.conversation_id = m.conversation_id
     WHERE m.id = $1";

/// SELECT of the recipients of a channel message: participants who were members when it was posted,
/// and those notified of a mention; without its author. `$1` to `$4` are the message, its channel,
/// its author and its time.
fn audience(handles: usize) -> String {
    let mentioned = if handles == 0 {
        String::new()
    } else {
        format!(
            "UNION
             SELECT x.recipient_id
               FROM participants q
               JOIN messages x ON x.recipient_id = q.id AND x.mention_channel_id = $2 AND x.mention_of = $1
              WHERE q.handle_key IN ({})",
            placeholders(5, handles)
        )
    };
    format!(
        "SELECT cm.participant_id
           FROM channel_members cm
          WHERE cm.channel_id = $2 AND cm.joined_at <= $4 AND cm.participant_id <> $3
         {mentioned}"
    )
}

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
    let row: Option<ReceiptRow> = tx.query(DIRECT).bind(message.id).fetch_optional().await?;
    let row = row.ok_or_else(|| Error::not_found("message"))?;
    let receipts = if page.offset() == 0 { vec![receipt(message, row)] } else { Vec::new() };
    Ok(Receipts { message_id: message.id, receipts, total: 1 })
}

async fn of_channel(tx: &mut Tx, message: &MessageRow, channel: ChannelId, page: Page) -> Result<Receipts> {
    let handles = if message.body.contains('@') { text::links(&message.body).mentions } else { Vec::new() };
    let audience = audience(handles.len());
    let total = format!("SELECT count(*) FROM ({audience}) a");
    let total = bind(tx.query(total), message, channel, &handles).fetch_value().await?;
    let (limit, offset) = (handles.len() + 5, handles.len() + 6);
    let text = format!(
        "SELECT p.handle AS participant, p.kind, x.status, x.offered_at, x.claimed_at, x.finished_at,
                CAST(NULL AS TEXT) AS failure, rc.message_id AS read_id, rc.updated_at AS read_at, rc.offered_id
           FROM ({audience}) a
           JOIN participants p ON p.id = a.participant_id
           LEFT JOIN conversations v ON v.channel_id = $2
           LEFT JOIN read_cursors rc ON rc.participant_id = p.id AND rc.conversation_id = v.id
           LEFT JOIN messages x ON x.recipient_id = p.id AND x.mention_channel_id = $2 AND x.mention_of = $1
          ORDER BY p.handle_key
          LIMIT ${limit} OFFSET ${offset}"
    );
    let query = bind(tx.query(text), message, channel, &handles).bind(page.limit()).bind(page.offset());
    let rows: Vec<ReceiptRow> = query.fetch_all().await?;
    let receipts = rows.into_iter().map(|row| receipt(message, row)).collect();
    Ok(Receipts { message_id: message.id, receipts, total })
}

fn bind<'t>(query: Query<'t>, message: &MessageRow, channel: ChannelId, handles: &[String]) -> Query<'t> {
    let query = query.bind(message.id).bind(channel).bind(message.sender_id).bind(message.created_at);
    handles.iter().fold(query, |query, handle| query.bind(handle.as_str()))
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

/// SQL statements over growing tables, by name, for the query-plan test.
pub(super) const LISTED: [(&str, &str); 1] = [("receipts.direct", DIRECT)];

#[cfg(test)]
mod tests {
    use super::*;

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
