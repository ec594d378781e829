//! Listing all messages, for operators.

use svc_macros::boxed_futures;
use svc_model::messages::{BrowseFilter, MessagePage};

use super::service::Messages;
use super::store::{self, MessageRow, select_messages};
use super::viewer::Viewer;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::page::checked_limit;
use crate::store::db::{Query, Tx, Value};

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

/// Fetches one row more than the limit, to detect a further page. Only the requested conditions are
/// part of the statement, so that the matching index is used.
async fn rows(tx: &mut Tx, filter: &BrowseFilter, limit: u32) -> Result<Vec<MessageRow>> {
    let mut conditions = vec!["m.id < $1".to_owned()];
    let mut values = vec![Value::Integer(filter.before.map_or(i64::MAX, |id| id.0))];
    let mut narrow = |column: &str, value: Value| {
        values.push(value);
        conditions.push(format!("{column} = ${}", values.len()));
    };
    for (field, column, handle) in [("to", "m.recipient_id", &filter.to), ("from", "m.sender_id", &filter.from)] {
        let Some(handle) = handle else { continue };
        let participant = store::known(tx, handle).await?.ok_or_else(|| unknown(field, "participant"))?;
        narrow(column, Value::Integer(participant.0));
    }
    if let Some(channel) = &filter.channel {
        let name = channel.strip_prefix('#').unwrap_or(channel).to_ascii_lowercase();
        let find = "SELECT v.id FROM conversations v JOIN channels c ON c.id = v.channel_id WHERE c.name = $1";
        let found: Option<(i64,)> = tx.query(find).bind(name).fetch_optional().await?;
        let (conversation,) = found.ok_or_else(|| unknown("channel", "channel"))?;
        narrow("m.conversation_id", Value::Integer(conversation));
    }
    if let Some(status) = filter.status {
        narrow("m.status", Value::Text(status.as_str().to_owned()));
        conditions.push("m.recipient_id IS NOT NULL".to_owned());
    }
    let text = format!(
        "{} {} ORDER BY m.id DESC LIMIT ${}",
        select_messages!("WHERE"),
        conditions.join(" AND "),
        values.len() + 1
    );
    let query = values.into_iter().fold(tx.query(text), Query::bind);
    query.bind(limit + 1).fetch_all().await
}

fn unknown(field: &str, noun: &str) -> Error {
    Error::invalid(field, format!("is not a {noun} of this hub"))
}
