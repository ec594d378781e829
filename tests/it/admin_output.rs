//! `svc-admin -o json`: every command prints one document, and nothing else.

use std::collections::BTreeSet;

use clap::Command;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

/// Commands, each of which finds what those before it have made, and a field of each document.
const COMMANDS: &[(&str, &str)] = &[
    ("status", "/readiness/status"),
    ("users create ann", "/user/username"),
    ("users create bob", "/password"),
    ("users create cleo", "/user/role"),
    ("users list --limit 1", "/users/0/created_at"),
    ("users passwd bob", "/password"),
    ("users set-role bob admin", "/role"),
    ("users disable bob", "/disabled_at"),
    ("users enable bob", "/username"),
    ("users sessions bob", "/sessions"),
    ("users sessions bob --end", "/ended"),
    ("users invite --note Eve", "/invite"),
    ("invites list", "/invites/0/id"),
    ("invites revoke 1", "/revoked_at"),
    ("agents create scout --owner ann", "/key"),
    ("agents create minion --owner bob", "/agent/name"),
    ("agents list --owner ann", "/agents/0/owner"),
    ("agents show scout", "/trigger_mode"),
    ("agents update scout --cooldown 10m --budget-usd 2.5", "/cooldown_seconds"),
    ("agents rotate-key scout", "/key"),
    ("agents config scout", "/text"),
    ("agents instructions scout", "/text"),
    ("agents pause scout", "/paused_at"),
    ("agents resume scout", "/name"),
    ("agents budget scout", "/usd/limit"),
    ("agents reputation scout", "/score"),
    ("keys list", "/keys/0/id"),
    ("keys revoke 2", "/revoked_at"),
    ("channels create releases --owner ann --private --member bob", "/member_count"),
    ("channels list", "/channels/0/name"),
    ("channels show releases", "/public"),
    ("channels update releases --topic Soon", "/topic"),
    ("channels invite releases scout", "/members/0/joined_at"),
    ("channels members releases", "/members/0/name"),
    ("channels remove releases bob", "/removed"),
    ("channels archive releases --yes", "/archived_at"),
    ("messages send --to ann Hello.", "/id"),
    ("messages list", "/messages/0/created_at"),
    ("messages search hello --as ann", "/total_is_exact"),
    ("messages show 1", "/receipts/receipts"),
    ("messages delete 1 --yes", "/deleted_at"),
    ("messages purge --older-than 90d --yes", "/removed"),
    ("clients create Portal --device --auth-method none", "/client/client_id"),
    ("clients list", "/clients/0/created_at"),
    ("dead-letters list", "/dead_letters"),
    ("tasks list", "/tasks"),
    ("webhooks create scout https://1.1.1.1/hook --event run.finished", "/secret"),
    ("webhooks list", "/webhooks/0/events"),
    ("webhooks disable 1", "/enabled"),
    ("webhooks enable 1", "/enabled"),
    ("webhooks deliveries 1", "/deliveries"),
    ("webhooks delete 1 --yes", "/id"),
    ("runs list", "/runs"),
    ("handlers list", "/handlers"),
    ("handlers runs", "/runs"),
    ("goals list", "/goals"),
    ("loops list --all", "/loops"),
    ("secrets list", "/secrets"),
    ("machines show", "/audience"),
    ("machines purge --until 90d --yes", "/events"),
    ("machines keygen", "/key/kid"),
    ("attachments list", "/attachments"),
    ("attachments gc", "/removed"),
    ("audit list --limit 2", "/entries/0/id"),
    ("audit stats --since 2026-01-01", "/stats"),
    ("traces list --limit 2", "/traces/0/action"),
    ("traces stats --until 2027-01-01", "/total"),
    ("traces purge --older-than 90d --yes", "/removed"),
    ("backup schedule", "/schedule"),
    ("backup list", "/backups"),
    ("db check", "/ok"),
    ("db vacuum", "/bytes_after"),
    ("db migrate", "/migrations/0/name"),
    ("agents delete scout --yes", "/deleted"),
    ("users delete cleo --yes", "/deleted"),
];

/// Commands that need more than a hub, such as an endpoint, a cluster, a goal or a file: their nouns have tests.
const ELSEWHERE: &[&str] = &[
    "agents unquarantine",
    "attachments backup",
    "attachments restore",
    "backup create",
    "backup restore",
    "backup verify",
    "clients delete",
    "dead-letters discard",
    "dead-letters retry",
    "dead-letters show",
    "doctor",
    "goals approve",
    "goals cancel",
    "goals reject",
    "goals show",
    "handlers create",
    "handlers delete",
    "handlers logs",
    "handlers show",
    "loops lift",
    "machines check",
    "machines load",
    "runs cancel",
    "runs logs",
    "runs preview",
    "runs retry",
    "runs show",
    "runs start",
    "secrets set",
    "secrets unset",
    "tasks cancel",
    "tasks show",
    "webhooks retry",
    "webhooks test",
    "wiki export",
    "wiki import",
    // They print a script, and records in the format of --format.
    "completions",
    "audit export",
    "traces export",
];

fn leaves(command: &Command, path: &str, found: &mut BTreeSet<String>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let path = format!("{path} {}", inner.get_name()).trim_start().to_owned();
        if inner.has_subcommands() {
            leaves(inner, &path, found);
        } else {
            found.insert(path);
        }
    }
}

#[test]
fn every_command_is_in_a_table() {
    let mut commands = BTreeSet::new();
    leaves(&svc_admin::cli::command(), "", &mut commands);
    let is_of = |command: &str, line: &str| line == command || line.starts_with(&format!("{command} "));
    for command in &commands {
        let tried = COMMANDS.iter().any(|(line, _)| is_of(command, line));
        assert!(tried != ELSEWHERE.contains(&command.as_str()), "{command} belongs into one of the tables");
    }
    for named in ELSEWHERE {
        assert!(commands.contains(*named), "{named} is no command");
    }
}

#[both_engines]
async fn every_command_prints_one_document(server: TestServer) {
    for (line, field) in COMMANDS {
        let arguments: Vec<_> = line.split(' ').chain(["-o", "json"]).collect();
        let ran = svc_admin(&server, &arguments).await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{line}: {ran:?}");
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(document.is_object() && document.pointer(field).is_some(), "{line}: {field} is not in {document}");
    }
    server.stop().await;
}

#[both_engines]
async fn a_document_has_the_ids_and_the_times_of_the_other_surfaces(server: TestServer) {
    let ann = server.person("ann").await;
    let sent = server.say(&ann, json!({ "channel": "general", "body": "hello all" })).await;
    let id = sent["id"].to_string();
    for spelling in [&["-o", "json"][..], &["-ojson"], &["--output", "json"], &["--output=json"]] {
        let arguments = [spelling, &["messages", "show", &id]].concat();
        let shown = svc_admin(&server, &arguments).await.json();
        for field in ["id", "conversation_id", "created_at", "from", "body"] {
            assert_eq!(shown["message"][field], sent[field], "{field}");
        }
    }
    assert_eq!(
        svc_admin(&server, &["channels", "list", "-o", "json"]).await.json()["channels"][0]["created_at"],
        server.look(&ann, "/api/channels").await["channels"][0]["created_at"],
    );
    assert!(svc_admin(&server, &["users", "list", "-o", "table"]).await.worked().starts_with("NAME"));
    svc_admin(&server, &["users", "list", "-o", "yaml"]).await.refused(2, "[possible values: table, json]");
    server.stop().await;
}
