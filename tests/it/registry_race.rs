//! A registry that comes into force while machines are being served, on PostgreSQL, where many write at once.

use crate::support::held::{Held, waiting};
use crate::support::machines::load_machines;
use crate::support::server::{TestServer, problem};

#[tokio::test(flavor = "multi_thread")]
async fn a_registry_waits_for_those_that_were_let_in_before() {
    let Some(server) = TestServer::postgres().await else { return };
    let door = server.machine("door").await;
    assert_eq!(server.beat(&door).await.status(), 200);
    // The machine is let in, and then waits for this.
    let held = Held::by(&server, &["UPDATE machine_histories SET events = events"]).await;
    let loading = async {
        waiting(&server, 1).await;
        load_machines(&server.hub, &[&door.clone().revoked()]).await;
    };
    let releasing = async {
        waiting(&server, 2).await;
        held.let_go().await;
    };
    let (answer, (), ()) = tokio::join!(server.beat(&door), loading, releasing);
    assert_eq!(answer.status(), 200);
    problem(server.beat(&door).await, 401, "machine_key_revoked").await;
    assert_eq!(server.number("SELECT beats FROM machine_statuses").await, 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_let_in_by_a_registry_that_is_being_replaced() {
    let Some(server) = TestServer::postgres().await else { return };
    let door = server.machine("door").await;
    assert_eq!(server.beat(&door).await.status(), 200);
    // The registry is about to be replaced, and waits for this.
    let held = Held::by(&server, &["UPDATE machine_registry SET source = source"]).await;
    let asking = async {
        waiting(&server, 1).await;
        server.beat(&door).await
    };
    let releasing = async {
        waiting(&server, 2).await;
        held.let_go().await;
    };
    let revoked = door.clone().revoked();
    let machines = [&revoked];
    let ((), answer, ()) = tokio::join!(load_machines(&server.hub, &machines), asking, releasing);
    problem(answer, 401, "machine_key_revoked").await;
    assert_eq!(server.number("SELECT beats FROM machine_statuses").await, 1);
    server.stop().await;
}
