//! Webhooks of a hub: reading them, and what the other parts share.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::webhooks::{WebhookDetails, WebhookFilter, WebhookList};
use tokio::sync::Semaphore;
use url::Url;

use super::address;
use super::meter::{DeliveryCounts, LatencyBuckets, Meter};
use super::secret::Secret;
use super::store::{self, Scope, WebhookRow};
use crate::clock::{Clock, Entropy};
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::{AgentId, WebhookId};
use crate::limits;
use crate::net::GuardedClient;
use crate::store::db::{Db, Tx};
use crate::store::events::EventLog;
use crate::store::queue::{Backoff, Queue, QueueRules, Queues, Rate};
use crate::store::vault::Vault;
use crate::telemetry::Tracer;
use crate::timestamp::Timestamp;

/// The name of the queue of deliveries.
pub(super) const QUEUE: &str = "webhooks";

/// Settings of webhooks. Processes on one store must have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Whether URLs may be http, and so sent in plain text.
    pub allow_http: bool,
    /// Deliveries in any minute and for one agent; 0 is no limit.
    pub rate: u32,
    /// The time limit of an attempt.
    pub attempt: Duration,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        Self { allow_http: false, rate: limits::WEBHOOK_RATE, attempt: limits::WEBHOOK_ATTEMPT }
    }
}

/// The webhooks of a hub; see [`Hub::webhooks`](crate::Hub::webhooks).
#[derive(Clone)]
pub struct Webhooks {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) queue: Queue,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) vault: Vault,
    pub(super) client: Arc<GuardedClient>,
    pub(super) settings: WebhookSettings,
    pub(super) tracer: Tracer,
    pub(super) meter: Meter,
    /// The places for tests, and for name lookups of requests.
    pub(super) tests: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
}

/// The parts that webhooks are made of.
pub(crate) struct Parts {
    pub(crate) db: Db,
    pub(crate) events: EventLog,
    pub(crate) queues: Queues,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) vault: Vault,
    pub(crate) client: GuardedClient,
    pub(crate) settings: WebhookSettings,
    pub(crate) tracer: Tracer,
}

#[boxed_futures]
impl Webhooks {
    pub(crate) fn new(parts: Parts) -> Result<Self> {
        let Parts { db, events, queues, clock, entropy, vault, client, settings, tracer } = parts;
        let queue = queues.open(rules(&settings))?;
        let (client, meter) = (Arc::new(client), Meter::default());
        let tests = Arc::new(Semaphore::new(limits::WEBHOOK_TESTS_AT_ONCE));
        let lookups = Arc::new(Semaphore::new(limits::WEBHOOK_LOOKUPS));
        Ok(Self { db, events, queue, clock, entropy, vault, client, settings, tracer, meter, tests, lookups })
    }

    /// Lists the webhooks of the caller's agents, oldest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: WebhookFilter) -> Result<WebhookList> {
        let scope = scope(caller, Permission::Read)?;
        let rows = self.db.read((scope, filter), |tx, (scope, filter)| {
            Box::pin(async move { store::list(tx, scope, filter.agent.as_deref()).await })
        });
        let webhooks: Vec<_> = rows.await?.into_iter().map(WebhookRow::shown).collect();
        Ok(WebhookList { total: i64::try_from(webhooks.len()).unwrap_or(i64::MAX), webhooks })
    }

    /// Returns a webhook with its last attempts.
    pub async fn get(&self, caller: &Caller, id: WebhookId) -> Result<WebhookDetails> {
        let scope = scope(caller, Permission::Read)?;
        self.db
            .read((scope, id), |tx, (scope, id)| {
                Box::pin(async move {
                    let webhook = existing(tx, scope, *id).await?.shown();
                    Ok(WebhookDetails { webhook, attempts: store::recent(tx, *id).await? })
                })
            })
            .await
    }

    /// The number of deliveries of this process by outcome.
    pub fn counts(&self) -> DeliveryCounts {
        self.meter.counts()
    }

    /// The latencies of the attempts of this process.
    pub fn latencies(&self) -> LatencyBuckets {
        self.meter.latencies()
    }

    /// When the oldest delivery was created that has not ended.
    pub async fn oldest_open(&self) -> Result<Option<Timestamp>> {
        self.db.read((), |tx, ()| Box::pin(store::oldest_open(tx))).await
    }

    /// Checks a URL by its form and by the addresses of its host.
    pub(super) async fn checked_url(&self, text: &str) -> Result<Url> {
        let url = address::parse(text, self.settings.allow_http)?;
        let _place = self.lookups.acquire().await.map_err(|_| Error::internal("the lookups were closed"))?;
        self.client.check_host(&url, limits::WEBHOOK_LOOKUP).await.map_err(|_| {
            Error::invalid("url", "must lead to a public address: this server does not connect to private networks")
        })?;
        Ok(url)
    }

    pub(super) fn seal(&self, agent: AgentId, webhook: WebhookId, secret: &Secret) -> Result<Vec<u8>> {
        self.vault.seal(&sealing_context(agent, webhook), secret.bytes())
    }

    pub(super) fn unseal(&self, agent: AgentId, webhook: WebhookId, sealed: &[u8]) -> Result<Secret> {
        Ok(Secret::from_bytes(self.vault.open(&sealing_context(agent, webhook), sealed)?))
    }
}

/// The context that a sealed secret is bound to.
fn sealing_context(agent: AgentId, webhook: WebhookId) -> String {
    format!("webhook {webhook} of agent {agent}")
}

fn rules(settings: &WebhookSettings) -> QueueRules {
    let delays = limits::WEBHOOK_RETRIES.map(Duration::from_secs);
    let rules = QueueRules::new(QUEUE)
        .lease(limits::WEBHOOK_LEASE.max(settings.attempt * 2))
        .backoff(Backoff::schedule(delays).jitter(limits::WEBHOOK_JITTER))
        .concurrency(limits::WEBHOOK_AGENT_CONCURRENCY);
    match settings.rate {
        0 => rules,
        rate => rules.rate(spread(rate)),
    }
}

/// The rate of which any minute has this many at most: a part at once, and the others evenly.
fn spread(rate: u32) -> Rate {
    let burst = rate / limits::WEBHOOK_BURST_SHARE;
    if burst == 0 { Rate::per_minute(rate) } else { Rate::per_minute(rate - burst).burst(burst) }
}

/// The webhooks that a caller can access: an agent its own, a human those of their agents, the admin socket all.
/// Webhooks carry direct messages, so a key that is limited to channels has none.
pub(super) fn scope(caller: &Caller, permission: Permission) -> Result<Scope> {
    caller.require(permission)?;
    caller.require_direct()?;
    Ok(match caller.actor() {
        Actor::Root => Scope { owner: None, agent: None },
        Actor::User(user) => Scope { owner: Some(user.id), agent: None },
        Actor::Agent(agent) => Scope { owner: None, agent: Some(agent.id) },
    })
}

pub(super) async fn existing(tx: &mut Tx, scope: &Scope, id: WebhookId) -> Result<WebhookRow> {
    store::find(tx, scope, id).await?.ok_or_else(|| Error::not_found("webhook"))
}
