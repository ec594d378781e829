//! Runs: the time from a message to the start of the process of its agent, and what reactive agents cost while nothing
//! happens.

use std::time::{Duration, Instant};

use serde_json::json;
use svc_core::agents::{AgentSettings, NewAgent, TriggerMode};
use svc_core::auth::{Password, Surface, Visit};
use svc_core::clock::{Clock, SystemClock};
use svc_core::harness::Launcher;
use svc_core::messages::NewMessage;
use svc_core::runs::{RunFilter, RunStatus};
use svc_core::users::NewUser;
use svc_core::{Caller, Hub, HubConfig, Timestamp};
use tempfile::TempDir;

use crate::report::{Bar, Report, Row};
use crate::waiting;

/// The required time, in microseconds.
const START: f64 = 50_000.0;
const MESSAGES: usize = 200;
const PASSWORD: &str = "correct horse battery";
/// Number of reactive agents that wait.
const AGENTS: usize = 200;

/// Adds the rows.
pub(crate) async fn measure(report: &mut Report) {
    let (p50, p95) = start_times().await;
    report.notes.push(format!("a process starts {:.1} ms after its message, p50", p50 / 1e3));
    report.rows.push(Row::micros("message to the start of a process, p95 ÷ 50 ms", p95, START, Bar::AtMost(1.0)));
    let name = format!("CPU of {AGENTS} reactive agents ÷ 2 % of a core");
    report.rows.push(Row::micros(&name, idle_cpu().await, waiting::ALLOWED, Bar::AtMost(1.0)));
}

async fn open(data: &TempDir) -> Hub {
    let mut config = HubConfig::at(data.path());
    config.bcrypt_cost = 4;
    config.runs.launcher = Some(Launcher::this_program());
    let hub = Hub::open(config).await.expect("a new hub opens");
    let password = Some(Password::parse("password", PASSWORD).expect("a valid password"));
    let ann = NewUser { password, ..NewUser::named("ann").expect("a valid name") };
    hub.users().create(&Caller::root(), ann).await.expect("the name is free");
    hub
}

async fn reactive(hub: &Hub, name: &str, script: &str) {
    let settings = AgentSettings {
        trigger_mode: Some(TriggerMode::Reactive),
        cooldown_seconds: Some(0),
        daily_run_budget: Some(1_000),
        harness: Some(json!({ "command": "sh", "args": ["-c", script], "reply": "never" })),
        ..AgentSettings::default()
    };
    let new =
        NewAgent { name: name.parse().expect("a valid name"), owner: Some("ann".parse().expect("valid")), settings };
    hub.agents().create(&Caller::root(), new).await.expect("the name is free");
}

/// Microseconds from before a send to the first command of the run, which tells the time: p50 and p95.
async fn start_times() -> (f64, f64) {
    let data = TempDir::new().expect("a temporary directory");
    let hub = open(&data).await;
    reactive(&hub, "scout", r#"printf '{"response": "%s"}\n' "$(date +%s%N)""#).await;
    // Many messages by an agent would be a loop.
    let visit = Visit::through(Surface::Rest);
    let login = hub.sessions().login("ann", PASSWORD, &visit).await.expect("the password is right");
    let writer = hub.auth().session(login.token.reveal()).await.expect("the session is new");
    let workers = hub.start_workers();
    let mut times = Vec::with_capacity(MESSAGES);
    for number in 0..MESSAGES {
        let sent_at = SystemClock.now();
        hub.messages().send(&writer, NewMessage::to("scout", number.to_string())).await.expect("the send succeeds");
        let started_at = first_command(&hub, number).await;
        times.push(started_at.since(sent_at).as_secs_f64() * 1e6);
    }
    workers.stop().await;
    hub.close().await;
    times.sort_by(f64::total_cmp);
    (times[MESSAGES / 2], times[MESSAGES * 95 / 100])
}

/// Waits for the end of the run with this number; the time that its first command told.
async fn first_command(hub: &Hub, number: usize) -> Timestamp {
    let succeeded = RunFilter { status: Some(RunStatus::Succeeded), limit: Some(1), ..RunFilter::default() };
    loop {
        let counts = hub.runs().counts();
        if counts.succeeded > number as u64 {
            let page = hub.runs().list(&Caller::root(), succeeded).await.expect("the list is read");
            let run = hub.runs().get(&Caller::root(), page.runs[0].id).await.expect("the run is there");
            let told = run.harness_run.and_then(|run| run.response).expect("it tells the time");
            return Timestamp::from_micros(told.parse::<i64>().expect("nanoseconds") / 1000);
        }
        assert_eq!(counts.failed, 0, "the run failed");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Microseconds of CPU per second while reactive agents wait for messages.
async fn idle_cpu() -> f64 {
    let data = TempDir::new().expect("a temporary directory");
    let hub = open(&data).await;
    for number in 0..AGENTS {
        reactive(&hub, &format!("scout-{number}"), "true").await;
    }
    let workers = hub.start_workers();
    tokio::time::sleep(waiting::SETTLING).await;
    let (before, begun) = (waiting::cpu(), Instant::now());
    tokio::time::sleep(waiting::WATCHED).await;
    let used = waiting::cpu().saturating_sub(before).as_secs_f64() * 1e6 / begun.elapsed().as_secs_f64();
    workers.stop().await;
    hub.close().await;
    used
}
