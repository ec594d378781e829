//! Searching.

use std::sync::Arc;

use super::filter::Search as Checked;
use super::model::{SearchFilter, SearchHit, SearchPage};
use super::{index, snippet, store};
use crate::auth::{Caller, Permission};
use crate::db::Db;
use crate::error::Result;
use crate::messages::offer::Offer;
use crate::messages::sight::Sight;
use crate::messages::store::complete;

/// The search of a hub; see [`Hub::search`](crate::Hub::search).
#[derive(Clone)]
pub struct Search {
    db: Db,
}

impl Search {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The messages that fit and that the caller may see. A direct message that tells of a mention is
    /// not among them; the message that it tells of is.
    pub async fn messages(&self, caller: &Caller, filter: SearchFilter) -> Result<SearchPage> {
        caller.require(Permission::Read)?;
        let search = Arc::new(Checked::checked(&filter)?);
        if !search.query.is_empty() {
            index::catch_up(&self.db).await?;
        }
        let input = (Sight::of(caller), caller.clone(), search.clone(), filter.peek);
        let (messages, found, offer) = self
            .db
            .read(input, |tx, (sight, caller, search, peek)| {
                Box::pin(async move {
                    let found = store::find(tx, sight, search).await?;
                    if found.ids.is_empty() {
                        return Ok((Vec::new(), found, Offer::default()));
                    }
                    let rows = store::rows(tx, &found.ids).await?;
                    let offer = if *peek { Offer::default() } else { Offer::of(caller, &rows) };
                    Ok((complete(tx, rows).await?, found, offer))
                })
            })
            .await?;
        offer.store(&self.db).await?;
        let hits = messages
            .into_iter()
            .map(|message| SearchHit { snippet: snippet::of(&message.subject, &message.body, &search.query), message });
        Ok(SearchPage { messages: hits.collect(), total: found.total, total_is_exact: found.is_exact })
    }
}
