//! The worker of each process that runs agents.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_model::harness::{ReplyMode, RunFailure, RunReport};
use svc_model::runs::RunStatus;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::begin::{self, Begun, Input};
use super::lanes::Lane;
use super::outcome::{self, Ending};
use super::prompt;
use super::service::{Live, Runs};
use super::span::RunSpan;
use super::store;
use crate::automation::harness::{LogSink, RunEnd, RunJob, RunResult};
use crate::clock::random_hex;
use crate::error::Result;
use crate::identity::auth::{Token, TokenKind};
use crate::ids::{AgentId, RunId};
use crate::limits;
use crate::messaging::messages::work;
use crate::store::queue::ClaimedItem;
use crate::store::workers::{Cadence, Placement, Progress, Worker};

/// Random bytes in the token of claims.
const TOKEN_BYTES: usize = 16;

/// The worker that runs agents. It has a fixed number of places, and a long run takes no more than its own.
pub(crate) struct RunDispatch {
    runs: Runs,
    lane: Lane,
    places: Arc<Semaphore>,
    under_way: Mutex<JoinSet<()>>,
    /// The server stops: runs are ended and interrupted.
    stopping: CancellationToken,
}

impl RunDispatch {
    pub(crate) fn new(runs: Runs, lane: Lane) -> Self {
        let places = match lane {
            Lane::Local => runs.settings.max_runs,
            Lane::Remote => limits::CLUSTER_JOBS,
        };
        let places = Arc::new(Semaphore::new(places as usize));
        Self { runs, lane, places, under_way: Mutex::default(), stopping: CancellationToken::new() }
    }

    fn take_up(&self, claimed: ClaimedItem, place: OwnedSemaphorePermit) {
        let (runs, lane, stopping) = (self.runs.clone(), self.lane, self.stopping.clone());
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            if let Err(error) = runs.run(lane, &claimed, &stopping).await {
                // The lease expires, and another round records the interruption.
                tracing::warn!(error = error.log_line(), "the end of a run could not be recorded");
            }
            drop(place);
        });
    }
}

#[async_trait]
impl Worker for RunDispatch {
    fn name(&self) -> &'static str {
        match self.lane {
            Lane::Local => "run_dispatch",
            Lane::Remote => "cluster_dispatch",
        }
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(5))
    }

    fn placement(&self) -> Placement {
        Placement::EveryProcess
    }

    async fn run_once(&self) -> Result<Progress> {
        let mut places = Vec::new();
        while places.len() < limits::CLAIM_MAX as usize
            && let Ok(place) = self.places.clone().try_acquire_owned()
        {
            places.push(place);
        }
        let free = u32::try_from(places.len()).unwrap_or(u32::MAX);
        if free == 0 || self.stopping.is_cancelled() {
            return Ok(Progress::Done);
        }
        let claimed = self.runs.lanes.queue(self.lane).claim(free).await?;
        let is_all = claimed.len() == places.len();
        for (claimed, place) in claimed.into_iter().zip(places) {
            self.take_up(claimed, place);
        }
        Ok(if is_all { Progress::More } else { Progress::Done })
    }

    async fn work_arrives(&self) {
        let Ok(place) = self.places.acquire().await else { return };
        drop(place);
        if self.runs.lanes.queue(self.lane).wait().await.is_err() {
            // The store is in trouble; the next round reports it.
            std::future::pending::<()>().await;
        }
    }

    async fn wind_down(&self) {
        self.stopping.cancel();
        let mut under_way = std::mem::take(&mut *self.under_way.lock().unwrap_or_else(PoisonError::into_inner));
        let finished = async { while under_way.join_next().await.is_some() {} };
        if tokio::time::timeout(limits::RUN_STOPPING, finished).await.is_err() {
            // Their leases end, and another node records that they were interrupted.
            under_way.shutdown().await;
        }
    }
}

/// What a heartbeat found.
#[derive(Debug, Clone, PartialEq)]
enum Pulse {
    /// The run goes on.
    Alive,
    /// Its owner cancels it.
    Cancelled,
    /// Its result has arrived.
    Reported(Box<RunReport>),
    /// It has ended, because its agent was deleted for example.
    Ended,
    /// Another node may have it.
    LeaseLost,
}

/// The result of supervising a run on this node.
#[derive(Debug)]
enum Supervised {
    Ended(RunEnd),
    /// It is not the run of this node any more.
    Lost,
    /// This node stops, and the run goes on in its cluster.
    Left,
}

fn ended(is_lost: bool, end: RunEnd) -> Supervised {
    if is_lost { Supervised::Lost } else { Supervised::Ended(end) }
}

impl Runs {
    /// Runs the agent of an item to its end, and records it.
    async fn run(&self, lane: Lane, claimed: &ClaimedItem, stopping: &CancellationToken) -> Result<()> {
        let credential = self.credential(lane, claimed);
        let input = Input {
            lane,
            queue: self.lanes.queue(lane).clone(),
            claimed: claimed.clone(),
            claim_token: random_hex(self.entropy.as_ref(), TOKEN_BYTES),
            credential: credential.hash(),
        };
        let Some(begun) = self.db.write(input, |tx, input| Box::pin(begin::begin(tx, input))).await? else {
            return Ok(());
        };
        let id = begun.run.id;
        let mut span = RunSpan::start(&self.tracer, &begun);
        let job = match self.job(&begun, &credential).await {
            Ok(job) => span.follow(job),
            Err(end) => {
                let (log, excerpt) = (String::new(), String::new());
                let ending = Ending { end, reply: ReplyMode::Never, log, excerpt, is_stopping: false };
                return self.record(lane, claimed, id, ending, span).await;
            }
        };
        self.store_prompt(&job).await?;
        let guard = self.go_live(id, LogSink::of(&job));
        let end = self.supervise(lane, claimed, &begun, &job, &guard.live, stopping).await;
        let log = &guard.live.log;
        log.close();
        let end = match end {
            Supervised::Ended(end) => end,
            Supervised::Lost => {
                tracing::warn!(run = id.0, "a run was given up, because its lease was lost or it had ended");
                return Ok(());
            }
            Supervised::Left => {
                // Another node goes on with it, or this one after its start.
                return self.lanes.queue(lane).release(claimed).await;
            }
        };
        let is_stopping = stopping.is_cancelled();
        let ending = Ending { end, reply: job.settings.reply, log: log.whole(), excerpt: log.excerpt(), is_stopping };
        self.record(lane, claimed, id, ending, span).await
    }

    /// The credential of a run. That of a Job is always the same, because a Job outlives its node.
    fn credential(&self, lane: Lane, claimed: &ClaimedItem) -> Token {
        match lane {
            Lane::Local => Token::mint(TokenKind::Run, self.entropy.as_ref()),
            Lane::Remote => {
                let item = &claimed.item;
                let context = format!("credential of item {} of {}", item.id, item.created_at);
                Token::derive(TokenKind::Run, &self.vault.derive(&context))
            }
        }
    }

    async fn record(
        &self,
        lane: Lane,
        claimed: &ClaimedItem,
        id: RunId,
        ending: Ending,
        mut span: RunSpan,
    ) -> Result<()> {
        span.note(&ending);
        let input = (self.lanes.queue(lane).clone(), claimed.clone(), id, ending);
        let recorded = self.db.write(input, |tx, (queue, claimed, id, ending)| {
            Box::pin(outcome::record(tx, queue, claimed, *id, ending))
        });
        let status: Option<RunStatus> = recorded.await?;
        if let Some(status) = status {
            self.meter.count(status);
            span.end(status);
            tracing::info!(run = id.0, %status, "a run ended");
        }
        Ok(())
    }

    async fn store_prompt(&self, job: &RunJob) -> Result<()> {
        let (text, is_cut) = prompt::marked(&job.prompt.replace('\0', "\u{fffd}"), limits::RUN_TEXT_MAX);
        // A run that is a Job is listed as one, whether or not the cluster takes it.
        let image = job.settings.image.clone().filter(|_| job.pod.is_some());
        let input = (job.run, job.settings.backend, text, is_cut, image);
        self.db
            .write(input, |tx, (run, backend, text, is_cut, image)| {
                Box::pin(async move {
                    if let Some(image) = image {
                        store::note_job(tx, *run, image).await?;
                    }
                    store::insert_harness_run(tx, *run, backend.as_str(), text, *is_cut).await
                })
            })
            .await
    }

    /// Runs the harness and renews the lease meanwhile.
    async fn supervise(
        &self,
        lane: Lane,
        claimed: &ClaimedItem,
        begun: &Begun,
        job: &RunJob,
        live: &Live,
        stopping: &CancellationToken,
    ) -> Supervised {
        // A Job goes on without this node, as long as its lease is free for another one.
        let is_remote = lane == Lane::Remote && job.pod.is_some();
        let running = self.harness.run(job, &live.log, live.cancel.clone());
        tokio::pin!(running);
        let mut beats = tokio::time::interval(limits::RUN_HEARTBEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let deadline = Instant::now() + Duration::from_secs(job.settings.timeout_seconds.into());
        // The harness keeps the time limit itself; this is for one that does not.
        let patience =
            if is_remote { limits::CLUSTER_PATIENCE + limits::CLUSTER_OVERDUE * 2 } else { limits::RUN_OVERDUE };
        let mut overdue = std::pin::pin!(tokio::time::sleep_until(deadline + patience));
        let (mut end, mut is_lost, mut is_late) = (None, false, false);
        loop {
            let is_accepted = end == Some(RunEnd::Accepted);
            tokio::select! {
                finished = &mut running, if end.is_none() => match finished {
                    RunEnd::Accepted => {
                        end = Some(RunEnd::Accepted);
                        // The result may have come first.
                        beats.reset_immediately();
                    }
                    // It was ended because its time was over.
                    RunEnd::Cancelled if is_late => return ended(is_lost, late()),
                    finished => return ended(is_lost, finished),
                },
                () = stopping.cancelled(), if is_remote => return Supervised::Left,
                () = stopping.cancelled(), if !live.cancel.is_cancelled() => live.cancel.cancel(),
                () = live.cancel.cancelled(), if is_accepted => return ended(is_lost, RunEnd::Cancelled),
                () = live.reported.notified() => beats.reset_immediately(),
                _ = beats.tick() => match self.beat(lane, claimed, begun, live).await {
                    Pulse::Cancelled => live.cancel.cancel(),
                    Pulse::Reported(report) if is_accepted => return Supervised::Ended(reported(*report, job)),
                    Pulse::Alive | Pulse::Reported(_) => {}
                    // Another node has it, and the Job is that node's.
                    Pulse::LeaseLost if is_remote => return Supervised::Lost,
                    Pulse::LeaseLost | Pulse::Ended => {
                        is_lost = true;
                        live.cancel.cancel();
                    }
                },
                () = tokio::time::sleep_until(deadline), if is_accepted => {
                    return Supervised::Ended(RunEnd::failed(RunFailure::Timeout, "no result arrived in time"));
                }
                () = &mut overdue => {
                    if is_late || is_accepted {
                        return ended(is_lost, late());
                    }
                    is_late = true;
                    live.cancel.cancel();
                    overdue.as_mut().reset(Instant::now() + limits::RUN_OVERDUE);
                }
            }
        }
    }

    /// Renews the lease of a run and of its messages, and reads what others want of it.
    async fn beat(&self, lane: Lane, claimed: &ClaimedItem, begun: &Begun, live: &Live) -> Pulse {
        let token = begun.run.claim_token.clone().unwrap_or_default();
        let input = (
            self.lanes.queue(lane).clone(),
            claimed.clone(),
            begun.run.id,
            begun.run.agent_id,
            token,
            live.log.whole(),
        );
        let found = self.db.write(input, |tx, (queue, claimed, id, agent, token, log)| {
            Box::pin(pulse(tx, queue, claimed, *id, *agent, token, log))
        });
        match found.await {
            Ok(pulse) => pulse,
            Err(error) if error.code() == "lease_lost" => Pulse::LeaseLost,
            Err(error) => {
                // The store is in trouble. The lease outlasts several heartbeats.
                tracing::warn!(run = begun.run.id.0, error = error.log_line(), "the lease of a run was not renewed");
                Pulse::Alive
            }
        }
    }
}

async fn pulse(
    tx: &mut crate::store::db::Tx,
    queue: &crate::store::queue::Queue,
    claimed: &ClaimedItem,
    id: RunId,
    agent: AgentId,
    token: &str,
    log: &str,
) -> Result<Pulse> {
    queue.renew_in(tx, claimed).await?;
    let Some(run) = store::state(tx, id).await?.filter(|run| run.status == RunStatus::Running) else {
        return Ok(Pulse::Ended);
    };
    work::renew(tx, agent, token, limits::RUN_LEASE).await?;
    if !log.is_empty() {
        store::put_log(tx, id, log).await?;
    }
    if run.cancel_requested_at.is_some() {
        return Ok(Pulse::Cancelled);
    }
    let report = run.report.as_deref().and_then(|report| serde_json::from_str(report).ok());
    Ok(report.map_or(Pulse::Alive, |report| Pulse::Reported(Box::new(report))))
}

/// The end of a run whose harness did not keep the time limit.
fn late() -> RunEnd {
    RunEnd::failed(RunFailure::Timeout, "it did not end when its time was over")
}

/// The end of a run whose backend delivered the result later.
fn reported(report: RunReport, job: &RunJob) -> RunEnd {
    let usage = report.usage.unwrap_or_default().bounded().priced(job.settings.prices.as_ref());
    let RunReport { response, session_id, trace_id, error, .. } = report;
    let result = RunResult { response, session_id, usage, trace_id, exit_code: None };
    match error {
        None => RunEnd::Succeeded(result),
        Some(detail) => RunEnd::Failed { reason: RunFailure::Report, detail, result },
    }
}
