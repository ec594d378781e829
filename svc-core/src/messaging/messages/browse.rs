//! Listing all messages, for operators.

use svc_macros::boxed_futures;
use svc_model::messages::{BrowseFilter, MessagePage};

use super::service::Messages;
use super::store::browse::{self, Conditions};
use super::store::{self, MessageRow};
use super::viewer::Viewer;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::page::checked_limit;
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// Messages of all participants, newest first. Requires the admin socket.
    pub async fn browse(&self, caller: &Caller, filter: BrowseFilter) -> Result<MessagePage> {
        caller.require_root()?;
        let limit = checked_limit(filter.limit)?;
        self.db
            .read((Viewer::of(caller), filter, limit), |tx, (viewer, filter, limit)| {
                Box::pin(async move {
                    let mut rows = rows(tx, filter, *limit).await?;
                    let has_more = rows.len() > *limit as usize;
                    rows.truncate(*limit as usize);
                    Ok(MessagePage { messages: store::complete_seen(tx, viewer, rows).await?, has_more })
                })
            })
            .await
    }
}

/// Fetches one row more than the limit, to detect a further page.
async fn rows(tx: &mut Tx, filter: &BrowseFilter, limit: u32) -> Result<Vec<MessageRow>> {
    let conditions = Conditions {
        before: filter.before.unwrap_or(MessageId(i64::MAX)),
        recipient: participant(tx, "to", filter.to.as_deref()).await?,
        sender: participant(tx, "from", filter.from.as_deref()).await?,
        conversation: conversation(tx, filter.channel.as_deref()).await?,
        status: filter.status,
    };
    browse::list(tx, &conditions, limit + 1).await
}

async fn participant(tx: &mut Tx, field: &str, handle: Option<&str>) -> Result<Option<ParticipantId>> {
    let Some(handle) = handle else { return Ok(None) };
    let known = store::known(tx, handle).await?;
    known.map(Some).ok_or_else(|| unknown(field, "participant"))
}

async fn conversation(tx: &mut Tx, channel: Option<&str>) -> Result<Option<ConversationId>> {
    let Some(channel) = channel else { return Ok(None) };
    let name = channel.strip_prefix('#').unwrap_or(channel).to_ascii_lowercase();
    let found = browse::conversation_of(tx, &name).await?;
    found.map(Some).ok_or_else(|| unknown("channel", "channel"))
}

fn unknown(field: &str, noun: &str) -> Error {
    Error::invalid(field, format!("is not a {noun} of this hub"))
}
