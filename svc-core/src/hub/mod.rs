//! The hub: the handle that a program opens, uses and closes.

pub(crate) mod backup;
mod builder;
pub(crate) mod certificates;
pub(crate) mod config;
pub(crate) mod data_directory;
mod deletion;
pub(crate) mod disk;
pub(crate) mod doctor;
pub(crate) mod first_run;
mod handles;
pub(crate) mod nodes;
pub(crate) mod readiness;
mod settings;
pub(crate) mod startup;
mod store;
mod workers;

use std::sync::Arc;

use svc_macros::boxed_futures;
use tokio::sync::OnceCell;

use crate::automation::cluster::Cluster;
use crate::automation::governance::Governance;
use crate::automation::harness::{Harness, LazyHarnesses};
use crate::automation::runs::{self, Runs};
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
use crate::insight::push::{self, Push};
use crate::insight::traces::Traces;
use crate::knowledge::goals::Goals;
use crate::knowledge::onboarding::Onboarding;
use crate::knowledge::secret_requests::SecretRequests;
use crate::knowledge::wiki::Wiki;
use crate::limits;
use crate::messaging::attachments::{self, Attachments, BlobStore};
use crate::messaging::channels::{Channels, VisibleChannels};
use crate::messaging::dead_letters::DeadLetters;
use crate::messaging::emoji::Emojis;
use crate::messaging::messages::Messages;
use crate::messaging::notifications::Notifications;
use crate::messaging::pins::Pins;
use crate::messaging::profiles::Profiles;
use crate::messaging::quotas::Quotas;
use crate::messaging::reactions::Reactions;
use crate::messaging::saved::SavedMessages;
use crate::messaging::scheduled::Scheduled;
use crate::messaging::search::Search;
use crate::messaging::tasks::Tasks;
use crate::messaging::templates::Templates;
use crate::messaging::trust::Trust;
use crate::net::{self, GuardedClient};
use crate::store::db::Db;
use crate::store::events::EventLog;
use crate::store::leases::Leases;
use crate::store::queue::Queues;
use crate::store::vault::{self, Vault};
use crate::store::workers::{HealthBoard, Worker, WorkerHealth, Workers};
use crate::telemetry::{SpanSink, Tracer};
use backup::Backups;
use config::HubConfig;
use data_directory::{DiskSpace, disk_space, prepare_data_directory};
use doctor::IntegrityWatch;
use first_run::FirstAdmin;
use nodes::{BlobLocation, Node, SchemaWatch};
use readiness::Probes;

/// A message hub on one store, made by [`Hub::open`]. Clones share it; close it once, at the end.
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

struct Inner {
    config: HubConfig,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    tracer: Tracer,
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
    emoji: Emojis,
    profiles: Profiles,
    pins: Pins,
    saved: SavedMessages,
    scheduled: Scheduled,
    templates: Templates,
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
    cluster: Cluster,
    runs: Runs,
    governance: Governance,
    channels: Channels,
    notifications: Notifications,
    push: Push,
    onboarding: Onboarding,
    goals: Goals,
    wiki: Wiki,
    secret_requests: SecretRequests,
    backups: Backups,
    first_admin: Option<FirstAdmin>,
    workers: Vec<Arc<dyn Worker>>,
    health: HealthBoard,
    /// The registration among the processes on a shared database.
    membership: Option<Node>,
    schema_watch: SchemaWatch,
    probes: Probes,
    integrity: IntegrityWatch,
}

/// Builds a hub with custom components.
#[must_use = "a builder does nothing until `open` is called"]
pub struct HubBuilder {
    config: HubConfig,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    documents: Arc<dyn ClientDocuments>,
    blobs: Option<Arc<dyn BlobStore>>,
    harness: Option<Arc<dyn Harness>>,
    spans: Option<Arc<dyn SpanSink>>,
    workers: Vec<Arc<dyn Worker>>,
}

#[boxed_futures]
impl HubBuilder {
    /// Opens the store, migrates it and starts following its event log.
    pub async fn open(self) -> Result<Hub> {
        let Self { config, clock, entropy, documents, blobs, harness, spans, workers } = self;
        let tracer = Tracer::new(spans, clock.clone(), entropy.clone());
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
        let queues = Queues::new(db.clone(), clock.clone(), entropy.clone(), &node);
        let webhooks = Webhooks::new(webhooks::Parts {
            db: db.clone(),
            events: events.clone(),
            queues: queues.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            vault: vault.clone(),
            client: GuardedClient::new(config.private_networks.clone()),
            settings: config.webhooks.clone(),
            tracer: tracer.clone(),
        })?;
        let push = Push::new(push::Parts {
            db: db.clone(),
            events: events.clone(),
            queues: queues.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            vault: vault.clone(),
            client: GuardedClient::new(config.private_networks.clone()),
            allow_http: config.webhooks.allow_http,
            base_url: config.base_url.clone(),
        })?;
        let governance = Governance::new(db.clone(), events.clone(), clock.clone());
        let onboarding = Onboarding::new(db.clone(), agents.clone(), auth.clone(), traces.clone(), base_url);
        let (secrets, trust) = (Secrets::new(db.clone(), vault.clone()), Trust::new(db.clone()));
        let harness = harness.unwrap_or_else(|| harnesses(&config, attachments.hub_id(), &clock, &entropy));
        let runs = Runs::new(runs::Parts {
            db: db.clone(),
            events: events.clone(),
            queues: queues.clone(),
            vault: vault.clone(),
            entropy: entropy.clone(),
            secrets: secrets.clone(),
            trust: trust.clone(),
            harness: harness.clone(),
            guide: Arc::new(onboarding.clone()),
            hub_url: config.base_url.clone(),
            settings: config.runs.clone(),
            tracer: tracer.clone(),
        })?;
        let search = Search::new(db.clone(), config.search_deadline);
        let backups =
            Backups::new(db.clone(), attachments.clone(), key, clock.clone(), entropy.clone(), config.data.clone());
        Ok(Hub {
            inner: Arc::new(Inner {
                auth,
                onboarding,
                audit: Audit::new(db.clone()),
                users: Users::new(db.clone(), passwords.clone(), clock.clone(), entropy.clone(), config.login_attempts),
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
                secrets,
                messages: Messages::new(db.clone(), entropy.clone(), quotas.clone(), config.edit_window),
                pins: Pins::new(db.clone()),
                saved: SavedMessages::new(db.clone()),
                templates: Templates::new(db.clone()),
                scheduled: Scheduled::new(db.clone(), quotas.clone()),
                reactions: Reactions::new(db.clone(), Arc::new(governance.clone())),
                emoji: Emojis::new(db.clone()),
                profiles: Profiles::new(db.clone(), attachments.clone()),
                tasks: Tasks::new(db.clone(), quotas.clone()),
                trust,
                participants: Participants::new(db.clone()),
                principals: Principals::new(db.clone(), clock.clone(), config.audience),
                live: Live::new(db.clone(), events.clone(), clock.clone()),
                quotas,
                backups,
                attachments,
                wiki: Wiki::new(db.clone(), search.slots()),
                search,
                dead_letters: DeadLetters::new(db.clone(), Arc::new(webhooks.clone())),
                webhooks,
                cluster: Cluster::new(db.clone(), events.clone(), runs.clone(), harness),
                goals: Goals::new(db.clone(), events.clone(), runs.clone(), entropy.clone()),
                runs,
                governance,
                channels: Channels::new(db.clone()),
                notifications: Notifications::new(db.clone()),
                push,
                secret_requests: SecretRequests::new(db.clone(), vault),
                first_admin,
                analytics,
                traces,
                leases: Leases::new(db.clone(), node),
                queues,
                membership,
                schema_watch: SchemaWatch::start(db.clone()),
                config,
                clock,
                entropy,
                tracer,
                db,
                events,
                workers,
                health: HealthBoard::default(),
                probes: Probes::default(),
                integrity: IntegrityWatch::default(),
            }),
        })
    }
}

#[boxed_futures]
impl Hub {
    /// Opens a hub with the system clock and random source. The store is created or updated first; on a new
    /// one an admin is created, whose password is in [`Hub::first_admin`].
    ///
    /// ```
    /// # async fn example() -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let hub = Hub::open(HubConfig::at("./data")).await?;
    /// if let Some(admin) = hub.first_admin() {
    ///     println!("{} {}", admin.username, admin.password.reveal());
    /// }
    /// let workers = hub.start_workers();
    /// workers.stop().await;
    /// hub.close().await;
    /// # Ok(())
    /// # }
    /// ```
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
            harness: None,
            spans: None,
            workers: Vec::new(),
        }
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
        self.disk_space().await.map(|space| space.free)
    }

    pub(crate) async fn disk_space(&self) -> Option<DiskSpace> {
        disk_space(&self.inner.config.data).await
    }

    /// Ends subscriptions, writes queued traces and closes the store. Stop the workers first.
    pub async fn close(&self) {
        self.inner.events.close().await;
        self.inner.live.close().await;
        self.inner.traces.close().await;
        self.inner.schema_watch.stop();
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

    fn integrity_watch(&self) -> &IntegrityWatch {
        &self.inner.integrity
    }

    pub(crate) fn health_board(&self) -> &HealthBoard {
        &self.inner.health
    }
}

/// The backends of a hub.
fn harnesses(config: &HubConfig, hub: &str, clock: &Arc<dyn Clock>, entropy: &Arc<dyn Entropy>) -> Arc<dyn Harness> {
    Arc::new(LazyHarnesses {
        config: config.harness(hub),
        clock: clock.clone(),
        entropy: entropy.clone(),
        client: Arc::new(GuardedClient::new(config.private_networks.clone())),
        opened: OnceCell::new(),
    })
}

fn checked_cost(cost: u32) -> Result<u32> {
    let (least, most) = (limits::BCRYPT_COSTS.start(), limits::BCRYPT_COSTS.end());
    if limits::BCRYPT_COSTS.contains(&cost) {
        Ok(cost)
    } else {
        Err(Error::invalid("bcrypt_cost", format!("must be {least} to {most}")))
    }
}
