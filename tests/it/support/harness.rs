//! A harness that ends as it is told, and agents that it runs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{Harness, LogSink, RunEnd, RunFailure, RunJob, RunResult};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::people::Person;
use super::server::TestServer;
use super::wait::until;

/// A harness that ends as it is told: without a word well, and without an answer. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct TestHarness(Arc<Told>);

#[derive(Default)]
struct Told {
    jobs: Mutex<Vec<RunJob>>,
    next: Mutex<VecDeque<Step>>,
}

enum Step {
    End(RunEnd),
    Wait(oneshot::Receiver<RunEnd>),
}

impl TestHarness {
    /// The next run ends so, at once.
    pub(crate) fn ends(&self, end: RunEnd) {
        self.0.next.lock().unwrap().push_back(Step::End(end));
    }

    /// The next run answers this.
    pub(crate) fn answers(&self, response: &str) {
        self.ends(RunEnd::Succeeded(RunResult { response: Some(response.into()), ..RunResult::default() }));
    }

    /// The next run fails.
    pub(crate) fn fails(&self, reason: RunFailure, detail: &str) {
        self.ends(RunEnd::failed(reason, detail));
    }

    /// The next run goes on until this is used or dropped, or until it is cancelled.
    pub(crate) fn waits(&self) -> oneshot::Sender<RunEnd> {
        let (sender, receiver) = oneshot::channel();
        self.0.next.lock().unwrap().push_back(Step::Wait(receiver));
        sender
    }

    /// The jobs so far.
    pub(crate) fn jobs(&self) -> Vec<RunJob> {
        self.0.jobs.lock().unwrap().clone()
    }

    /// Waits for this many jobs, and returns the last one.
    pub(crate) async fn job(&self, number: usize) -> RunJob {
        until(&format!("run {number}"), async || self.jobs().get(number - 1).cloned()).await
    }
}

#[async_trait]
impl Harness for TestHarness {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        log.write(format!("run {} of {}\n", job.run, job.agent).as_bytes());
        let step = self.0.next.lock().unwrap().pop_front();
        self.0.jobs.lock().unwrap().push(job.clone());
        match step {
            None => RunEnd::Succeeded(RunResult::default()),
            Some(Step::End(end)) => end,
            Some(Step::Wait(end)) => tokio::select! {
                end = end => end.unwrap_or_else(|_| RunEnd::failed(RunFailure::Internal, "the test is over")),
                () = cancel.cancelled() => RunEnd::Cancelled,
            },
        }
    }
}

impl TestServer {
    /// Makes an agent that the hub runs, without a cooldown; returns its key.
    pub(crate) async fn reactive(&self, owner: &Person, name: &str) -> String {
        let key = self.create_agent(owner, name).await;
        let settings = json!({
            "trigger_mode": "reactive", "cooldown_seconds": 0, "daily_run_budget": 100,
            "harness": { "command": "agent" },
        });
        self.set_agent(owner, name, settings).await;
        key
    }

    /// Changes settings of an agent.
    pub(crate) async fn set_agent(&self, owner: &Person, name: &str, settings: Value) -> Value {
        self.did(owner, Method::PATCH, &format!("/api/agents/{name}"), settings).await
    }

    /// The runs as their owner sees them, newest first.
    pub(crate) async fn runs(&self, owner: &Person, query: &str) -> Vec<Value> {
        self.look(owner, &format!("/api/runs{query}")).await["runs"].as_array().unwrap().clone()
    }

    /// The story of a run.
    pub(crate) async fn run(&self, owner: &Person, id: &Value) -> Value {
        self.look(owner, &format!("/api/runs/{id}")).await
    }

    /// Waits until the newest run has this status.
    pub(crate) async fn until_run(&self, owner: &Person, status: &str) -> Value {
        until(&format!("a run that is {status}"), async || {
            self.runs(owner, "").await.into_iter().next().filter(|run| run["status"] == status)
        })
        .await
    }

    /// Waits until a run with this id has this status.
    pub(crate) async fn until_status(&self, owner: &Person, id: &Value, status: &str) -> Value {
        until(&format!("run {id} is {status}"), async || {
            Some(self.run(owner, id).await).filter(|story| story["run"]["status"] == status)
        })
        .await
    }

    /// The statuses of the runs that a message started or was refused, oldest first.
    pub(crate) async fn statuses(&self, owner: &Person) -> Vec<String> {
        let runs = self.runs(owner, "?limit=200").await;
        runs.iter().rev().map(|run| run["status"].as_str().unwrap().to_owned()).collect()
    }
}
