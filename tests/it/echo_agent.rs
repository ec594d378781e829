//! The example `echo_agent`: killed in the middle of its work, it loses nothing.

use std::time::Duration;

use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::server::TestServer;
use crate::support::store::work_once;
use crate::support::wait::until;

#[expect(dead_code, reason = "the parent of the children does not use all of it")]
#[path = "../../examples/echo_agent/agent.rs"]
pub(crate) mod agent;

#[both_engines]
async fn a_killed_agents_message_comes_back_to_another(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "echo").await;
    let caller = test.caller(&ann).await;
    let sent = test.write_to(&caller, "echo", "hello").await;
    // One that thinks for ever is killed while it does.
    let mut first = TestChild::echo_agent(&test.url(""), &key, Duration::from_hours(1));
    let said = tokio::task::spawn_blocking(move || {
        let said = first.next();
        first.kill();
        said
    });
    assert_eq!(said.await.unwrap(), Some(format!("claimed {sent} from ann")));
    assert_eq!(test.tool(&key, "my_status", json!({})).await["processing"], 1, "it is still the dead one's");
    let mut second = TestChild::echo_agent(&test.url(""), &key, Duration::ZERO);
    test.clock.advance(Duration::from_secs(31));
    until("the lease has ended", async || {
        work_once(&test.hub, "lease_expiry").await;
        let status = test.look(&ann, &format!("/api/messages/{sent}")).await["status"].clone();
        (status != "processing").then_some(())
    })
    .await;
    let said = tokio::task::spawn_blocking(move || {
        let said = (second.next(), second.next());
        second.kill();
        said
    });
    assert_eq!(said.await.unwrap(), (Some(format!("claimed {sent} from ann")), Some(format!("done {sent}"))));
    let answers = test.look(&ann, &format!("/api/messages/{sent}/replies")).await;
    assert_eq!((&answers["total"], &answers["replies"][0]["body"]), (&json!(1), &json!("echo: hello")));
    assert_eq!(test.look(&ann, &format!("/api/messages/{sent}")).await["status"], "done");
    test.stop().await;
}
