//! Servers that are killed, and the time after which others take over what they had.

use svc_core::clock::Clock;
use svc_core::db::Engine;
use svc_core::{Timestamp, limits};

use super::child::TestChild;
use super::hub::TestHub;
use super::wait::until;

/// Kills a server. Afterwards nothing that it began can take effect any more.
pub(crate) async fn kill(test: &TestHub, server: TestChild) {
    tokio::task::spawn_blocking(move || server.kill()).await.unwrap();
    if test.hub.db().engine() == Engine::Postgres {
        // The statements that it had sent are carried out although it is gone.
        let busy = "SELECT count(*) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'";
        until("PostgreSQL to end them", async || (test.number(busy).await == 0).then_some(())).await;
    }
}

/// Ends the leases of servers that were killed, as any process does when their time has come: those on items of queues,
/// and that of this worker.
pub(crate) async fn let_leases_end(test: &TestHub, worker: &str) {
    let latest = "SELECT coalesce(max(lease_expires_at), 0) FROM queue_items WHERE status = 'leased'";
    let items = test.number(latest).await;
    let leases = test.number("SELECT coalesce(max(expires_at), 0) FROM leases").await;
    let end = Timestamp::from_micros(items.max(leases));
    test.clock.advance(end.since(test.clock.now()));
    test.run_worker("lease_expiry").await;
    let leases = test.hub.leases();
    let lease = leases.acquire(worker, limits::WORKER_LEASE).await.unwrap().expect("it has expired");
    leases.release(lease).await.unwrap();
}
