//! `svc-admin agents` and `svc-admin keys`, against the server as it is shipped.

use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

async fn with_owner() -> TestServer {
    owned(TestServer::sqlite().await).await
}

async fn owned(server: TestServer) -> TestServer {
    svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    server
}

#[both_engines]
async fn a_key_stands_alone_on_its_line_and_works(server: TestServer) {
    let server = owned(server).await;
    let create = ["agents", "create", "reviewer", "--owner", "Ann", "--display-name", "The reviewer"];
    let key = svc_admin(&server, &create).await.shown_once();
    assert!(key.starts_with("svca_"), "{key}");
    let caller = server.hub.auth().bearer(&key).await.unwrap();
    assert_eq!(caller.owner_name(), Some("ann"));

    let created = svc_admin(&server, &["agents", "create", "fixer", "--owner", "ann", "--output", "json"]).await.json();
    assert_eq!(created["agent"]["owner"], "ann");
    server.hub.auth().bearer(created["key"].as_str().unwrap()).await.unwrap();

    let another = svc_admin(&server, &["agents", "rotate-key", "reviewer"]).await.shown_once();
    assert_eq!(server.hub.auth().bearer(&key).await.unwrap_err().code(), "token_revoked");
    server.hub.auth().bearer(&another).await.unwrap();
    for arguments in [&["agents", "show", "reviewer", "--output", "json"][..], &["keys", "list"], &["audit", "list"]] {
        let printed = svc_admin(&server, arguments).await.worked();
        assert!(!printed.contains(&another) && !printed.contains(&key), "{printed}");
    }
    server.stop().await;
}

#[both_engines]
async fn what_is_given_changes_and_the_rest_stays(server: TestServer) {
    let server = owned(server).await;
    svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    let files = tempfile::TempDir::new().unwrap();
    let (harness, instructions) = (files.path().join("harness.json"), files.path().join("AGENT.md"));
    tokio::fs::write(&harness, r#"{"command": "run"}"#).await.unwrap();
    tokio::fs::write(&instructions, "Be kind.\n").await.unwrap();
    let (harness, instructions) = (harness.display().to_string(), instructions.display().to_string());
    let update = [
        "agents",
        "update",
        "bot",
        "--output",
        "json",
        "--trigger-mode",
        "reactive",
        "--cooldown",
        "10m",
        "--daily-runs",
        "3",
        "--max-depth",
        "2",
        "--k8s-image",
        "registry.example.org/agent:1",
        "--display-name",
        "Bot",
        "--harness-file",
        &harness,
        "--agent-md-file",
        &instructions,
    ];
    let agent = svc_admin(&server, &update).await.json();
    let fields =
        ["trigger_mode", "cooldown_seconds", "daily_run_budget", "max_trigger_depth", "k8s_image", "display_name"];
    let values: Vec<_> = fields.iter().map(|field| agent[field].clone()).collect();
    let expected =
        [json!("reactive"), json!(600), json!(3), json!(2), json!("registry.example.org/agent:1"), json!("Bot")];
    assert_eq!(values, expected);
    assert_eq!((&agent["harness"], &agent["agent_md"]), (&json!({ "command": "run" }), &json!("Be kind.\n")));

    let again = svc_admin(&server, &["agents", "update", "bot", "--cooldown", "0", "--output", "json"]).await.json();
    assert_eq!((&again["cooldown_seconds"], &again["daily_run_budget"]), (&json!(0), &json!(3)));
    let shown = svc_admin(&server, &["agents", "show", "bot"]).await.worked();
    assert!(shown.contains("reactive") && shown.contains("9 bytes"), "{shown}");

    svc_admin(&server, &["agents", "update", "bot"]).await.refused(2, "at least one setting");
    svc_admin(&server, &["agents", "update", "bot", "--max-depth", "17"])
        .await
        .refused(1, "--max-depth must be 0 to 16");
    svc_admin(&server, &["agents", "update", "bot", "--harness-file", &instructions]).await.refused(1, "is not JSON");
    svc_admin(&server, &["agents", "update", "bot", "--agent-md-file", "/no/such"]).await.refused(1, "cannot be read");
    svc_admin(&server, &["agents", "update", "bto", "--cooldown", "1"]).await.refused(1, "did you mean bot?");
    server.stop().await;
}

#[both_engines]
async fn an_agent_is_paused_resumed_and_taken_out_of_quarantine(server: TestServer) {
    let server = owned(server).await;
    svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    assert_eq!(svc_admin(&server, &["agents", "pause", "bot"]).await.worked(), "bot is paused.\n");
    let shown = svc_admin(&server, &["agents", "show", "bot", "--output", "json"]).await.json();
    assert!(shown["paused_at"].is_string(), "{shown}");
    assert!(svc_admin(&server, &["agents", "list"]).await.worked().contains("paused"));
    assert_eq!(svc_admin(&server, &["agents", "resume", "bot"]).await.worked(), "bot is not paused.\n");
    server
        .hub
        .db()
        .write((), |tx, ()| Box::pin(tx.query("UPDATE agents SET quarantined_at = 1").execute()))
        .await
        .unwrap();
    assert!(svc_admin(&server, &["agents", "list"]).await.worked().contains("quarantined"));
    let lifted = svc_admin(&server, &["agents", "unquarantine", "bot", "--output", "json"]).await.json();
    assert_eq!((&lifted["quarantined_at"], &lifted["paused_at"]), (&Value::Null, &Value::Null));
    server.stop().await;
}

#[both_engines]
async fn keys_are_listed_and_revoked(server: TestServer) {
    let server = owned(server).await;
    let empty = svc_admin(&server, &["keys", "list"]).await;
    assert!(empty.stdout.is_empty() && empty.stderr.contains("agents create"), "{empty:?}");
    let key = svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    let listed = svc_admin(&server, &["keys", "list", "--owner", "ann", "--output", "json"]).await.json();
    assert_eq!((&listed["total"], &listed["keys"][0]["agent"]), (&json!(1), &json!("bot")));
    assert!(key.starts_with(listed["keys"][0]["prefix"].as_str().unwrap()));
    let id = listed["keys"][0]["id"].to_string();
    let revoked = svc_admin(&server, &["keys", "revoke", &id]).await.worked();
    assert!(revoked.contains("is revoked") && revoked.contains("rotate-key bot"), "{revoked}");
    assert!(server.hub.auth().bearer(&key).await.is_err());
    let active = svc_admin(&server, &["keys", "list", "--status", "active", "--output", "json"]).await.json();
    assert_eq!(active["total"], 0);
    let again = svc_admin(&server, &["keys", "revoke", &id, "--output", "json"]).await.json();
    assert_eq!(again["status"], "revoked");
    svc_admin(&server, &["keys", "revoke", "4711"]).await.refused(1, "There is no key 4711");
    svc_admin(&server, &["keys", "list", "--owner", "anm"]).await.refused(1, "did you mean ann?");
    server.stop().await;
}

#[both_engines]
async fn a_configuration_is_printed_alone_and_works_with_a_new_key(server: TestServer) {
    let server = owned(server).await;
    let create = svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await;
    assert!(create.stderr.contains("`svc-admin agents config bot`"), "{create:?}");
    let key = create.shown_once();
    let plain = svc_admin(&server, &["agents", "config", "bot"]).await;
    assert!(plain.stderr.contains("holds no key") && plain.stderr.contains("--rotate"), "{plain:?}");
    let pasted: Value = serde_json::from_str(&plain.worked()).unwrap();
    let entry = &pasted["mcpServers"]["svc"];
    assert_eq!((&entry["type"], &entry["url"]), (&json!("http"), &json!(server.url("/mcp"))));
    assert_eq!(entry["headers"]["Authorization"], "Bearer ${SVC_AGENT_KEY}");
    // Nothing was changed yet, nor is it by what is refused.
    svc_admin(&server, &["agents", "config", "bot", "--rotate", "--base-url", "hub"])
        .await
        .refused(1, "--base-url must be an address");
    svc_admin(&server, &["agents", "config", "bto", "--rotate"]).await.refused(1, "did you mean bot?");
    svc_admin(&server, &["agents", "config", "bot", "--client", "abacus"]).await.refused(2, "codex");
    server.hub.auth().bearer(&key).await.unwrap();

    let rotate =
        ["agents", "config", "bot", "--transport", "stdio", "--base-url", "https://hub.example.org", "--rotate"];
    let rotated = svc_admin(&server, &rotate).await;
    assert!(rotated.stderr.contains("shown only once"), "{rotated:?}");
    let pasted: Value = serde_json::from_str(&rotated.worked()).unwrap();
    let entry = &pasted["mcpServers"]["svc"];
    assert_eq!(
        (&entry["command"], &entry["args"]),
        (&json!("svc-mcp-stdio"), &json!(["--url", "https://hub.example.org"]))
    );
    let another = entry["env"]["SVC_AGENT_KEY"].as_str().unwrap();
    assert_eq!(server.hub.auth().bearer(&key).await.unwrap_err().code(), "token_revoked");
    server.hub.auth().bearer(another).await.unwrap();

    let codex = svc_admin(&server, &["agents", "config", "bot", "--client", "codex"]).await.worked();
    assert!(codex.starts_with("[mcp_servers.svc]\n") && codex.contains("bearer_token_env_var"), "{codex}");
    let object =
        svc_admin(&server, &["agents", "config", "bot", "--client", "cursor", "--output", "json"]).await.json();
    assert_eq!(
        (&object["format"], &object["place"], &object["has_key"]),
        (&json!("json"), &json!(".cursor/mcp.json"), &json!(false))
    );
    server.stop().await;
}

#[both_engines]
async fn instructions_are_printed_for_the_part_that_an_agent_plays(server: TestServer) {
    let server = owned(server).await;
    svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    let text = svc_admin(&server, &["agents", "instructions", "bot"]).await.worked();
    assert!(text.starts_with("# You are bot\n") && text.contains(&server.url("/mcp")), "{text}");
    let monitor = ["agents", "instructions", "bot", "--archetype", "monitor", "--base-url", "https://hub.example.org"];
    let text = svc_admin(&server, &monitor).await.worked();
    assert!(text.contains("## Your part: monitor") && text.contains("https://hub.example.org/mcp"), "{text}");
    let object = svc_admin(&server, &["agents", "instructions", "bot", "--output", "json"]).await.json();
    assert_eq!((&object["agent"], &object["archetype"]), (&json!("bot"), &json!("custom")));
    svc_admin(&server, &["agents", "instructions", "bot", "--archetype", "juggler"]).await.refused(2, "researcher");
    svc_admin(&server, &["agents", "instructions", "bto"]).await.refused(1, "did you mean bot?");
    server.stop().await;
}

#[both_engines]
async fn deleting_wants_to_be_confirmed(server: TestServer) {
    let server = owned(server).await;
    let key = svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.shown_once();
    svc_admin(&server, &["agents", "delete", "bot"]).await.refused(2, "--yes");
    server.hub.auth().bearer(&key).await.unwrap();
    assert_eq!(svc_admin(&server, &["agents", "delete", "bot", "--yes"]).await.worked(), "bot is deleted.\n");
    assert!(server.hub.auth().bearer(&key).await.is_err());
    svc_admin(&server, &["agents", "create", "bot", "--owner", "ann"]).await.refused(1, "taken or was used before");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused() {
    let server = with_owner().await;
    svc_admin(&server, &["agents", "create", "Bot", "--owner", "ann"]).await.refused(1, "AGENT must have 2 to 63");
    svc_admin(&server, &["agents", "create", "bot", "--owner", "anm"]).await.refused(1, "did you mean ann?");
    svc_admin(&server, &["agents", "create", "ann", "--owner", "ann"]).await.refused(1, "This name is taken");
    svc_admin(&server, &["agents", "list", "--owner", "nobody"]).await.refused(1, "There is no user \"nobody\"");
    for command in ["show", "rotate-key", "pause", "resume", "unquarantine"] {
        svc_admin(&server, &["agents", command, "nobody"]).await.refused(1, "There is no agent \"nobody\"");
    }
    svc_admin(&server, &["agents", "delete", "nobody", "--yes"]).await.refused(1, "agents list");
    let empty = svc_admin(&server, &["agents", "list", "--owner", "ann"]).await;
    assert!(empty.stderr.contains("ann has no agents yet") && empty.stdout.is_empty(), "{empty:?}");
    let empty = svc_admin(&server, &["agents", "list", "--output", "json"]).await.json();
    assert_eq!(empty, json!({ "agents": [], "total": 0 }));
    server.stop().await;
}
