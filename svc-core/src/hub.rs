//! The hub: the one value that a program opens, asks and closes.

use std::sync::Arc;

use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy, random_hex};
use crate::config::HubConfig;
use crate::db::Db;
use crate::error::Result;
use crate::events::EventLog;
use crate::leases::Leases;
use crate::startup;
use crate::traces::Traces;
use crate::workers::{self, HealthBoard, Worker, WorkerHealth, Workers};

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
    leases: Leases,
    workers: Vec<Arc<dyn Worker>>,
    health: HealthBoard,
}

/// Puts a hub together with other parts than the default ones.
#[must_use = "a builder does nothing until `open` is called"]
pub struct HubBuilder {
    config: HubConfig,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    workers: Vec<Arc<dyn Worker>>,
}

impl HubBuilder {
    /// Tells time by this clock.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Draws chance from this source.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Adds a worker of the embedding program to those that [`Hub::start_workers`] starts.
    pub fn worker(mut self, worker: Arc<dyn Worker>) -> Self {
        self.workers.push(worker);
        self
    }

    /// Opens the store, brings it up to date and starts following its event log.
    pub async fn open(self) -> Result<Hub> {
        let Self { config, clock, entropy, workers } = self;
        startup::prepare_data_directory(&config.data).await?;
        let db =
            Db::open(&config.store_url(), clock.clone()).await.map_err(|error| startup::explain(&config, error))?;
        let events = EventLog::open(db.clone()).await.map_err(|error| startup::explain(&config, error))?;
        let node = random_hex(entropy.as_ref(), 8);
        Ok(Hub {
            inner: Arc::new(Inner {
                traces: Traces::open(db.clone(), clock.clone()),
                leases: Leases::new(db.clone(), node),
                config,
                clock,
                entropy,
                db,
                events,
                workers,
                health: HealthBoard::default(),
            }),
        })
    }
}

impl Hub {
    /// Opens a hub with the system's clock and random source.
    pub async fn open(config: HubConfig) -> Result<Self> {
        Self::builder(config).open().await
    }

    /// Starts to put a hub together.
    pub fn builder(config: HubConfig) -> HubBuilder {
        HubBuilder { config, clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy), workers: Vec::new() }
    }

    /// The settings it was opened with.
    pub fn config(&self) -> &HubConfig {
        &self.inner.config
    }

    /// The store, for programs that keep tables of their own beside the hub's.
    pub fn db(&self) -> &Db {
        &self.inner.db
    }

    /// The log of everything that happens.
    pub fn events(&self) -> &EventLog {
        &self.inner.events
    }

    /// The record of what was done by whom.
    pub fn traces(&self) -> &Traces {
        &self.inner.traces
    }

    /// Work that one process at a time may do.
    pub fn leases(&self) -> &Leases {
        &self.inner.leases
    }

    /// The hub's clock.
    pub fn clock(&self) -> &dyn Clock {
        self.inner.clock.as_ref()
    }

    /// The hub's random source.
    pub fn entropy(&self) -> &dyn Entropy {
        self.inner.entropy.as_ref()
    }

    /// Starts the background workers. A program that embeds the hub may leave this to a server
    /// on the same store.
    pub fn start_workers(&self) -> Workers {
        Workers::start(self, workers::all(self))
    }

    /// Every worker, to be run by hand.
    pub fn workers(&self) -> Vec<Arc<dyn Worker>> {
        workers::all(self)
    }

    /// How the workers are, as this process sees them, without asking the store.
    pub fn worker_health(&self) -> Vec<WorkerHealth> {
        self.inner.health.all()
    }

    /// Ends subscriptions, writes queued traces, closes the store. Stop the workers first.
    pub async fn close(&self) {
        self.inner.events.close().await;
        self.inner.traces.close().await;
        self.inner.db.close().await;
    }

    pub(crate) fn added_workers(&self) -> &[Arc<dyn Worker>] {
        &self.inner.workers
    }

    pub(crate) fn health_board(&self) -> &HealthBoard {
        &self.inner.health
    }
}
