//! What tests do with a store behind the back of its hub: statements, workers run by hand, another hub beside it.

use svc_core::Hub;
use svc_core::workers::Progress;

use super::hub::TestHub;
use super::server::TestServer;

/// Runs a worker by hand until it has nothing left to do.
pub(crate) async fn work(hub: &Hub, name: &str) {
    while work_once(hub, name).await == Progress::More {}
}

/// Runs a worker by hand for one round.
pub(crate) async fn work_once(hub: &Hub, name: &str) -> Progress {
    let workers = hub.workers();
    let worker = workers.iter().find(|worker| worker.name() == name).expect("a worker of this name is listed");
    worker.run_once().await.unwrap()
}

async fn execute(hub: &Hub, text: String) -> u64 {
    hub.db().write(text, |tx, text| Box::pin(tx.query(text.clone()).execute())).await.unwrap()
}

async fn number(hub: &Hub, text: String) -> i64 {
    hub.db().read(text, |tx, text| Box::pin(tx.query(text.clone()).fetch_value())).await.unwrap()
}

impl TestHub {
    /// Runs the named worker once, by hand.
    pub(crate) async fn run_worker(&self, name: &str) -> Progress {
        work_once(&self.hub, name).await
    }

    /// Runs a statement; tells how many rows it concerned.
    pub(crate) async fn execute(&self, text: impl Into<String>) -> u64 {
        execute(&self.hub, text.into()).await
    }

    /// The first column of the first row.
    pub(crate) async fn number(&self, text: impl Into<String>) -> i64 {
        number(&self.hub, text.into()).await
    }
}

impl TestServer {
    /// Another hub on the same store, as another process would open it.
    pub(crate) async fn another(&self) -> Hub {
        Hub::builder(self.hub.config().clone()).clock(self.clock.clone()).open().await.unwrap()
    }

    /// Runs a worker by hand until it has nothing left to do.
    pub(crate) async fn work(&self, name: &str) {
        work(&self.hub, name).await;
    }

    /// Runs a statement; tells how many rows it concerned.
    pub(crate) async fn execute(&self, text: impl Into<String>) -> u64 {
        execute(&self.hub, text.into()).await
    }

    /// The first column of the first row.
    pub(crate) async fn number(&self, text: impl Into<String>) -> i64 {
        number(&self.hub, text.into()).await
    }
}
