//! The hub: the handle that a program opens, uses and closes.

mod builder;
pub(crate) mod config;
pub(crate) mod data_directory;
mod deletion;
pub(crate) mod first_run;
pub(crate) mod nodes;
pub(crate) mod readiness;
pub(crate) mod startup;
mod workers;

use std::sync::Arc;

use svc_macros::boxed_futures;

use crate::automation::webhooks::{self, Webhooks};
use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy, random_hex};
use crate::error::{Error, Result};
use crate::identity::agents::Agents;
use crate::identity::api_keys::ApiKeys;
use crate::identity::audit::Audit;
use crate::identity::auth::{Auth, Passwords, hub_key};
use crate::identity::oauth::{ClientDocuments, ClientSecrets, OAuth};
use crate::identity::participants::Participants;
use crate::identity::principals::Principals;
use crate::identity::secrets::Secrets;
use crate::identity::sessions::Sessions;
use crate::identity::users::Users;
use crate::insight::analytics::Analytics;
use crate::insight::live::Live;
use crate::insight::traces::Traces;
use crate::knowledge::onboarding::Onboarding;
use crate::limits;
use crate::messaging::attachments::{self, Attachments, BlobStore};
use crate::messaging::channels::{Channels, VisibleChannels};
use crate::messaging::dead_letters::DeadLetters;
use crate::messaging::messages::Messages;
use crate::messaging::notifications::Notifications;
use crate::messaging::quotas::Quotas;
use crate::messaging::reactions::Reactions;
use crate::messaging::search::Search;
use crate::messaging::tasks::Tasks;
use crate::messaging::trust::Trust;
use crate::net::{self, GuardedClient};
use crate::store::db::Db;
use crate::store::events::EventLog;
use crate::store::leases::Leases;
use crate::store::queue::Queues;
use crate::store::vault::{self, Vault};
use crate::store::workers::{HealthBoard, Worker, WorkerHealth, Workers};
use config::HubConfig;
use data_directory::{free_space, prepare_data_directory};
use first_run::FirstAdmin;
use nodes::{BlobLocation, Node};
use readiness::Probes;

/// A message hub on one store. Clones share it; close it once, at the end.
///
/// ```
/// # async fn example() -> svc_core::Result<()> {
/// use svc_core::{After, Hub, HubConfig, NewEvent};
///
/// let hub = Hub::open(HubConfig::at("./data")).await?;
/// let mut live = hub.events().subscribe(After::Now).await?;
/// hub.events().append(NewEvent::new("greeting.sent", &"hello")?).await?;
/// assert_eq!(live.next().await?.expect("the hub is open").kind, "greeting.sent");
/// hub.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

struct Inner {
    config: HubConfig,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    db: Db,
    events: EventLog,
    traces: Traces,
    analytics: Analytics,
    leases: Leases,
    queues: Queues,
    auth: Auth,
    audit: Audit,
    users: Users,
    sessions: Sessions,
    agents: Agents,
    api_keys: ApiKeys,
    oauth: OAuth,
    secrets: Secrets,
    messages: Messages,
    reactions: Reactions,
    tasks: Tasks,
    trust: Trust,
    participants: Participants,
    principals: Principals,
    quotas: Quotas,
    live: Live,
    attachments: Attachments,
    search: Search,
    dead_letters: DeadLetters,
    webhooks: Webhooks,
    channels: Channels,
    notifications: Notifications,
    onboarding: Onboarding,
    first_admin: Option<FirstAdmin>,
    workers: Vec<Arc<dyn Worker>>,
    health: HealthBoard,
    /// The registration among the processes on a shared database.
    membership: Option<Node>,
    probes: Probes,
}

/// Builds a hub with custom components.
#[must_use = "a builder does nothing until `open` is called"]
pub struct HubBuilder {
    config: HubConfig,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    documents: Arc<dyn ClientDocuments>,
    blobs: Option<Arc<dyn BlobStore>>,
    workers: Vec<Arc<dyn Worker>>,
}

#[boxed_futures]
impl HubBuilder {
    /// Opens the store, migrates it and starts following its event log.
    pub async fn open(self) -> Result<Hub> {
        let Self { config, clock, entropy, documents, blobs, workers } = self;
        net::install_tls_provider();
        startup::refuse_lost_store(&config).await?;
        prepare_data_directory(&config.data).await?;
        let (blobs, location) = if let Some(blobs) = blobs {
            // An embedding program knows with whom it shares its blob store.
            (blobs, None)
        } else {
            let blobs = attachments::open_blobs(&config.data, config.blob_url.as_deref()).await?;
            let location = match &config.blob_url {
                Some(url) => BlobLocation::bucket(url),
                None => BlobLocation::directory(&attachments::blob_directory(&config.data)).await,
            };
            (blobs, Some(location))
        };
        let db = Db::open(&config.store_url(), clock.clone(), config.search_deadline)
            .await
            .map_err(|error| startup::explain(&config, error))?;
        let node = random_hex(entropy.as_ref(), 8);
        let membership = match Node::join(&db, &node, location).await {
            Ok(membership) => membership,
            Err(error) => {
                db.close().await;
                return Err(error);
            }
        };
        let events = EventLog::open(db.clone()).await.map_err(|error| startup::explain(&config, error))?;
        let key = match &config.secret_key {
            Some(key) => key.clone(),
            None => vault::load(&config.data, entropy.as_ref()).await?,
        };
        let vault = Vault::new(&key, entropy.clone());
        let passwords = Passwords::new(checked_cost(config.bcrypt_cost)?, entropy.clone());
        let secrets = ClientSecrets {
            queue: Passwords::for_clients(config.bcrypt_cost, entropy.clone()),
            key: hub_key::load(&db, hub_key::CLIENT_SECRETS, entropy.as_ref()).await?,
            attempts: config.login_attempts,
        };
        let oauth = OAuth::new(db.clone(), clock.clone(), entropy.clone(), documents, secrets);
        let attachments = Attachments::open(db.clone(), clock.clone(), entropy.clone(), blobs, &config.files()).await?;
        let first_admin = first_run::fill(&db, &passwords, &entropy).await?;
        let traces = Traces::open(db.clone(), clock.clone());
        let auth = Auth::new(db.clone(), clock.clone());
        let agents = Agents::new(db.clone(), entropy.clone(), vault.clone());
        let base_url = config.base_url.clone();
        let analytics = Analytics::new(db.clone(), events.clone(), clock.clone(), traces.clone());
        let (counts, files) = (Arc::new(analytics.clone()), attachments.clone());
        let quotas = Quotas::new(db.clone(), clock.clone(), counts, files, config.quota_messages);
        let queues = Queues::new(db.clone(), clock.clone(), entropy.clone());
        let webhooks = Webhooks::new(webhooks::Parts {
            db: db.clone(),
            events: events.clone(),
            queues: queues.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            vault: vault.clone(),
            client: GuardedClient::new(config.private_networks.clone()),
            settings: config.webhooks.clone(),
        })?;
        let onboarding = Onboarding::new(db.clone(), agents.clone(), auth.clone(), traces.clone(), base_url);
        Ok(Hub {
            inner: Arc::new(Inner {
                auth,
                onboarding,
                audit: Audit::new(db.clone()),
                users: Users::new(db.clone(), passwords.clone(), entropy.clone(), config.login_attempts),
                sessions: Sessions::new(
                    db.clone(),
                    passwords.clone(),
                    entropy.clone(),
                    config.session_ttl,
                    config.login_attempts,
                ),
                agents,
                api_keys: ApiKeys::new(
                    db.clone(),
                    clock.clone(),
                    entropy.clone(),
                    vault.clone(),
                    Arc::new(VisibleChannels),
                ),
                oauth,
                secrets: Secrets::new(db.clone(), vault),
                messages: Messages::new(db.clone(), entropy.clone(), quotas.clone()),
                reactions: Reactions::new(db.clone()),
                tasks: Tasks::new(db.clone(), quotas.clone()),
                trust: Trust::new(db.clone()),
                participants: Participants::new(db.clone()),
                principals: Principals::new(db.clone(), clock.clone(), config.audience),
                live: Live::new(db.clone(), events.clone(), clock.clone()),
                quotas,
                attachments,
                search: Search::new(db.clone(), config.search_deadline),
                dead_letters: DeadLetters::new(db.clone(), Arc::new(webhooks.clone())),
                webhooks,
                channels: Channels::new(db.clone()),
                notifications: Notifications::new(db.clone()),
                first_admin,
                analytics,
                traces,
                leases: Leases::new(db.clone(), node),
                queues,
                membership,
                config,
                clock,
                entropy,
                db,
                events,
                workers,
                health: HealthBoard::default(),
                probes: Probes::default(),
            }),
        })
    }
}

#[boxed_futures]
impl Hub {
    /// Opens a hub with the system clock and random source.
    pub async fn open(config: HubConfig) -> Result<Self> {
        Self::builder(config).open().await
    }

    /// Starts building a hub.
    pub fn builder(config: HubConfig) -> HubBuilder {
        let documents = Arc::new(GuardedClient::new(config.private_networks.clone()));
        HubBuilder {
            config,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            documents,
            blobs: None,
            workers: Vec::new(),
        }
    }

    /// The settings of this hub.
    pub fn config(&self) -> &HubConfig {
        &self.inner.config
    }

    /// The store, for programs that keep their own tables beside the hub's.
    pub fn db(&self) -> &Db {
        &self.inner.db
    }

    /// The event log.
    pub fn events(&self) -> &EventLog {
        &self.inner.events
    }

    /// The record of actions.
    pub fn traces(&self) -> &Traces {
        &self.inner.traces
    }

    /// Message counts by sender, channel and time.
    pub fn analytics(&self) -> &Analytics {
        &self.inner.analytics
    }

    /// Authentication of credentials.
    pub fn auth(&self) -> &Auth {
        &self.inner.auth
    }

    /// The audit log of accounts and credentials.
    pub fn audit(&self) -> &Audit {
        &self.inner.audit
    }

    /// Human accounts.
    pub fn users(&self) -> &Users {
        &self.inner.users
    }

    /// Logins of humans.
    pub fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }

    /// Agents: programs that act for humans.
    pub fn agents(&self) -> &Agents {
        &self.inner.agents
    }

    /// API keys with limits.
    pub fn api_keys(&self) -> &ApiKeys {
        &self.inner.api_keys
    }

    /// The OAuth server: clients, grants and tokens.
    pub fn oauth(&self) -> &OAuth {
        &self.inner.oauth
    }

    /// Secret values that agent runs receive.
    pub fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    /// Messages between participants.
    pub fn messages(&self) -> &Messages {
        &self.inner.messages
    }

    /// Reactions to messages, and the workflow states that follow from them.
    pub fn reactions(&self) -> &Reactions {
        &self.inner.reactions
    }

    /// The task auction.
    pub fn tasks(&self) -> &Tasks {
        &self.inner.tasks
    }

    /// The directory of participants.
    pub fn participants(&self) -> &Participants {
        &self.inner.participants
    }

    /// Machine principals: services that sign their requests.
    pub fn principals(&self) -> &Principals {
        &self.inner.principals
    }

    /// Quotas and their usage.
    pub fn quotas(&self) -> &Quotas {
        &self.inner.quotas
    }

    /// Trust scores of agents.
    pub fn trust(&self) -> &Trust {
        &self.inner.trust
    }

    /// Live events for each caller.
    pub fn live(&self) -> &Live {
        &self.inner.live
    }

    /// Files attached to messages.
    pub fn attachments(&self) -> &Attachments {
        &self.inner.attachments
    }

    /// Message search.
    pub fn search(&self) -> &Search {
        &self.inner.search
    }

    /// Failed messages.
    pub fn dead_letters(&self) -> &DeadLetters {
        &self.inner.dead_letters
    }

    /// Webhooks: endpoints that receive the events of agents.
    pub fn webhooks(&self) -> &Webhooks {
        &self.inner.webhooks
    }

    /// Channels that participants share.
    pub fn channels(&self) -> &Channels {
        &self.inner.channels
    }

    /// Unread counts and read cursors.
    pub fn notifications(&self) -> &Notifications {
        &self.inner.notifications
    }

    /// Instructions, skills and client configurations for agents.
    pub fn onboarding(&self) -> &Onboarding {
        &self.inner.onboarding
    }

    /// The account that was created because the store was empty when this hub opened it. Show it to
    /// the operator; it is not stored anywhere else.
    pub fn first_admin(&self) -> Option<&FirstAdmin> {
        self.inner.first_admin.as_ref()
    }

    /// Leases for work that only one process may do at a time.
    pub fn leases(&self) -> &Leases {
        &self.inner.leases
    }

    /// Durable work queues that all processes share.
    pub fn queues(&self) -> &Queues {
        &self.inner.queues
    }

    /// The hub's clock.
    pub fn clock(&self) -> &dyn Clock {
        self.inner.clock.as_ref()
    }

    /// The hub's random source.
    pub fn entropy(&self) -> &dyn Entropy {
        self.inner.entropy.as_ref()
    }

    /// Starts the background workers. A program that embeds the hub may leave this to a server on
    /// the same store.
    pub fn start_workers(&self) -> Workers {
        Workers::start(&workers::supervision(self), workers::all(self))
    }

    /// All workers, to be run manually.
    pub fn workers(&self) -> Vec<Arc<dyn Worker>> {
        workers::all(self)
    }

    /// The health of the workers in this process, without querying the store.
    pub fn worker_health(&self) -> Vec<WorkerHealth> {
        self.inner.health.all()
    }

    /// Bytes that can still be written to the disk of the data directory; `None` if that is
    /// unknown.
    pub async fn free_disk(&self) -> Option<u64> {
        free_space(&self.inner.config.data).await
    }

    /// Ends subscriptions, writes queued traces and closes the store. Stop the workers first.
    pub async fn close(&self) {
        self.inner.events.close().await;
        self.inner.live.close().await;
        self.inner.traces.close().await;
        if let Some(membership) = &self.inner.membership {
            membership.leave().await;
        }
        self.inner.db.close().await;
    }

    pub(crate) fn added_workers(&self) -> &[Arc<dyn Worker>] {
        &self.inner.workers
    }

    pub(crate) fn probes(&self) -> &Probes {
        &self.inner.probes
    }

    pub(crate) fn health_board(&self) -> &HealthBoard {
        &self.inner.health
    }
}

fn checked_cost(cost: u32) -> Result<u32> {
    let (least, most) = (limits::BCRYPT_COSTS.start(), limits::BCRYPT_COSTS.end());
    if limits::BCRYPT_COSTS.contains(&cost) {
        Ok(cost)
    } else {
        Err(Error::invalid("bcrypt_cost", format!("must be {least} to {most}")))
    }
}
