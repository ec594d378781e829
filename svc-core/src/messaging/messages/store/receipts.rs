//! The SQL of receipts.

use svc_model::messages::MessageStatus;
use svc_model::participants::ParticipantKind;

use super::MessageRow;
use crate::error::Result;
use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::store::db::{Query, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// The delivery facts of a message for one recipient. In a channel, the status is that of the
    /// direct message that notified of a mention, if there is one.
    pub(in crate::messaging::messages) struct ReceiptRow {
        pub(in crate::messaging::messages) participant: String,
        pub(in crate::messaging::messages) kind: ParticipantKind,
        pub(in crate::messaging::messages) status: Option<MessageStatus>,
        pub(in crate::messaging::messages) offered_at: Option<Timestamp>,
        pub(in crate::messaging::messages) claimed_at: Option<Timestamp>,
        pub(in crate::messaging::messages) finished_at: Option<Timestamp>,
        pub(in crate::messaging::messages) failure: Option<String>,
        pub(in crate::messaging::messages) read_id: Option<MessageId>,
        pub(in crate::messaging::messages) read_at: Option<Timestamp>,
        pub(in crate::messaging::messages) offered_id: Option<MessageId>,
    }
}

const DIRECT: &str = "
    SELECT p.handle AS participant, p.kind, m.status, m.offered_at, m.claimed_at, m.finished_at, m.failure,
           rc.message_id AS read_id, rc.updated_at AS read_at, NULL AS offered_id
      FROM messages m
      JOIN participants p ON p.id = m.recipient_id
      LEFT JOIN read_cursors rc ON rc.participant_id = m.recipient_id AND rc.conversation_id = m.conversation_id
     WHERE m.id = $1";

pub(super) const LISTED: &[(&str, &str)] = &[("receipts.direct", DIRECT)];

/// The delivery of a direct message to its recipient.
pub(in crate::messaging::messages) async fn of_direct(tx: &mut Tx, id: MessageId) -> Result<Option<ReceiptRow>> {
    tx.query(DIRECT).bind(id).fetch_optional().await
}

/// SELECT of the recipients of a channel message: participants who were members when it was posted,
/// and those notified of a mention; without its author. `$1` to `$4` are the message, its channel,
/// its author and its time. The copies tell who was notified, because the text may have been edited.
macro_rules! audience {
    () => {
        "SELECT cm.participant_id
           FROM channel_members cm
          WHERE cm.channel_id = $2 AND cm.joined_at <= $4 AND cm.participant_id <> $3
          UNION
         SELECT n.recipient_id
           FROM messages n
          WHERE n.mention_of = $1 AND n.mention_of IS NOT NULL AND n.mention_channel_id = $2"
    };
}

const OF_CHANNEL: &str = concat!(
    "SELECT p.handle AS participant, p.kind, x.status, x.offered_at, x.claimed_at, x.finished_at,
            CAST(NULL AS TEXT) AS failure, rc.message_id AS read_id, rc.updated_at AS read_at, rc.offered_id
       FROM (",
    audience!(),
    ") a
       JOIN participants p ON p.id = a.participant_id
       LEFT JOIN conversations v ON v.channel_id = $2
       LEFT JOIN read_cursors rc ON rc.participant_id = p.id AND rc.conversation_id = v.id
       LEFT JOIN messages x ON x.recipient_id = p.id AND x.mention_channel_id = $2 AND x.mention_of = $1
      ORDER BY p.handle_key
      LIMIT $5 OFFSET $6"
);

const COUNT_OF_CHANNEL: &str = concat!("SELECT count(*) FROM (", audience!(), ") a");

/// The delivery of a channel message to its recipients.
pub(in crate::messaging::messages) async fn of_channel(
    tx: &mut Tx,
    message: &MessageRow,
    channel: ChannelId,
    page: Page,
) -> Result<Vec<ReceiptRow>> {
    let query = bind(tx.query(OF_CHANNEL), message, channel).bind(page.limit()).bind(page.offset());
    query.fetch_all().await
}

/// The number of recipients of a channel message; see [`of_channel`].
pub(in crate::messaging::messages) async fn count_of_channel(
    tx: &mut Tx,
    message: &MessageRow,
    channel: ChannelId,
) -> Result<i64> {
    bind(tx.query(COUNT_OF_CHANNEL), message, channel).fetch_value().await
}

fn bind<'t>(query: Query<'t>, message: &MessageRow, channel: ChannelId) -> Query<'t> {
    query.bind(message.id).bind(channel).bind(message.sender_id).bind(message.created_at)
}
