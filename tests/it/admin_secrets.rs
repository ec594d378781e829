//! `svc-admin secrets`, against the server as it is shipped.

use serde_json::json;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::admin::{svc_admin, svc_admin_with};
use crate::support::server::TestServer;

/// What a run of `bot` would receive under this name.
async fn received(server: &TestServer, name: &str) -> Option<String> {
    let agent = server.hub.agents().get(&Caller::root(), "bot").await.unwrap();
    let opened = server.hub.secrets().for_run(agent.id).await.unwrap();
    opened.get(name).map(|value| value.reveal().to_owned())
}

async fn with_agent(server: TestServer) -> TestServer {
    svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    server
}

#[both_engines]
async fn a_value_goes_in_by_standard_input_and_never_comes_out(server: TestServer) {
    let server = with_agent(server).await;
    let set = ["secrets", "set", "TOKEN", "--scope", "user:ann"];
    let ran = svc_admin_with(&server, &set, "hunter2hunter2\n").await;
    assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
    assert_eq!(ran.worked(), "TOKEN of user:ann is set; the next run receives it.\n");
    assert_eq!(received(&server, "TOKEN").await.unwrap(), "hunter2hunter2");

    let own = ["secrets", "set", "TOKEN", "--scope", "agent:bot", "--output", "json"];
    let set = svc_admin_with(&server, &own, "of two\nlines\n\n").await.json();
    assert_eq!((&set["scope"], &set["name"]), (&json!("agent:bot"), &json!("TOKEN")));
    assert_eq!(received(&server, "TOKEN").await.unwrap(), "of two\nlines\n", "one line feed is taken off");

    for arguments in
        [&["secrets", "list"][..], &["secrets", "list", "--output", "json"], &["audit", "list"], &["audit", "export"]]
    {
        let printed = svc_admin(&server, arguments).await.worked();
        assert!(printed.contains("TOKEN") || arguments[0] == "audit", "{printed}");
        assert!(!printed.contains("hunter2"), "{printed}");
    }
    let listed = svc_admin(&server, &["secrets", "list", "--scope", "agent:bot", "--output", "json"]).await.json();
    assert_eq!((&listed["total"], &listed["secrets"][0]["value"]), (&json!(1), &json!(null)));

    let removed = svc_admin(&server, &["secrets", "unset", "TOKEN", "--scope", "agent:bot"]).await.worked();
    assert_eq!(removed, "TOKEN of agent:bot is removed.\n");
    assert_eq!(received(&server, "TOKEN").await.unwrap(), "hunter2hunter2");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused() {
    let server = with_agent(TestServer::sqlite().await).await;
    let set = ["secrets", "set", "TOKEN", "--scope", "user:ann"];
    // Arguments are seen by everybody on the machine.
    svc_admin(&server, &[&set[..], &["hunter2"]].concat()).await.refused(2, "unexpected argument");
    svc_admin(&server, &[&set[..], &["--value", "hunter2"]].concat()).await.refused(2, "unexpected argument");
    svc_admin_with(&server, &["secrets", "set", "token", "--scope", "user:ann"], "x").await.refused(2, "capitals");
    svc_admin_with(&server, &["secrets", "set", "TOKEN", "--scope", "ann"], "x")
        .await
        .refused(2, "user:NAME or agent:NAME");
    svc_admin_with(&server, &["secrets", "set", "TOKEN", "--scope", "user:anm"], "x")
        .await
        .refused(1, "did you mean ann?");
    svc_admin_with(&server, &["secrets", "set", "TOKEN", "--scope", "agent:bto"], "x")
        .await
        .refused(1, "did you mean bot?");
    for input in ["", "\n", "a\0b", &"x".repeat(limits::SECRET_VALUE_MAX + 1)] {
        let told = svc_admin_with(&server, &set, input).await.refused(1, "The value must");
        assert!(told.len() < 200, "{told}");
    }
    let largest = "x".repeat(limits::SECRET_VALUE_MAX);
    svc_admin_with(&server, &set, &format!("{largest}\n")).await.worked();
    assert_eq!(received(&server, "TOKEN").await.unwrap(), largest);
    svc_admin(&server, &["secrets", "unset", "OTHER", "--scope", "user:ann"])
        .await
        .refused(1, "user:ann has no secret OTHER");
    svc_admin(&server, &["secrets", "unset", "OTHER", "--scope", "user:bob"])
        .await
        .refused(1, "There is no user \"bob\"");
    svc_admin(&server, &["secrets", "list", "--scope", "agent:none"]).await.refused(1, "There is no agent \"none\"");
    let empty = svc_admin(&server, &["secrets", "list", "--scope", "agent:bot"]).await;
    assert!(empty.stderr.contains("secrets set NAME --scope agent:bot"), "{empty:?}");
    server.stop().await;
}
