//! All messages, for whoever runs the server.

use svc_macros::boxed_futures;
use svc_model::messages::{BrowseFilter, MessagePage};

use super::service::Messages;
use super::sight::Sight;
use super::store::{self, MessageRow, select_messages};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::page::checked_limit;
use crate::store::db::{Query, Tx, Value};

#[boxed_futures]
impl Messages {
    /// Messages of everybody, newest first; for whoever runs the server.
    pub async fn browse(&self, caller: &Caller, filter: BrowseFilter) -> Result<MessagePage> {
        caller.require_root()?;
        let limit = checked_limit(filter.limit)?;
        self.db
            .read((Sight::of(caller), filter, limit), |tx, (sight, filter, limit)| {
                Box::pin(async move {
                    let mut rows = rows(tx, filter, *limit).await?;
                    let has_more = rows.len() > *limit as usize;
                    rows.truncate(*limit as usize);
                    Ok(MessagePage { messages: store::complete_seen(tx, sight, rows).await?, has_more })
                })
            })
            .await
    }
}

/// One more than asked for, when there is one. Only what is asked for stands in the statement, so that
/// it is served by the index that fits.
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
    Error::invalid(field, format!("is no {noun} of this hub"))
}
