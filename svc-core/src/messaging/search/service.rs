//! The search handle.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::search::{SearchFilter, SearchHit, SearchPage};
use tokio::time::timeout;

use super::filter::Search as Checked;
use super::slots::SearchSlots;
use super::store::{SearchResults, SearchScope};
use super::{index, snippet, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::store::complete_seen;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::{Db, DbError, Engine, StoreFailure as _};

/// Search of a hub; see [`Hub::search`](crate::Hub::search).
#[derive(Clone)]
pub struct Search {
    db: Db,
    slots: SearchSlots,
    deadline: Duration,
}

#[boxed_futures]
impl Search {
    pub(crate) fn new(db: Db, deadline: Duration) -> Self {
        Self { db, slots: SearchSlots::new(deadline), deadline }
    }

    /// The slots, which searches of other areas share.
    pub(crate) fn slots(&self) -> SearchSlots {
        self.slots.clone()
    }

    /// The matching messages that are visible to the caller. A direct copy that notifies of a
    /// mention is not among them; its original is. If the time limit is reached, the page contains
    /// the results so far and is marked as partial.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let filter = SearchFilter { q: Some("build -nightly".into()), channel: Some("releases".into()), ..Default::default() };
    /// let page = hub.search().messages(&ann, filter).await?;
    /// for hit in page.messages {
    ///     println!("{} {}", hit.message.from, hit.message.body);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn messages(&self, caller: &Caller, filter: SearchFilter) -> Result<SearchPage> {
        caller.require(Permission::Read)?;
        self.seen_by(caller, Viewer::of(caller), filter).await
    }

    /// The matching messages that are visible to this user and their agents, for the admin socket. Nothing counts as
    /// offered.
    pub async fn messages_of(&self, caller: &Caller, user: UserId, filter: SearchFilter) -> Result<SearchPage> {
        caller.require_root()?;
        self.seen_by(caller, Viewer::user(user), SearchFilter { peek: true, ..filter }).await
    }

    async fn seen_by(&self, caller: &Caller, viewer: Viewer, filter: SearchFilter) -> Result<SearchPage> {
        let search = Arc::new(Checked::checked(&filter)?);
        let slot = self.slots.take(caller).await?;
        let (this, input) = (self.clone(), (viewer.clone(), search.clone()));
        // A separate task, because the store continues when the caller stops waiting, and so must
        // the slot.
        let finding = tokio::spawn(async move {
            let found = this.find(input.0, input.1).await;
            drop(slot);
            found
        });
        let found = finding.await.map_err(|error| Error::internal(format!("a search panicked: {error}")))??;
        let SearchResults { ids, total, is_exact, is_partial } = found;
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

    async fn find(&self, viewer: Viewer, search: Arc<Checked>) -> Result<SearchResults> {
        let is_current = if search.query.is_empty() {
            true
        } else {
            // Messages that are not indexed in time are not found; the next search finds more.
            timeout(self.deadline, index::catch_up(&self.db)).await.map_or(Ok(false), |done| done.map(|()| true))?
        };
        let mut found = self.run(viewer.clone(), search.clone(), SearchScope::All).await?;
        // PostgreSQL often sorts all matches before it returns the first one; recent messages can
        // be scanned instead.
        if found.is_partial && found.total == 0 && self.db.engine() == Engine::Postgres {
            let recent = self.run(viewer, search, SearchScope::Recent).await?;
            found = SearchResults { is_exact: false, is_partial: true, ..recent };
        }
        if !is_current {
            (found.is_exact, found.is_partial) = (false, true);
        }
        Ok(found)
    }

    async fn run(&self, viewer: Viewer, search: Arc<Checked>, scope: SearchScope) -> Result<SearchResults> {
        let found = self.db.search((viewer, search, scope), |tx, (viewer, search, scope)| {
            Box::pin(store::find(tx, viewer, search, *scope))
        });
        match found.await {
            Err(error) if matches!(error.db(), Some(DbError::TooSlow(_))) => Ok(SearchResults::timed_out()),
            found => found,
        }
    }
}
