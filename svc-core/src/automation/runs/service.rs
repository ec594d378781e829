//! Runs of a hub: the handle, and what its parts share.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use svc_model::agents::Agent;
use svc_model::auth::Permission;
use tokio::sync::{Notify, OnceCell};
use tokio_util::sync::CancellationToken;

use super::lanes::Lanes;
use super::meter::Meter;
use super::store::Scope;
use crate::automation::harness::{ClusterConfig, ConfinementMode, Harness, Launcher, LogSink};
use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::identity::secrets::Secrets;
use crate::ids::RunId;
use crate::limits;
use crate::messaging::trust::Trust;
use crate::store::db::Db;
use crate::store::events::EventLog;
use crate::store::queue::Queues;
use crate::store::vault::Vault;
use crate::telemetry::Tracer;

/// Settings of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSettings {
    /// The number of runs of this node at the same time; twice the number of cores by default.
    pub max_runs: u32,
    /// The program that supervises the processes of a run. Without it, neither commands nor containers can be run.
    pub launcher: Option<Launcher>,
    /// Whether commands are confined.
    pub confinement: ConfinementMode,
    /// The cluster of Jobs.
    pub cluster: ClusterConfig,
}

impl Default for RunSettings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let twice = u32::try_from(cores.saturating_mul(2)).unwrap_or(u32::MAX);
        Self {
            max_runs: twice.min(limits::RUNS_AT_ONCE_MAX),
            launcher: None,
            confinement: ConfinementMode::default(),
            cluster: ClusterConfig::default(),
        }
    }
}

/// What an agent reads before it begins: the part of the hub that knows it is above this one.
pub(crate) trait Guide: Send + Sync {
    /// The instruction file.
    fn instructions(&self, agent: &Agent) -> String;
    /// The skills: their names and their texts.
    fn skills(&self) -> Vec<(String, String)>;
}

/// A run that is under way in this process.
#[derive(Clone)]
pub(super) struct Live {
    pub(super) cancel: CancellationToken,
    pub(super) log: LogSink,
    /// A result has arrived that the backend delivers later.
    pub(super) reported: Arc<Notify>,
}

/// The runs of a hub; see [`Hub::runs`](crate::Hub::runs).
#[derive(Clone)]
pub struct Runs {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(crate) lanes: Lanes,
    pub(super) vault: Vault,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) secrets: Secrets,
    pub(super) trust: Trust,
    pub(super) harness: Arc<dyn Harness>,
    pub(super) guide: Arc<dyn Guide>,
    pub(super) hub_url: Option<String>,
    pub(super) settings: RunSettings,
    pub(super) tracer: Tracer,
    pub(super) meter: Meter,
    confinement: Arc<OnceCell<Result<Option<String>, String>>>,
    live: Arc<Mutex<HashMap<RunId, Live>>>,
}

/// The parts that runs are made of.
pub(crate) struct Parts {
    pub(crate) db: Db,
    pub(crate) events: EventLog,
    pub(crate) queues: Queues,
    pub(crate) vault: Vault,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) secrets: Secrets,
    pub(crate) trust: Trust,
    pub(crate) harness: Arc<dyn Harness>,
    pub(crate) guide: Arc<dyn Guide>,
    pub(crate) hub_url: Option<String>,
    pub(crate) settings: RunSettings,
    pub(crate) tracer: Tracer,
}

impl Runs {
    pub(crate) fn new(parts: Parts) -> Result<Self> {
        let Parts { db, events, queues, vault, entropy, secrets, trust, harness, guide, hub_url, settings, tracer } =
            parts;
        if !(1..=limits::RUNS_AT_ONCE_MAX).contains(&settings.max_runs) {
            return Err(Error::invalid("max_runs", format!("must be 1 to {}", limits::RUNS_AT_ONCE_MAX)));
        }
        let lanes = Lanes::open(&queues)?;
        Ok(Self {
            db,
            events,
            lanes,
            vault,
            entropy,
            secrets,
            trust,
            harness,
            guide,
            hub_url,
            settings,
            tracer,
            meter: Meter::default(),
            confinement: Arc::default(),
            live: Arc::default(),
        })
    }

    /// What confines runs on this machine, in words; none when nothing does. An error says why no command can be run.
    /// It is found out once: the kernel stays the same.
    pub(crate) async fn confinement(&self) -> Result<Option<String>, String> {
        let find = || async {
            let found = self.harness.confinement().await.map_err(|error| error.message().to_owned());
            match &found {
                Ok(Some(confinement)) => tracing::info!(confinement, "runs of agents are confined"),
                Ok(None) => tracing::info!("runs of agents are not confined"),
                Err(error) => tracing::warn!(error, "runs of agents cannot be confined"),
            }
            found
        };
        self.confinement.get_or_init(find).await.clone()
    }

    /// A run that is under way in this process.
    pub(super) fn live(&self, id: RunId) -> Option<Live> {
        self.lives().get(&id).cloned()
    }

    /// Registers a run as under way in this process, until the guard is dropped.
    pub(super) fn go_live(&self, id: RunId, log: LogSink) -> LiveGuard {
        let live = Live { cancel: CancellationToken::new(), log, reported: Arc::default() };
        self.lives().insert(id, live.clone());
        LiveGuard { runs: self.clone(), id, live }
    }

    pub(super) fn live_count(&self) -> usize {
        self.lives().len()
    }

    fn lives(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that is under way in this process.
pub(super) struct LiveGuard {
    runs: Runs,
    id: RunId,
    pub(super) live: Live,
}

impl Drop for LiveGuard {
    fn drop(&mut self) {
        self.runs.lives().remove(&self.id);
    }
}

/// The runs that a caller can access: an agent its own, a human those of their agents, the admin socket all. Runs carry
/// direct messages, so a key that is limited to channels has none.
pub(super) fn scope(caller: &Caller, permission: Permission) -> Result<Scope> {
    caller.require(permission)?;
    caller.require_direct()?;
    Ok(match caller.actor() {
        Actor::Root => Scope { owner: None, agent: None },
        Actor::User(user) => Scope { owner: Some(user.id), agent: None },
        Actor::Agent(agent) => Scope { owner: None, agent: Some(agent.id) },
    })
}
