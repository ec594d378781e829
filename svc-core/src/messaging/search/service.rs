//! Searching.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::search::{SearchFilter, SearchHit, SearchPage};
use tokio::time::timeout;

use super::filter::Search as Checked;
use super::store::{Found, Reach};
use super::turns::Turns;
use super::{index, snippet, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::store::complete_seen;
use crate::store::db::{Db, DbError, Engine, StoreFailure as _};

/// The search of a hub; see [`Hub::search`](crate::Hub::search).
#[derive(Clone)]
pub struct Search {
    db: Db,
    turns: Turns,
    deadline: Duration,
}

#[boxed_futures]
impl Search {
    pub(crate) fn new(db: Db, deadline: Duration) -> Self {
        Self { db, turns: Turns::new(deadline), deadline }
    }

    /// The messages that fit and that the caller may see. A direct message that tells of a mention is
    /// not among them; the message that it tells of is. When the time for a search is over, the page is
    /// what was found until then, and says so.
    pub async fn messages(&self, caller: &Caller, filter: SearchFilter) -> Result<SearchPage> {
        caller.require(Permission::Read)?;
        let search = Arc::new(Checked::checked(&filter)?);
        let viewer = Viewer::of(caller);
        let turn = self.turns.take(caller).await?;
        let (this, looked_for) = (self.clone(), (viewer.clone(), search.clone()));
        // A task of its own, because the store goes on when the caller stops waiting, and so does the turn.
        let finding = tokio::spawn(async move {
            let found = this.find(looked_for.0, looked_for.1).await;
            drop(turn);
            found
        });
        let found = finding.await.map_err(|error| Error::internal(format!("a search panicked: {error}")))??;
        let Found { ids, total, is_exact, is_partial } = found;
        let messages = if ids.is_empty() {
            Vec::new()
        } else {
            let input = (viewer, caller.clone(), ids, filter.peek);
            let (messages, offer) = self
                .db
                .read(input, |tx, (viewer, caller, ids, peek)| {
                    Box::pin(async move {
                        let rows = store::rows(tx, viewer, ids).await?;
                        let offer = if *peek { Offer::default() } else { Offer::of(caller, &rows) };
                        Ok((complete_seen(tx, viewer, rows).await?, offer))
                    })
                })
                .await?;
            offer.store(&self.db).await?;
            messages
        };
        let hits = messages
            .into_iter()
            .map(|message| SearchHit { snippet: snippet::of(&message.subject, &message.body, &search.query), message });
        Ok(SearchPage { messages: hits.collect(), total, total_is_exact: is_exact, partial: is_partial })
    }

    async fn find(&self, viewer: Viewer, search: Arc<Checked>) -> Result<Found> {
        let is_current = if search.query.is_empty() {
            true
        } else {
            // What is not indexed in time is not found; whoever searches next finds more.
            timeout(self.deadline, index::catch_up(&self.db)).await.map_or(Ok(false), |done| done.map(|()| true))?
        };
        let mut found = self.look(viewer.clone(), search.clone(), Reach::All).await?;
        // PostgreSQL often sorts all matches before it tells the first; the newest messages it walks through.
        if found.is_partial && found.total == 0 && self.db.engine() == Engine::Postgres {
            found = Found { is_exact: false, is_partial: true, ..self.look(viewer, search, Reach::Recent).await? };
        }
        if !is_current {
            (found.is_exact, found.is_partial) = (false, true);
        }
        Ok(found)
    }

    async fn look(&self, viewer: Viewer, search: Arc<Checked>, reach: Reach) -> Result<Found> {
        let found = self.db.search((viewer, search, reach), |tx, (viewer, search, reach)| {
            Box::pin(store::find(tx, viewer, search, *reach))
        });
        match found.await {
            Err(error) if matches!(error.db(), Some(DbError::TooSlow(_))) => Ok(Found::late()),
            found => found,
        }
    }
}
