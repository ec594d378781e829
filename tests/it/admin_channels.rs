//! `svc-admin channels`, against the server as it is shipped.

use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

async fn with_people(server: TestServer) -> TestServer {
    for name in ["ann", "bob"] {
        svc_admin(&server, &["users", "create", name]).await.shown_once();
    }
    svc_admin(&server, &["agents", "create", "reviewer", "--owner", "bob"]).await.shown_once();
    server
}

#[both_engines]
async fn a_channel_is_made_changed_and_archived(server: TestServer) {
    let server = with_people(server).await;
    let made = svc_admin(
        &server,
        &["channels", "create", "team", "--owner", "Ann", "--private", "--topic", "Plans", "--member", "bob"],
    )
    .await;
    assert_eq!(made.worked(), "Created the private channel team of ann.\n");
    let shown = svc_admin(&server, &["channels", "show", "team", "--output", "json"]).await.json();
    assert_eq!(
        (&shown["owner"], &shown["public"], &shown["member_count"], &shown["topic"]),
        (&json!("ann"), &json!(false), &json!(2), &json!("Plans"))
    );
    let update = [
        "channels",
        "update",
        "team",
        "--output",
        "json",
        "--description",
        "For us",
        "--topic",
        "",
        "--public",
        "true",
        "--owner",
        "bob",
        "--workflow-enabled",
        "true",
        "--auto-approve",
        "true",
        "--remind-after",
        "15m",
        "--stalemate-escalate-after",
        "0",
        "--publish-threshold",
        "0.7",
        "--approve-threshold",
        "0.25",
    ];
    let changed = svc_admin(&server, &update).await.json();
    let fields = [
        "description",
        "topic",
        "public",
        "owner",
        "workflow_enabled",
        "auto_approve",
        "stalemate_remind_after",
        "stalemate_escalate_after",
        "publish_threshold",
        "approve_threshold",
    ];
    let values: Vec<_> = fields.iter().map(|field| changed[field].clone()).collect();
    let expected = [
        json!("For us"),
        json!(""),
        json!(true),
        json!("bob"),
        json!(true),
        json!(true),
        json!("15m"),
        json!("0"),
        json!(0.7),
        json!(0.25),
    ];
    assert_eq!(values, expected);
    let printed = svc_admin(&server, &["channels", "show", "team"]).await.worked();
    assert!(printed.contains("never") && printed.contains("15m") && printed.contains("0.7"), "{printed}");

    assert_eq!(
        svc_admin(&server, &["channels", "invite", "team", "reviewer"]).await.worked(),
        "reviewer is a member of team.\n"
    );
    let members = svc_admin(&server, &["channels", "members", "team"]).await.worked();
    assert!(members.contains("reviewer") && members.contains("owner") && members.contains("agent"), "{members}");
    assert_eq!(
        svc_admin(&server, &["channels", "remove", "team", "ann"]).await.worked(),
        "ann is no longer a member of team.\n"
    );
    let members = svc_admin(&server, &["channels", "members", "team", "--output", "json"]).await.json();
    assert_eq!((&members["total"], &members["members"][0]["name"]), (&json!(2), &json!("bob")));

    svc_admin(&server, &["channels", "archive", "team"]).await.refused(2, "--yes");
    assert_eq!(svc_admin(&server, &["channels", "delete", "team", "--yes"]).await.worked(), "team is archived.\n");
    let listed = svc_admin(&server, &["channels", "list", "--output", "json"]).await.json();
    assert_eq!((&listed["total"], &listed["channels"][0]["name"]), (&json!(1), &json!("general")));
    assert!(svc_admin(&server, &["channels", "list", "--archived"]).await.worked().contains("team"));
    server.stop().await;
}

#[both_engines]
async fn what_cannot_be_is_refused(server: TestServer) {
    let server = with_people(server).await;
    svc_admin(&server, &["channels", "create", "Team", "--owner", "ann"]).await.refused(1, "CHANNEL must have 1 to 80");
    svc_admin(&server, &["channels", "create", "team", "--owner", "nobody"])
        .await
        .refused(1, "--owner is not a user or agent");
    svc_admin(&server, &["channels", "create", "team", "--owner", "ann", "--member", "nobody"])
        .await
        .refused(1, "members[0] is not a user or agent");
    svc_admin(&server, &["channels", "create", "general", "--owner", "ann"]).await.refused(1, "This name is taken");
    for arguments in [
        &["channels", "show", "genral"][..],
        &["channels", "update", "genral", "--topic", "x"],
        &["channels", "archive", "genral", "--yes"],
        &["channels", "members", "genral"],
        &["channels", "invite", "genral", "ann"],
        &["channels", "remove", "genral", "ann"],
    ] {
        svc_admin(&server, arguments).await.refused(1, "did you mean general?");
    }
    svc_admin(&server, &["channels", "archive", "general", "--yes"]).await.refused(1, "cannot be archived");
    svc_admin(&server, &["channels", "update", "general"]).await.refused(2, "at least one setting");
    svc_admin(&server, &["channels", "update", "general", "--remind-after", "soon"])
        .await
        .refused(1, "--stalemate-remind-after \"soon\"");
    svc_admin(&server, &["channels", "update", "general", "--publish-threshold", "2"])
        .await
        .refused(1, "--publish-threshold must be 0 to 1");
    svc_admin(&server, &["channels", "update", "general", "--owner", "ann"])
        .await
        .refused(1, "--owner must be a member");
    svc_admin(&server, &["channels", "remove", "general", "admin"]).await.refused(1, "owner of a channel cannot leave");
    svc_admin(&server, &["channels", "remove", "general", "ann"]).await.refused(1, "no such member");
    let empty = svc_admin(&server, &["channels", "list", "--archived"]).await;
    assert!(empty.stdout.is_empty() && empty.stderr.contains("No channel is archived"), "{empty:?}");
    server.stop().await;
}
