//! The live events handle and the state that feeds share.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::credential::FeedCredential;
use super::decode::Decoder;
use super::feed::{Feed, ReaderMode};
use super::offers::Offers;
use super::slots::FeedSlots;
use super::unread::Counter;
use crate::clock::Clock;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::store::db::Db;
use crate::store::events::{After, EventLog};

/// Live events of a hub; see [`Hub::live`](crate::Hub::live).
#[derive(Clone)]
pub struct Live {
    pub(super) shared: Arc<Shared>,
}

/// The state that all feeds of a hub share.
pub(super) struct Shared {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) decoder: Decoder,
    pub(super) counter: Counter,
    pub(super) offers: Offers,
    pub(super) slots: FeedSlots,
    tasks: TaskTracker,
    closing: CancellationToken,
}

#[boxed_futures]
impl Live {
    pub(crate) fn new(db: Db, events: EventLog, clock: Arc<dyn Clock>) -> Self {
        let (tasks, closing) = (TaskTracker::new(), CancellationToken::new());
        Self {
            shared: Arc::new(Shared {
                counter: Counter::new(db.clone(), events.clone(), tasks.clone(), closing.clone()),
                offers: Offers::new(db.clone(), tasks.clone()),
                slots: FeedSlots::default(),
                decoder: Decoder::default(),
                db,
                events,
                clock,
                tasks,
                closing,
            }),
        }
    }

    /// A feed of the events after a log position, as far as the caller may see them.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, scout: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::live::LiveBody;
    /// use svc_core::prelude::*;
    ///
    /// let mut feed = hub.live().follow(&scout, After::Now).await?;
    /// while let Some(event) = feed.next().await? {
    ///     if let LiveBody::NewMessage(news) = event.body() {
    ///         println!("{}: {}", news.from, news.preview);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn follow(&self, caller: &Caller, after: After) -> Result<Feed> {
        caller.require(Permission::Read)?;
        Feed::open(self.shared.clone(), caller, after, ReaderMode::Messages).await
    }

    /// A feed for a reader that only reports that something happened: messages do not count as
    /// handed out. See [`follow`](Self::follow).
    pub async fn watch(&self, caller: &Caller, after: After) -> Result<Feed> {
        caller.require(Permission::Read)?;
        Feed::open(self.shared.clone(), caller, after, ReaderMode::Nothing).await
    }

    /// Whether the caller's credential is still valid.
    pub async fn holds(&self, caller: &Caller) -> Result<bool> {
        self.shared.db.read(FeedCredential::of(caller), |tx, credential| Box::pin(credential.holds(tx))).await
    }

    /// Completes background work. The log is already closed, so the feeds have ended.
    pub(crate) async fn close(&self) {
        self.shared.closing.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}
