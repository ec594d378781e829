//! What a confined run cannot reach, and runs elsewhere than on this machine.

use std::path::Path;

use serde_json::json;
use svc_core::harness::{ConfinementMode, Harness, HarnessBackend, HarnessSettings, RunEnd, RunFailure};

use crate::support::receiver::{Receiver, Reply};
use crate::support::runs::{SECRET, TestRuns, failed, job, script, succeeded, webhook};
use crate::support::wait::until;

/// Tries something that has to fail.
fn forbidden(name: &str, attempt: &str) -> String {
    format!("if {attempt} > /dev/null 2>&1; then echo 'REACHED {name}'; fi\n")
}

#[tokio::test]
async fn a_confined_run_reaches_nothing_of_the_hub_and_of_other_runs() {
    let test = TestRuns::start().await;
    let Some(words) = test.harnesses.confinement().await.unwrap().filter(|words| words.contains("Landlock")) else {
        eprintln!("skipped: this kernel has no Landlock, so runs are not confined");
        return;
    };
    assert!(words.contains("seccomp"), "{words}");
    let data = test.data.path().display().to_string();
    tokio::fs::write(test.data.path().join("secret.key"), "the key of the hub").await.unwrap();
    succeeded(test.run(&script("other", "echo private > \"$HOME/diary\"")).await.0);
    let outside = format!("/tmp/svc-outside-{}", std::process::id());
    let server = std::process::id();
    let version: u32 = words.split([' ', ',']).nth(1).unwrap().parse().unwrap();
    // Older versions do not check signals.
    let signal = if version >= 6 { format!("kill -0 {server}") } else { "false".into() };
    let mut attack = String::new();
    for (name, attempt) in [
        ("the key", format!("cat {data}/secret.key")),
        ("the data directory", format!("ls {data}")),
        ("another run", format!("cat {data}/runs/agents/other/home/diary")),
        ("a change of the key", format!("sh -c 'echo x > {data}/secret.key'")),
        ("a cut of the key", format!("truncate -s 0 {data}/secret.key")),
        ("a removal of the key", format!("rm -f {data}/secret.key")),
        ("a link to the key", format!("ln {data}/secret.key key")),
        ("a file outside", format!("touch {outside}")),
        ("the environment of the server", format!("cat /proc/{server}/environ")),
        ("the files of the server", format!("readlink /proc/{server}/fd/0")),
        ("the passwords of the machine", "cat /etc/shadow".to_owned()),
        ("the process of the server", signal),
        ("a Unix socket", "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1'".to_owned()),
    ] {
        attack.push_str(&forbidden(name, &attempt));
    }
    attack.push_str(
        "cp prompt.md \"$TMPDIR/copy\" && mv \"$TMPDIR/copy\" \"$HOME/copy\" && ls /usr > /dev/null || exit 9\n",
    );
    attack.push_str("perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) or exit 1' || exit 8\n");
    let (end, log) = test.run(&script("scout", &attack)).await;
    succeeded(end);
    let log = log.whole();
    assert!(!log.contains("REACHED"), "{log}");
    assert!(log.contains("confined by Landlock"), "{log}");
    assert!(!Path::new(&outside).exists());
    let key = tokio::fs::read_to_string(test.data.path().join("secret.key")).await.unwrap();
    assert_eq!(key, "the key of the hub");
}

#[tokio::test]
async fn confinement_can_be_turned_off() {
    let test = TestRuns::start_with(|config| config.confinement = ConfinementMode::Off).await;
    assert_eq!(test.harnesses.confinement().await.unwrap(), None);
    tokio::fs::write(test.data.path().join("open"), "x").await.unwrap();
    let command = format!("cat {}/open", test.data.path().display());
    succeeded(test.script(&command).await);
}

#[tokio::test]
async fn confinement_can_be_required() {
    let test = TestRuns::start_with(|config| config.confinement = ConfinementMode::Require).await;
    match test.harnesses.confinement().await {
        Ok(words) => {
            assert!(words.is_some_and(|words| words.contains("Landlock") && words.contains("seccomp")));
            succeeded(test.script("true").await);
        }
        // A kernel that cannot do it runs nothing.
        Err(_) => assert_eq!(failed(test.script("true").await).0, RunFailure::Confinement),
    }
}

/// A program in place of `docker`. It notes its arguments and variables, and reports.
const DOCKER: &str = r#"#!/bin/sh
printf '%s\n' "$@" >> "$(dirname "$0")/arguments"
case "$1" in
  run) env > "$(dirname "$0")/variables"; echo; echo '{"response": "from a container"}' ;;
  ps) echo svc-run-gone-other-3 ;;
esac
"#;

#[tokio::test]
async fn a_container_gets_its_limits_and_no_secret_in_its_arguments() {
    let tools = tempfile::TempDir::new().unwrap();
    let docker = tools.path().join("docker");
    tokio::fs::write(&docker, DOCKER).await.unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    tokio::fs::set_permissions(&docker, executable).await.unwrap();
    let test = TestRuns::start_with(|config| config.container_command = Some(docker)).await;
    let noted = tools.path().join("arguments");
    until("what an earlier server left is removed", async || {
        let arguments = tokio::fs::read_to_string(&noted).await.unwrap_or_default();
        arguments.contains("rm\n--force\n--volumes\nsvc-run-gone-other-3\n").then_some(())
    })
    .await;
    let settings = HarnessSettings {
        backend: HarnessBackend::Docker,
        image: Some("registry.example.org/agent:1".into()),
        args: vec!["--verbose".into()],
        memory_mb: Some(100),
        ..HarnessSettings::default()
    };
    let (end, _) = test.run(&job("scout", settings)).await;
    assert_eq!(succeeded(end).response.as_deref(), Some("from a container"));
    let arguments = tokio::fs::read_to_string(&noted).await.unwrap();
    for argument in [
        "--cap-drop=ALL",
        "--read-only",
        "--security-opt=no-new-privileges",
        "--memory=104857600",
        "--pids-limit=256",
        "HOME=/home/agent",
        "OWNER_KEY",
        "registry.example.org/agent:1",
        "--verbose",
    ] {
        assert!(arguments.lines().any(|line| line == argument), "{argument} in {arguments}");
    }
    let name = arguments.lines().find_map(|line| line.strip_prefix("--name=")).unwrap();
    assert!(name.starts_with("svc-run-") && name.ends_with("-scout-7"), "{name}");
    assert!(arguments.contains(&format!("rm\n--force\n--volumes\n{name}\n")), "{arguments}");
    assert!(!arguments.contains(SECRET) && !arguments.contains("svcx_"));
    let variables = tokio::fs::read_to_string(tools.path().join("variables")).await.unwrap();
    assert!(
        variables.contains(&format!("OWNER_KEY={SECRET}")) && variables.contains("SVC_RESULT_FILE=/work/result.json")
    );
}

const WHSEC: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[tokio::test]
async fn a_webhook_answers_at_once_or_later() {
    let test = TestRuns::start().await;
    let mut receiver = Receiver::start().await;
    receiver.then([Reply::Status(200, r#"{"response": "Green.", "usage": {"tokens_out": 3}}"#)]);
    let job = webhook(&receiver.url, WHSEC);
    let result = succeeded(test.run(&job).await.0);
    assert_eq!((result.response.as_deref(), result.usage.tokens_out), (Some("Green."), 3));
    let request = receiver.next().await;
    assert!(request.is_signed_by(WHSEC));
    let body = request.body();
    assert_eq!((&body["type"], &body["data"]["run_id"]), (&json!("run.requested"), &json!(7)));
    assert_eq!(body["data"]["result_url"], "http://127.0.0.1:1/api/runs/7/result");
    assert_eq!((request.header("svc-depth"), request.header("webhook-id")), ("1", "run_7"));
    assert!(!request.text.contains(SECRET), "secrets of the owner stay here");
    receiver.then([Reply::Status(202, "")]);
    assert_eq!(test.run(&job).await.0, RunEnd::Accepted);
    for (reply, reason) in [
        (Reply::Status(500, "down"), RunFailure::Status),
        (Reply::Status(200, "not a report"), RunFailure::Report),
        (Reply::Status(200, r#"{"error": "no"}"#), RunFailure::Report),
        (Reply::Flood, RunFailure::Report),
        (Reply::BreakOff, RunFailure::Unreachable),
    ] {
        receiver.then([reply.clone()]);
        assert_eq!(failed(test.run(&job).await.0).0, reason, "{reply:?}");
    }
    let refused = failed(test.run(&webhook("http://10.0.0.1:8080/", WHSEC)).await.0);
    assert_eq!(refused.0, RunFailure::Unreachable, "{}", refused.1);
    let unsigned = failed(test.run(&webhook(&receiver.url, "x")).await.0);
    assert_eq!(unsigned.0, RunFailure::Secret, "{}", unsigned.1);
}
