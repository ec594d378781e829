//! A command under a launcher, as the server sees it: its output, its time, and its end.

use std::process::Stdio;
use std::time::Duration;

use svc_model::harness::{HarnessSettings, RunFailure};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::launcher::{Ended, LaunchSpec, Launcher, Order, Report};
use super::log::LogSink;
use super::output::Output;
use crate::limits;

/// What became of a command.
pub(super) enum Outcome {
    /// It ended by itself, or because of its memory or its processes.
    Ended(Ended),
    /// It took too long, and was ended.
    Timeout,
    /// It passed its own limit, and was ended.
    Limit,
    /// It was ended on request.
    Cancelled,
    /// It was not started, or the launcher failed.
    Failed(RunFailure, String),
}

/// The end of a command.
pub(super) struct Finished {
    pub(super) outcome: Outcome,
    /// Whether it is certain that no process of it is left.
    pub(super) is_certain: bool,
}

impl Finished {
    fn failed(reason: RunFailure, detail: impl Into<String>, is_certain: bool) -> Self {
        Self { outcome: Outcome::Failed(reason, detail.into()), is_certain }
    }
}

/// The reason why the server ends a run.
#[derive(Clone, Copy)]
enum Why {
    Timeout,
    Limit,
    Cancelled,
}

/// A launcher that was given its task.
struct Launched {
    child: Child,
    reports: Lines<BufReader<OwnedReadHalf>>,
    orders: OwnedWriteHalf,
    /// Whether it was asked to end the run.
    is_asked: bool,
}

impl Launched {
    async fn start(launcher: &Launcher, spec: &LaunchSpec) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("the launcher: {error}");
        let (own, other) = std::os::unix::net::UnixStream::pair().map_err(failed)?;
        own.set_nonblocking(true).map_err(failed)?;
        let child = Command::new(&launcher.program)
            .args(&launcher.arguments)
            .env_clear()
            .envs(launcher.environment.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(other)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let (reading, mut orders) = UnixStream::from_std(own).map_err(failed)?.into_split();
        let mut line = serde_json::to_vec(spec).map_err(|error| error.to_string())?;
        line.push(b'\n');
        orders.write_all(&line).await.map_err(failed)?;
        Ok(Self { child, reports: BufReader::new(reading).lines(), orders, is_asked: false })
    }

    /// The next report; `None` when the launcher is gone.
    async fn report(&mut self) -> Option<Report> {
        let line = self.reports.next_line().await.ok().flatten()?;
        serde_json::from_str(&line).ok()
    }

    /// Asks it to end the run.
    async fn end(&mut self) {
        self.is_asked = true;
        if let Ok(mut line) = serde_json::to_vec(&Order::End) {
            line.push(b'\n');
            // When it is gone, its report says so.
            drop(self.orders.write_all(&line).await);
        }
    }

    /// Closes the socket, after which a launcher ends the run and itself.
    async fn finish(self) {
        let Self { mut child, reports, orders, .. } = self;
        drop((reports, orders));
        if timeout(limits::RUN_ENDING + limits::RUN_DRAIN, child.wait()).await.is_err() {
            drop(child.kill().await);
        }
    }
}

/// Tries what confines runs, without running anything.
pub(super) async fn probe(launcher: &Launcher, spec: &LaunchSpec) -> Result<Option<String>, String> {
    let mut process = Launched::start(launcher, spec).await?;
    let answer = timeout(limits::RUN_LAUNCH, process.report()).await;
    process.finish().await;
    match answer {
        Ok(Some(Report::Tried(words))) => Ok(words),
        Ok(Some(Report::NotConfined(reason) | Report::NotStarted(reason))) => Err(reason),
        _ => Err("the launcher gave no answer".into()),
    }
}

/// Runs a command to its end. Its output goes to the log, and its standard output to `output` as well.
pub(super) async fn run(
    launcher: &Launcher,
    spec: &LaunchSpec,
    settings: &HarnessSettings,
    log: &LogSink,
    output: &mut Output,
    cancel: &CancellationToken,
) -> Finished {
    let mut process = match Launched::start(launcher, spec).await {
        Ok(process) => process,
        Err(reason) => return Finished::failed(RunFailure::NotStarted, reason, true),
    };
    match timeout(limits::RUN_LAUNCH, process.report()).await {
        Ok(Some(Report::Started { confined, .. })) => {
            if spec.confinement.is_some() {
                log.note(&format!("confined by {}", confined.as_deref().unwrap_or("nothing: the kernel cannot do it")));
            }
        }
        Ok(Some(Report::NotConfined(reason))) => return Finished::failed(RunFailure::Confinement, reason, true),
        Ok(Some(Report::NotStarted(reason))) => return Finished::failed(RunFailure::NotStarted, reason, true),
        _ => {
            process.finish().await;
            return Finished::failed(RunFailure::NotStarted, "the launcher gave no answer", false);
        }
    }
    let deadline = Instant::now() + Duration::from_secs(settings.timeout_seconds.into());
    let (stdout, stderr) = (process.child.stdout.take(), process.child.stderr.take());
    let outputs = (stdout, stderr);
    follow(process, outputs, deadline, settings, log, output, cancel).await
}

async fn follow(
    mut process: Launched,
    (stdout, stderr): (Option<tokio::process::ChildStdout>, Option<tokio::process::ChildStderr>),
    deadline: Instant,
    settings: &HarnessSettings,
    log: &LogSink,
    output: &mut Output,
    cancel: &CancellationToken,
) -> Finished {
    let mut stdout = Stream::new(stdout);
    let mut stderr = Stream::new(stderr);
    let mut why = None;
    let mut ended = None;
    // Longer than the launcher takes to end everything.
    let mut patience = deadline + limits::RUN_GRACE + limits::RUN_ENDING + limits::RUN_DRAIN;
    loop {
        tokio::select! {
            bytes = stdout.next() => {
                output.take(bytes);
                log.write(bytes);
                if why.is_none() && ended.is_none() && output.usage().exceeds(settings) {
                    why = Some(Why::Limit);
                }
            }
            bytes = stderr.next() => log.write(bytes),
            report = process.report(), if ended.is_none() => {
                ended = Some(match report {
                    Some(Report::Ended(ended)) => Ok(ended),
                    _ => Err("the launcher ended before the run did".to_owned()),
                });
                // What is in the pipes is read; nobody is left to write more.
                patience = Instant::now() + limits::RUN_DRAIN;
            }
            () = cancel.cancelled(), if why.is_none() && ended.is_none() => why = Some(Why::Cancelled),
            () = sleep_until(deadline), if why.is_none() && ended.is_none() => why = Some(Why::Timeout),
            () = sleep_until(patience) => break,
        }
        if let Some(why) = why.filter(|_| !process.is_asked)
            && ended.is_none()
        {
            let reason = match why {
                Why::Timeout => "the time limit has passed",
                Why::Limit => "the limit on money or tokens has passed",
                Why::Cancelled => "it was cancelled",
            };
            log.note(&format!("{reason}; the run is ended"));
            process.end().await;
            let end = Instant::now() + limits::RUN_GRACE + limits::RUN_ENDING + limits::RUN_DRAIN;
            patience = patience.min(end);
        }
        if ended.is_some() && stdout.is_over() && stderr.is_over() {
            break;
        }
    }
    // The end of the socket ends a launcher that is still there, and the run with it.
    process.finish().await;
    let is_certain = matches!(&ended, Some(Ok(ended)) if ended.left == 0);
    let outcome = match (why, ended) {
        (Some(Why::Timeout), _) => Outcome::Timeout,
        (Some(Why::Limit), _) => Outcome::Limit,
        (Some(Why::Cancelled), _) => Outcome::Cancelled,
        (None, Some(Ok(ended))) => Outcome::Ended(ended),
        (None, Some(Err(reason))) => Outcome::Failed(RunFailure::Internal, reason),
        (None, None) => Outcome::Failed(RunFailure::Internal, "the launcher gave no answer".into()),
    };
    Finished { outcome, is_certain }
}

/// A pipe from a run.
struct Stream<R> {
    reader: Option<R>,
    buffer: Vec<u8>,
    read: u64,
}

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;
/// After so many bytes, reading is slowed down, so that a run that prints without end leaves the processor to others.
const QUICK: u64 = 16 * 1024 * 1024;
const SLOWED: Duration = Duration::from_millis(1);

impl<R: AsyncRead + Unpin> Stream<R> {
    fn new(reader: Option<R>) -> Self {
        Self { reader, buffer: vec![0; CHUNK], read: 0 }
    }

    fn is_over(&self) -> bool {
        self.reader.is_none()
    }

    /// The next bytes; it waits for ever when there are no more.
    async fn next(&mut self) -> &[u8] {
        if self.read > QUICK {
            tokio::time::sleep(SLOWED).await;
        }
        let Some(reader) = &mut self.reader else { return std::future::pending().await };
        if let Ok(count @ 1..) = reader.read(&mut self.buffer).await {
            self.read += count as u64;
            &self.buffer[..count]
        } else {
            self.reader = None;
            &[]
        }
    }
}
