//! Recording which messages were handed out to a participant. Listing never consumes messages: it
//! only leaves this record.

use super::store::{MessageRow, offers};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::store::db::{Db, Tx};

/// Messages that a list returned to the caller for the first time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Offer {
    participant: Option<ParticipantId>,
    direct: Vec<MessageId>,
    channel: Option<(ConversationId, MessageId)>,
}

impl Offer {
    /// The direct messages among these rows that are addressed to the caller itself. An owner who
    /// reads the messages of their agent does not count as the agent.
    pub(crate) fn of(caller: &Caller, rows: &[MessageRow]) -> Self {
        let participant = caller.participant();
        let new =
            |row: &&MessageRow| participant.is_some() && row.recipient_id == participant && row.offered_at.is_none();
        Self { participant, direct: rows.iter().filter(new).map(|row| row.id).collect(), channel: None }
    }

    /// The messages of a channel up to `newest`, if the caller had been handed fewer before.
    pub(crate) fn through(caller: &Caller, conversation: ConversationId, newest: MessageId) -> Self {
        Self { participant: caller.participant(), direct: Vec::new(), channel: Some((conversation, newest)) }
    }

    /// Direct messages that were handed to their recipient one by one.
    pub(crate) fn direct(to: ParticipantId, direct: Vec<MessageId>) -> Self {
        Self { participant: Some(to), direct, channel: None }
    }

    /// Stores the record, unless it is empty.
    pub(crate) async fn store(self, db: &Db) -> Result<()> {
        if self.direct.is_empty() && self.channel.is_none() {
            return Ok(());
        }
        db.note(self, |tx, offer| Box::pin(write(tx, offer))).await.map(drop)
    }
}

async fn write(tx: &mut Tx, offer: &Offer) -> Result<()> {
    let Some(participant) = offer.participant else { return Ok(()) };
    if !offer.direct.is_empty() {
        offers::direct(tx, participant, &offer.direct).await?;
    }
    if let Some((conversation, newest)) = offer.channel {
        offers::channel(tx, participant, conversation, newest).await?;
    }
    Ok(())
}
