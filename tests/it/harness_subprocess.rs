//! Runs as commands: what they get, what they report, and that none of their processes outlives them.

use std::time::{Duration, Instant};

use svc_core::harness::{Harness, HarnessConfig, Harnesses, LogSink, RunEnd, RunFailure};
use svc_core::limits;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::support::runs::{
    SECRET, TestRuns, config, failed, gone, job, marked, processes, running, script, succeeded,
};
use crate::support::wait::until;

#[tokio::test]
async fn a_command_gets_its_files_and_reports_in_a_file() {
    let test = TestRuns::start().await;
    let checks = r#"
        test "$(cat prompt.md)" = "Is the build green?" || exit 10
        test "$(cat AGENTS.md CLAUDE.md GEMINI.md)" = "Be kind.Be kind.Be kind." || exit 11
        grep -q '"id": 41' messages.json || exit 12
        grep -q 127.0.0.1 .mcp.json && test -f skills/task-auction.md || exit 13
        test "$SVC_RUN_ID $SVC_AGENT $SVC_AGENT_KEY" = "7 scout svcx_credential-of-the-run" || exit 14
        test "$HOME" != "$PWD" && test -w "$HOME" && test -w "$TMPDIR" || exit 15
        read nothing && exit 16
        echo '{"response": "Green.", "session_id": "s-1", "usage": {"tokens_in": 10, "tokens_out": 2}}' > result.json"#;
    let result = succeeded(test.script(checks).await);
    assert_eq!((result.response.as_deref(), result.session_id.as_deref()), (Some("Green."), Some("s-1")));
    assert_eq!((result.usage.tokens(), result.exit_code), (12, Some(0)));
}

#[tokio::test]
async fn the_last_line_of_the_output_is_a_report_too() {
    let test = TestRuns::start().await;
    let result = succeeded(test.script(r#"echo working; echo '{"response": "Green."}'"#).await);
    assert_eq!(result.response.as_deref(), Some("Green."));
    // A command that reports nothing has done its work by other means.
    for text in ["echo 'not a report'", "printf '{\"resp'", "head -c 100000 /dev/urandom", "true"] {
        assert_eq!(succeeded(test.script(text).await).response, None, "{text}");
    }
}

#[tokio::test]
async fn a_failure_says_what_happened() {
    let test = TestRuns::start().await;
    let (reason, detail) = failed(test.script("echo 'no such branch' >&2; exit 3").await);
    assert_eq!(reason, RunFailure::ExitCode);
    assert!(detail.contains("exit code 3") && detail.contains("no such branch"), "{detail}");
    let (reason, detail) = failed(test.script("kill -9 $$").await);
    assert_eq!(reason, RunFailure::Signal, "{detail}");
    for text in
        ["echo garbage > result.json", "ln -s /etc/passwd result.json", "mkfifo result.json", "mkdir result.json"]
    {
        let (reason, detail) = failed(test.script(text).await);
        assert_eq!(reason, RunFailure::Report, "{text}: {detail}");
        assert!(!detail.contains("root:"), "{detail}");
    }
    let mut missing = script("scout", "");
    missing.settings.command = Some("no-such-command".into());
    let (reason, detail) = failed(test.run(&missing).await.0);
    assert_eq!(reason, RunFailure::NotStarted);
    assert!(detail.contains("no-such-command"), "{detail}");
}

#[tokio::test]
async fn a_run_that_ignores_the_request_to_end_is_killed() {
    let test = TestRuns::start().await;
    let mut job =
        marked(script("scout", "trap '' TERM; (trap '' TERM; sleep 1000) & while :; do sleep 1; done"), "deaf");
    job.settings.timeout_seconds = 1;
    let begun = Instant::now();
    let (reason, _) = failed(test.run(&job).await.0);
    assert_eq!(reason, RunFailure::Timeout);
    assert!(begun.elapsed() < limits::RUN_GRACE + Duration::from_secs(10));
    assert_eq!(processes("deaf"), Vec::<String>::new());
}

#[tokio::test]
async fn a_run_can_be_cancelled() {
    let test = TestRuns::start().await;
    let job = marked(script("scout", "sleep 1000 & sleep 1000"), "cancelled");
    let (log, cancel) = (LogSink::of(&job), CancellationToken::new());
    let (harnesses, token) = (test.harnesses.clone(), cancel.clone());
    let task = tokio::spawn(async move { harnesses.run(&job, &log, token).await });
    running("cancelled", 2).await;
    cancel.cancel();
    assert_eq!(task.await.unwrap(), RunEnd::Cancelled);
    assert_eq!(processes("cancelled"), Vec::<String>::new());
}

#[tokio::test]
async fn no_process_outlives_its_run() {
    let test = TestRuns::start().await;
    // A hundred processes, each in a session of its own and without its parent.
    let forks = "i=0; while [ $i -lt 100 ]; do (setsid sleep 1000 > /dev/null 2>&1 &); i=$((i+1)); done
        echo '{\"response\": \"left\"}'";
    let (end, _) = test.run(&marked(script("scout", forks), "hundred")).await;
    assert_eq!(succeeded(end).response.as_deref(), Some("left"));
    assert_eq!(processes("hundred"), Vec::<String>::new());
}

#[tokio::test]
async fn a_run_ends_with_its_server() {
    let test = TestRuns::start().await;
    let job = marked(script("scout", "(setsid sleep 1000 &) ; trap '' TERM; sleep 1000"), "orphan");
    let harnesses = test.harnesses.clone();
    let task = tokio::spawn(async move { harnesses.run(&job, &LogSink::of(&job), CancellationToken::new()).await });
    running("orphan", 2).await;
    // The launcher notices that nobody is there any more.
    task.abort();
    gone("orphan").await;
}

#[tokio::test]
async fn what_an_earlier_server_left_is_ended_at_start() {
    let data = TempDir::new().unwrap();
    let servers = data.path().join("runs/servers");
    tokio::fs::create_dir_all(&servers).await.unwrap();
    tokio::fs::write(servers.join("earlier"), "").await.unwrap();
    let mut left = std::process::Command::new("sleep").arg("1000").env("SVC_RUN_SERVER", "earlier").spawn().unwrap();
    let mut other = std::process::Command::new("sleep").arg("1000").env("SVC_RUN_SERVER", "another").spawn().unwrap();
    // A spawned process has its environment a moment later than its identifier.
    for process in [&left, &other] {
        let file = format!("/proc/{}/environ", process.id());
        until("the environment of a process", async || {
            tokio::fs::read(&file).await.unwrap().windows(14).any(|name| name == b"SVC_RUN_SERVER").then_some(())
        })
        .await;
    }
    let first = Harnesses::standalone(config(data.path()), "".parse().unwrap()).await.unwrap();
    let status = until("the end of what was left", async || left.try_wait().unwrap()).await;
    assert!(!status.success());
    assert!(!servers.join("earlier").exists());
    // A second server on the directory leaves the first one alone.
    let _second = Harnesses::standalone(config(data.path()), "".parse().unwrap()).await.unwrap();
    assert_eq!(std::fs::read_dir(&servers).unwrap().count(), 2);
    drop(first);
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn memory_and_processes_are_limited_for_a_run_as_a_whole() {
    let test = TestRuns::start().await;
    let mut hungry = script(
        "scout",
        "for i in 1 2 3 4; do (head -c 40000000 /dev/zero; sleep 1000) | tail -c 41000000 > /dev/null & done; wait",
    );
    hungry.settings.memory_mb = Some(64);
    assert_eq!(failed(test.run(&marked(hungry, "hungry")).await.0).0, RunFailure::Memory);
    assert_eq!(processes("hungry"), Vec::<String>::new());
    let many = format!("i=0; while [ $i -lt {} ]; do sleep 1000 & i=$((i+1)); done; wait", limits::RUN_PROCESSES + 50);
    let (end, _) = test.run(&marked(script("scout", &many), "many")).await;
    assert_eq!(failed(end).0, RunFailure::Processes);
    assert_eq!(processes("many"), Vec::<String>::new());
}

#[tokio::test]
async fn a_run_that_passes_its_own_limit_is_ended() {
    let test = TestRuns::start().await;
    let mut job = script("scout", r#"echo '{"usage": {"tokens_in": 500}}'; sleep 1000"#);
    job.settings.max_tokens = Some(400);
    assert_eq!(failed(test.run(&job).await.0).0, RunFailure::Limit);
}

#[tokio::test]
async fn a_log_is_bounded_followed_and_without_secrets() {
    let test = TestRuns::start().await;
    let mut job =
        script("scout", "echo \"key $OWNER_KEY and $SVC_AGENT_KEY\"; while :; do echo line; echo error >&2; done");
    job.settings.timeout_seconds = 2;
    let log = LogSink::of(&job);
    let mut follower = log.follow();
    let (harnesses, own) = (test.harnesses.clone(), log.clone());
    let task = tokio::spawn(async move { harnesses.run(&job, &own, CancellationToken::new()).await });
    let mut first = String::new();
    while !first.contains("line") {
        first.push_str(&String::from_utf8_lossy(&follower.next().await.unwrap()));
    }
    assert!(first.contains("key [secret] and [secret]"), "{first}");
    assert_eq!(failed(task.await.unwrap()).0, RunFailure::Timeout);
    assert!(log.whole().len() <= limits::RUN_LOG_MAX && log.excerpt().len() <= limits::RUN_EXCERPT_MAX);
    assert!(!log.whole().contains(SECRET));
}

#[tokio::test]
async fn a_session_is_continued_in_the_same_home() {
    let test = TestRuns::start().await;
    let first = script("scout", "pwd > \"$HOME/place\"; echo '{\"session_id\": \"s-1\"}'");
    assert_eq!(succeeded(test.run(&first).await.0).session_id.as_deref(), Some("s-1"));
    let mut second = script("scout", "test \"$(cat \"$HOME/place\")\" = \"$(pwd)\" && test \"$SVC_SESSION_ID\" = s-1");
    second.session_id = Some("s-1".into());
    succeeded(test.run(&second).await.0);
    let other = script("other", "test ! -e \"$HOME/place\"");
    succeeded(test.run(&other).await.0);
}

#[tokio::test]
async fn without_a_launcher_no_command_is_run() {
    let test = TestRuns::start_with(|config: &mut HarnessConfig| config.launcher = None).await;
    let (reason, detail) = failed(test.script("true").await);
    assert_eq!(reason, RunFailure::Settings, "{detail}");
    let empty = job("scout", svc_core::harness::HarnessSettings::default());
    assert_eq!(failed(TestRuns::start().await.run(&empty).await.0).0, RunFailure::Settings);
}

#[tokio::test]
async fn the_example_in_shell_answers() {
    let test = TestRuns::start().await;
    let agent = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/reactive_agent/agent.sh");
    let mut job = script("scout", "./agent.sh");
    job.settings.files.insert("agent.sh".into(), tokio::fs::read_to_string(&agent).await.unwrap());
    job.messages = serde_json::json!({ "messages": [{ "body": "Hello." }, { "body": "Still there?" }] });
    for (run, session) in [("1", None), ("2", Some("scout-7"))] {
        job.session_id = session.map(str::to_owned);
        let result = succeeded(test.run(&job).await.0);
        assert_eq!(result.response.unwrap(), format!("I have read 2 waiting messages, in run {run}."));
        assert_eq!(result.session_id.as_deref(), Some("scout-7"));
    }
}
