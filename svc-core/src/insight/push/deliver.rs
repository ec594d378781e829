//! The worker of each process that sends push messages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use svc_model::notifications::NotificationKind;
use svc_model::push::PushPayload;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use url::Url;

use super::encrypt::encrypt;
use super::notice::{self, Item, Notice};
use super::record::{Ended, Recorder};
use super::service::Push;
use super::store::{self, Job};
use crate::automation::webhooks::parse_address;
use crate::error::{Error, Result};
use crate::limits;
use crate::net::{Bounds, PostError, Reply};
use crate::store::db::Tx;
use crate::store::queue::ClaimedItem;
use crate::store::workers::{Cadence, Placement, Progress, Worker};
use crate::timestamp::Timestamp;

/// The name of this program in requests.
const AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// The worker that sends. It has a fixed number of places, and one push service takes no more than a share of them.
pub(crate) struct PushDelivery {
    push: Push,
    places: Arc<Semaphore>,
    under_way: Mutex<JoinSet<()>>,
    recorder: Arc<Recorder>,
}

impl PushDelivery {
    pub(crate) fn new(push: Push) -> Self {
        let recorder = Arc::new(Recorder::new(push.clone()));
        let places = Arc::new(Semaphore::new(limits::PUSH_WORKERS));
        Self { push, places, under_way: Mutex::default(), recorder }
    }

    fn begin(&self, claimed: ClaimedItem, prepared: Option<Prepared>, place: OwnedSemaphorePermit) {
        let (push, recorder) = (self.push.clone(), self.recorder.clone());
        let mut under_way = lock(&self.under_way);
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let ended = if let Some(prepared) = prepared {
                let outcome = push.attempt(&prepared).await;
                Ended { claimed, outcome, job: Some(prepared.job), until: prepared.until }
            } else {
                let until = claimed.item.created_at;
                Ended { claimed, outcome: Outcome::Dropped, job: None, until }
            };
            drop(place);
            push.meter.count(&ended.outcome);
            recorder.record(ended).await;
        });
    }
}

#[async_trait]
impl Worker for PushDelivery {
    fn name(&self) -> &'static str {
        "push_delivery"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(5))
    }

    fn placement(&self) -> Placement {
        Placement::EveryProcess
    }

    async fn run_once(&self) -> Result<Progress> {
        let room = u32::try_from(self.places.available_permits()).unwrap_or(u32::MAX).min(limits::CLAIM_MAX);
        if room == 0 {
            return Ok(Progress::Done);
        }
        let claimed = self.push.queue.claim(room).await?;
        let is_more = claimed.len() == room as usize;
        let items: Vec<_> = claimed.iter().map(|one| (Item::read(&one.item), one.item.created_at)).collect();
        let prepared = self.push.db.read(items, |tx, items| Box::pin(prepare_all(tx, items))).await?;
        for (claimed, prepared) in claimed.into_iter().zip(prepared) {
            // This worker alone takes places, so there are at least as many as before the claim.
            let place = self.places.clone().acquire_owned().await;
            self.begin(claimed, prepared, place.map_err(|_| Error::internal("the places were closed"))?);
        }
        Ok(if is_more { Progress::More } else { Progress::Done })
    }

    async fn work_arrives(&self) {
        // There must be a place before there can be work.
        drop(self.places.acquire().await);
        if self.push.queue.wait().await.is_err() {
            // The store is in trouble; the next round reports it.
            std::future::pending::<()>().await;
        }
    }

    async fn wind_down(&self) {
        let mut under_way = std::mem::take(&mut *lock(&self.under_way));
        let finished = async { while under_way.join_next().await.is_some() {} };
        // An attempt that is cut off is repeated when its lease ends.
        drop(tokio::time::timeout(limits::PUSH_STOPPING, finished).await);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A notification that is to be sent.
struct Prepared {
    job: Job,
    payload: PushPayload,
    kind: Option<NotificationKind>,
    /// The time after which it is of no use.
    until: Timestamp,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Sent,
    /// There was nothing to send any more.
    Dropped,
    /// The push service no longer knows the browser.
    Gone,
    /// The message is refused, and would be again.
    Refused(String),
    /// Another attempt may succeed, not before this time has passed.
    Failed(String, Duration),
}

impl Push {
    /// Sends a message.
    async fn attempt(&self, prepared: &Prepared) -> Outcome {
        let mut most = limits::PUSH_PAYLOAD_MAX;
        for _ in 0..=limits::PUSH_SHORTENINGS {
            let answer = match self.send(prepared, most).await {
                Ok(answer) => answer,
                Err(Ok(error)) => return Outcome::Failed(words(error).to_owned(), Duration::ZERO),
                // The key cannot be opened, or the address is no longer allowed.
                Err(Err(error)) => return Outcome::Failed(error.code().to_owned(), Duration::ZERO),
            };
            if answer.status != 413 {
                return judged(&answer, self.clock.now());
            }
            most /= 2;
        }
        Outcome::Refused("HTTP 413".to_owned())
    }

    /// Sends a notification of at most this size.
    async fn send(&self, prepared: &Prepared, most: usize) -> Result<Reply, Result<PostError, Error>> {
        let job = &prepared.job;
        let request = async {
            let url = parse_address(&job.endpoint, self.allow_http)?;
            let text = notice::encoded(&prepared.payload, most)?;
            let mut salt = [0; 16];
            self.entropy.fill(&mut salt);
            let body = encrypt(&text, &job.public_key, &job.auth, salt)?;
            Ok((self.headers(prepared, &url).await?, url, body))
        };
        let (headers, url, body) = request.await.map_err(Err)?;
        let bounds = Bounds { bytes: 0, time: limits::PUSH_ATTEMPT };
        self.client.post(&url, headers, body, bounds, Duration::ZERO).await.map_err(Ok)
    }

    async fn headers(&self, prepared: &Prepared, url: &Url) -> Result<HeaderMap> {
        let now = self.clock.now();
        let authorization = self.signer().await?.authorization(url, now)?;
        let topic = notice::topic(prepared.job.user_id, &prepared.payload.tag);
        let mut headers = HeaderMap::new();
        for (name, value) in [
            (AUTHORIZATION, authorization),
            (CONTENT_ENCODING, "aes128gcm".to_owned()),
            (CONTENT_TYPE, "application/octet-stream".to_owned()),
            (USER_AGENT, AGENT.to_owned()),
            (HeaderName::from_static("ttl"), seconds(prepared.until.since(now)).to_string()),
            (HeaderName::from_static("urgency"), notice::urgency(prepared.kind).to_owned()),
            (HeaderName::from_static("topic"), topic),
        ] {
            let value = HeaderValue::from_str(&value);
            headers.insert(name, value.map_err(|_| Error::internal("a header of a push message is not valid"))?);
        }
        Ok(headers)
    }
}

/// The notifications of items, each as [`prepare`] says.
async fn prepare_all(tx: &mut Tx, items: &[(Option<Item>, Timestamp)]) -> Result<Vec<Option<Prepared>>> {
    let mut all = Vec::with_capacity(items.len());
    for (item, queued_at) in items {
        all.push(match item {
            Some(item) => prepare(tx, *item, *queued_at).await?,
            None => None,
        });
    }
    Ok(all)
}

/// The notification of an item; `None` when there is nothing to send any more.
async fn prepare(tx: &mut Tx, item: Item, queued_at: Timestamp) -> Result<Option<Prepared>> {
    let Some(job) = store::job(tx, item.subscription).await? else { return Ok(None) };
    let prepared = match item.notice {
        Notice::Test => Prepared { payload: notice::test(), kind: None, until: queued_at.plus(limits::PUSH_TTL), job },
        Notice::Message(id) => {
            let Some(message) = store::message(tx, job.user_id, id).await? else { return Ok(None) };
            let now = tx.now();
            if message.is_read || store::is_present(tx, job.user_id, now).await? {
                return Ok(None);
            }
            let (kind, payload) = notice::of_message(&message);
            Prepared { payload, kind: Some(kind), until: message.created_at.plus(limits::PUSH_TTL), job }
        }
    };
    Ok(Some(prepared).filter(|prepared| prepared.until > tx.now()))
}

/// The outcome that an answer means.
fn judged(answer: &Reply, now: Timestamp) -> Outcome {
    let error = format!("HTTP {}", answer.status);
    let wait = answer.retry_after(now).min(limits::PUSH_RETRY_AFTER_MAX);
    match answer.status {
        200..=299 => Outcome::Sent,
        404 | 410 => Outcome::Gone,
        408 | 425 | 429 | 500..=599 => Outcome::Failed(error, wait),
        _ => Outcome::Refused(error),
    }
}

/// Whole seconds, rounded up.
fn seconds(duration: Duration) -> u128 {
    duration.as_micros().div_ceil(1_000_000)
}

fn words(error: PostError) -> &'static str {
    match error {
        PostError::Refused => "the address is not allowed",
        PostError::Connect => "no connection",
        PostError::Timeout => "no answer in time",
        PostError::Protocol => "the connection broke",
    }
}
