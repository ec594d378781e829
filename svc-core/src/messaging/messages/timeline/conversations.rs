//! The conversations of the caller by their latest message, and one conversation with its messages.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{
    Conversation, ConversationKind, ConversationPage, ConversationView, LastMessage, Timeline, Window,
};

use super::store;
use super::store::conversations::{self, ConversationRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId};
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::store::complete_seen;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::{Messages, preview};
use crate::page::{Page, checked_limit};
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// The conversations of the caller, for a human also those of their agents, latest first.
    pub async fn conversations(&self, caller: &Caller, page: Page) -> Result<ConversationPage> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), page), |tx, (viewer, page)| {
                Box::pin(async move {
                    let rows = conversations::list(tx, viewer, *page).await?;
                    let conversations = show(rows, tx).await?;
                    Ok(ConversationPage { conversations, total: conversations::count(tx, viewer).await? })
                })
            })
            .await
    }

    /// A conversation visible to the caller, with its newest messages, or those before one of them.
    pub async fn conversation(
        &self,
        caller: &Caller,
        id: ConversationId,
        before: Option<MessageId>,
        limit: Option<i64>,
    ) -> Result<ConversationView> {
        caller.require(Permission::Read)?;
        let limit = checked_limit(limit)?;
        let window = before.map_or(Window::NEWEST, Window::Before);
        let input = (caller.clone(), id, window, limit);
        let (view, read_state, offer) = self
            .db
            .read(input, |tx, (caller, id, window, limit)| Box::pin(view(tx, caller, *id, *window, *limit)))
            .await?;
        match view.conversation.kind {
            ConversationKind::Channel => {
                let newest = view.timeline.messages.last().map(|newest| newest.id);
                self.offer_channel(caller, &read_state, newest).await?;
            }
            ConversationKind::Dm => offer.store(&self.db).await?,
        }
        Ok(view)
    }
}

async fn view(
    tx: &mut Tx,
    caller: &Caller,
    id: ConversationId,
    window: Window,
    limit: u32,
) -> Result<(ConversationView, store::ReadState, Offer)> {
    let viewer = Viewer::of(caller);
    let missing = || Error::not_found("conversation");
    let row = conversations::find(tx, &viewer, id).await?.ok_or_else(missing)?;
    let read_state = store::ReadState { conversation_id: id, read_id: row.read_id, offered_id: row.offered_id };
    let conversation = show(vec![row], tx).await?.pop().ok_or_else(missing)?;
    let slice = store::slice(tx, id, window, limit).await?;
    let offer = Offer::of(caller, &slice.rows);
    let timeline = Timeline {
        messages: complete_seen(tx, &viewer, slice.rows).await?,
        last_read_message_id: read_state.read_id.filter(|id| *id > MessageId(0)),
        has_more_before: slice.more_before,
        has_more_after: slice.more_after,
    };
    Ok((ConversationView { conversation, timeline }, read_state, offer))
}

/// Conversations with their newest messages, in the order of the rows.
async fn show(rows: Vec<ConversationRow>, tx: &mut Tx) -> Result<Vec<Conversation>> {
    let ids: Vec<_> = rows.iter().filter_map(|row| row.newest_id).collect();
    let newest = conversations::newest(tx, &ids).await?;
    let conversation = |row: ConversationRow| Conversation {
        id: row.id,
        kind: if row.channel.is_some() { ConversationKind::Channel } else { ConversationKind::Dm },
        channel: row.channel,
        participant: row.participant,
        with: row.other,
        subject: row.subject,
        last_message: newest.iter().find(|newest| Some(newest.id) == row.newest_id).map(|newest| LastMessage {
            id: newest.id,
            from: newest.sender.clone(),
            preview: preview(&newest.beginning),
            created_at: newest.created_at,
        }),
        message_count: row.message_count,
        unread: row.unread,
    };
    Ok(rows.into_iter().map(conversation).collect())
}
