//! Push messages of a hub: the parts that are shared, and the requests about subscriptions.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::push::{PushSubscriptionList, PushTest, PushTestQueued, VapidKey};
use tokio::sync::{OnceCell, Semaphore};

use super::meter::{Meter, PushCounts};
use super::notice::Notice;
use super::store;
use super::subscribe::shown;
use super::vapid::Signer;
use crate::clock::{Clock, Entropy};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{PushSubscriptionId, UserId};
use crate::limits;
use crate::net::GuardedClient;
use crate::store::db::{Db, Tx};
use crate::store::events::EventLog;
use crate::store::queue::{Backoff, Queue, QueueRules, Queues};
use crate::store::vault::Vault;

/// The name of the queue, and of the reader of the event log.
pub(super) const QUEUE: &str = "push";

/// Push messages of a hub; see [`Hub::push`](crate::Hub::push).
#[derive(Clone)]
pub struct Push {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) queue: Queue,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) vault: Vault,
    pub(super) client: Arc<GuardedClient>,
    pub(super) allow_http: bool,
    /// The address of the hub, if it has one.
    pub(super) base_url: Option<String>,
    pub(super) signer: Arc<OnceCell<Arc<Signer>>>,
    pub(super) lookups: Arc<Semaphore>,
    pub(super) meter: Meter,
}

/// The parts that push messages are made of.
pub(crate) struct Parts {
    pub(crate) db: Db,
    pub(crate) events: EventLog,
    pub(crate) queues: Queues,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) vault: Vault,
    pub(crate) client: GuardedClient,
    pub(crate) allow_http: bool,
    pub(crate) base_url: Option<String>,
}

#[boxed_futures]
impl Push {
    pub(crate) fn new(parts: Parts) -> Result<Self> {
        let Parts { db, events, queues, clock, entropy, vault, client, allow_http, base_url } = parts;
        let delays = limits::PUSH_RETRIES.map(Duration::from_secs);
        let rules = QueueRules::new(QUEUE)
            .lease(limits::PUSH_LEASE)
            .backoff(Backoff::schedule(delays).jitter(limits::PUSH_JITTER))
            .concurrency(limits::PUSH_SERVICE_CONCURRENCY);
        Ok(Self {
            queue: queues.open(rules)?,
            db,
            events,
            clock,
            entropy,
            vault,
            client: Arc::new(client),
            allow_http,
            base_url,
            signer: Arc::default(),
            lookups: Arc::new(Semaphore::new(limits::PUSH_LOOKUPS)),
            meter: Meter::default(),
        })
    }

    /// The attempts of this process, by outcome.
    pub fn counts(&self) -> PushCounts {
        self.meter.counts()
    }

    /// The public key with which browsers subscribe.
    pub async fn vapid_key(&self, caller: &Caller) -> Result<VapidKey> {
        caller.require_session()?;
        Ok(VapidKey { public_key: self.signer().await?.public_key().to_owned() })
    }

    /// The browsers of the caller that receive push messages, oldest first.
    pub async fn subscriptions(&self, caller: &Caller) -> Result<PushSubscriptionList> {
        let (user, session) = caller.require_session()?;
        let rows = self.db.read(user.id, |tx, user| Box::pin(store::of_user(tx, *user))).await?;
        let items = rows.into_iter().map(|row| shown(row, session)).collect();
        Ok(PushSubscriptionList { items, max: limits::PUSH_SUBSCRIPTIONS_MAX })
    }

    /// Removes a browser of the caller.
    pub async fn unsubscribe(&self, caller: &Caller, id: PushSubscriptionId) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let removed = self.db.write((user.id, id), |tx, (user, id)| Box::pin(store::remove(tx, *user, *id))).await?;
        if removed { Ok(()) } else { Err(Error::not_found("subscription")) }
    }

    /// Sends a test notification to one browser of the caller, or to all. It is sent even while a page is visible.
    pub async fn test(&self, caller: &Caller, test: PushTest) -> Result<PushTestQueued> {
        let (user, _) = caller.require_session()?;
        let input = (self.queue.clone(), user.id, test.subscription_id);
        let queued =
            self.db.write(input, |tx, (queue, user, wanted)| Box::pin(enqueue_test(tx, queue, *user, *wanted)));
        Ok(PushTestQueued { queued: queued.await? })
    }
}

async fn enqueue_test(tx: &mut Tx, queue: &Queue, user: UserId, wanted: Option<PushSubscriptionId>) -> Result<u32> {
    store::hold_user(tx, user).await?;
    let mut browsers = store::of_user(tx, user).await?;
    if let Some(wanted) = wanted {
        browsers.retain(|row| row.id == wanted);
        if browsers.is_empty() {
            return Err(Error::not_found("subscription"));
        }
    }
    if browsers.is_empty() {
        let message = "No browser of yours receives push messages. Turn notifications on in a browser first.";
        return Err(Error::conflict("no_subscriptions", message));
    }
    if let Some(wait) = store::count_test(tx, user, limits::PUSH_TESTS_PER_MINUTE).await? {
        let message =
            format!("You have sent {} tests in a minute. Wait before the next one.", limits::PUSH_TESTS_PER_MINUTE);
        return Err(Error::new(ErrorKind::TooMany, "too_many_tests", message).with_retry_after(wait));
    }
    let items: Vec<_> =
        browsers.iter().map(|browser| Notice::Test.item(browser.id, &browser.endpoint)).collect::<Result<_>>()?;
    queue.enqueue_all_in(tx, &items).await?;
    Ok(u32::try_from(browsers.len()).unwrap_or(u32::MAX))
}
