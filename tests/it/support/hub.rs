//! A hub on a fresh store of either engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_core::clock::Clock;
use svc_core::{Hub, HubBuilder, HubConfig};
use tempfile::TempDir;

use super::clock::{SeededEntropy, TestClock};
use super::postgres::{Cluster, shared_cluster};
use super::sqlite::put_migrated_file;

/// Tests log in often; only the tests of the hash itself want it slow.
pub(crate) const CHEAP_HASHES: u32 = 4;

/// A hub with a clock that is moved by hand and chance that repeats, on a store of its own.
pub(crate) struct TestHub {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) config: HubConfig,
    // Removed when the test ends.
    _data: TempDir,
}

impl TestHub {
    pub(crate) async fn sqlite() -> Self {
        let data = TempDir::new().unwrap();
        put_migrated_file(data.path()).await;
        Self::open(HubConfig::at(data.path()), data).await
    }

    /// `None` on a machine without PostgreSQL.
    pub(crate) async fn postgres() -> Option<Self> {
        let cluster = shared_cluster()?;
        Some(Self::on_cluster(cluster).await)
    }

    /// A hub on a server of its own.
    pub(crate) async fn on_cluster(cluster: &Cluster) -> Self {
        let data = TempDir::new().unwrap();
        let config = HubConfig::at(data.path()).with_store(&cluster.new_database().await).unwrap();
        Self::open(config, data).await
    }

    async fn open(mut config: HubConfig, data: TempDir) -> Self {
        config.bcrypt_cost = CHEAP_HASHES;
        let clock = Arc::new(TestClock::new());
        let hub = builder(config.clone(), clock.clone()).open().await.unwrap();
        Self { hub, clock, config, _data: data }
    }

    /// Another hub on the same store, as another process would open it.
    pub(crate) async fn another(&self) -> Hub {
        self.builder().open().await.unwrap()
    }

    /// Starts to put another hub on the same store together.
    pub(crate) fn builder(&self) -> HubBuilder {
        builder(self.config.clone(), self.clock.clone())
    }
}

fn builder(config: HubConfig, clock: Arc<dyn Clock>) -> HubBuilder {
    // Every hub draws from its own seed, so that two on one store do not take the same names.
    static SEED: AtomicU64 = AtomicU64::new(1);
    let entropy = SeededEntropy::new(SEED.fetch_add(1, Ordering::Relaxed));
    Hub::builder(config).clock(clock).entropy(Arc::new(entropy))
}
