//! The hooks of clients: what is written into their settings, and what they say when they run.

use std::path::Path;

use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::messages::NewMessage;
use tempfile::TempDir;

use crate::support::child::{Ran, TestChild};
use crate::support::hub::TestHub;
use crate::support::pipe::Pipe;

fn hooks(arguments: &[&str]) -> Ran {
    TestChild::run_with("svc-mcp-stdio", &[&["hooks"], arguments].concat(), b"")
}

#[expect(clippy::disallowed_methods, reason = "these tests have nothing else to do")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "these tests have nothing else to do")]
fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn value(path: &Path) -> Value {
    serde_json::from_str(&text(path)).unwrap()
}

const CLIENTS: [(&str, &str, [&str; 3]); 3] = [
    ("claude", ".claude/settings.json", ["SessionStart", "UserPromptSubmit", "Stop"]),
    ("codex", ".codex/hooks.json", ["SessionStart", "UserPromptSubmit", "Stop"]),
    ("gemini", ".gemini/settings.json", ["SessionStart", "BeforeAgent", "AfterAgent"]),
];

#[test]
fn installing_twice_is_installing_once_and_removing_leaves_nothing() {
    for (client, file, events) in CLIENTS {
        let home = TempDir::new().unwrap();
        let (dir, path) = (home.path().display().to_string(), home.path().join(file));
        let tried = hooks(&["install", client, "--dir", &dir, "--dry-run"]);
        assert!(tried.code == 0 && tried.stdout.contains("wait --timeout 1s --hook"), "{tried:?}");
        assert!(!path.exists());
        let installed = hooks(&["install", client, "--dir", &dir]);
        assert_eq!((installed.code, installed.stderr.as_str()), (0, ""), "{installed:?}");
        assert!(installed.stdout.contains(file) && installed.stdout.contains("SVC_AGENT_KEY"), "{installed:?}");
        let first = text(&path);
        for event in events {
            let command = &value(&path)["hooks"][event][0]["hooks"][0]["command"];
            assert_eq!(*command, "svc-mcp-stdio wait --timeout 1s --hook", "{first}");
        }
        let again = hooks(&["install", client, "--dir", &dir]);
        assert!(again.stdout.contains("nothing was written"), "{again:?}");
        assert_eq!(text(&path), first);
        assert_eq!(hooks(&["remove", client, "--dir", &dir]).code, 0);
        assert_eq!(value(&path), json!({}));
    }
}

#[test]
fn what_stands_in_the_settings_stays() {
    let home = TempDir::new().unwrap();
    let (dir, path) = (home.path().display().to_string(), home.path().join(".claude/settings.json"));
    let theirs = r#"{"zebra": 1.50, "hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}]}, "apple": [ ]}"#;
    write(&path, theirs);
    assert_eq!(hooks(&["install", "claude", "--dir", &dir, "--url", "https://hub.example.org"]).code, 0);
    let with = text(&path);
    assert!(with.contains("1.50") && with.find("zebra") < with.find("apple"), "{with}");
    assert!(with.contains("svc-mcp-stdio --url https://hub.example.org wait --timeout 1s --hook"), "{with}");
    assert_eq!(value(&path)["hooks"]["Stop"].as_array().unwrap().len(), 2);
    // Another address takes the place of the first.
    assert_eq!(hooks(&["install", "claude", "--dir", &dir, "--url", "https://other.example.org"]).code, 0);
    assert!(!text(&path).contains("hub.example.org"));
    assert_eq!(hooks(&["remove", "claude", "--dir", &dir]).code, 0);
    assert_eq!(value(&path), serde_json::from_str::<Value>(theirs).unwrap());
}

#[test]
fn a_file_that_cannot_be_read_for_certain_is_left_alone() {
    let home = TempDir::new().unwrap();
    let (dir, path) = (home.path().display().to_string(), home.path().join(".gemini/settings.json"));
    for text_before in ["{ // mine\n}", "{\"hooks\": 7}", "{\"hooks\": {\"AfterAgent\": {}}}", "[]"] {
        write(&path, text_before);
        for verb in ["install", "remove"] {
            let refused = hooks(&[verb, "gemini", "--dir", &dir]);
            assert_eq!(refused.code, 2, "{text_before}: {refused:?}");
            assert!(refused.stderr.contains("settings.json") && refused.stderr.contains("--dir"), "{refused:?}");
            assert_eq!(text(&path), text_before);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_says_in_one_line_that_messages_wait_and_never_stands_in_the_way() {
    let test = TestHub::sqlite().await;
    let mut keys = Vec::new();
    for name in ["ann", "bob"] {
        let owner = Some("admin".parse().unwrap());
        let new = NewAgent { name: name.parse().unwrap(), owner, settings: AgentSettings::default() };
        keys.push(test.hub.agents().create(&Caller::root(), new).await.unwrap().key);
    }
    let data = test.config.data.display().to_string();
    let run = async |key: &str, event: Value| {
        let mut hook = Pipe::start(key, &["--data", &data, "wait", "--timeout", "1s", "--hook"]);
        hook.write(&event.to_string());
        hook.end().await
    };
    let stop = json!({ "hook_event_name": "Stop", "stop_hook_active": false });
    let nothing = run(&keys[1], stop.clone()).await;
    assert_eq!((nothing.code, nothing.rest.len()), (Some(0), 0), "{nothing:?}");
    let ann = test.hub.auth().bearer(&keys[0]).await.unwrap();
    test.hub.messages().send(&ann, NewMessage::to("bob", "private words")).await.unwrap();
    let said = run(&keys[1], stop).await;
    let line: Value = serde_json::from_str(&said.rest[0]).unwrap();
    assert_eq!((said.code, &line["decision"]), (Some(0), &json!("block")));
    assert!(line["reason"].as_str().unwrap().starts_with("svc: 1 message waits for you, from ann"), "{line}");
    assert!(!said.rest[0].contains("private words"));
    let said = run(&keys[1], json!({ "hook_event_name": "UserPromptSubmit", "prompt": "hi" })).await;
    let line: Value = serde_json::from_str(&said.rest[0]).unwrap();
    assert_eq!(line["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
    // A turn that a hook has prolonged may end, and a hook that fails only warns.
    let silent = run(&keys[1], json!({ "hook_event_name": "Stop", "stop_hook_active": true })).await;
    assert_eq!((silent.code, silent.rest.len()), (Some(0), 0), "{silent:?}");
    let failed = run("nonsense", json!({ "hook_event_name": "Stop" })).await;
    assert_eq!((failed.code, failed.rest.len()), (Some(1), 0), "{failed:?}");
}
