//! Runs as commands on this machine.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use svc_model::harness::{RunFailure, RunReport, Usage};
use tokio_util::sync::CancellationToken;

use super::environment::{Places, environment};
use super::launcher::{Confinement, Ended, LaunchSpec};
use super::leftovers::{self, Server};
use super::log::LogSink;
use super::output::Output;
use super::presets::CommandLine;
use super::supervised::{self, Outcome};
use super::work::{Work, WorkArea, blocking};
use super::{ConfinementMode, Harness, HarnessConfig, RunEnd, RunJob, RunResult, report};
use crate::error::{Error, Result};
use crate::limits;

/// Without a launcher nothing can be run on this machine.
pub(super) const NO_LAUNCHER: &str =
    "This program runs no commands: it was opened without a launcher (HarnessConfig::launcher).";

pub(super) struct Subprocess {
    config: Arc<HarnessConfig>,
    area: Arc<WorkArea>,
    server: Arc<Server>,
}

impl Subprocess {
    pub(super) fn new(config: Arc<HarnessConfig>, area: Arc<WorkArea>, server: Arc<Server>) -> Self {
        Self { config, area, server }
    }

    /// What confines runs, in words.
    pub(super) async fn probe(&self) -> Result<Option<String>> {
        let Some(launcher) = &self.config.launcher else { return Ok(None) };
        let spec = LaunchSpec {
            command: None,
            arguments: Vec::new(),
            environment: std::collections::BTreeMap::new(),
            directory: PathBuf::from("/"),
            input: None,
            memory: None,
            processes: None,
            file_size: None,
            open_files: None,
            confinement: self.confinement(None, Vec::new()),
        };
        supervised::probe(launcher, &spec).await.map_err(|reason| {
            Error::unavailable("run_confinement", format!("Runs cannot be confined as required: {reason}."))
        })
    }

    /// What a run may do: it reads the system, the directories of its `PATH` and its own command.
    fn confinement(&self, command: Option<&str>, writable: Vec<PathBuf>) -> Option<Confinement> {
        if self.config.confinement == ConfinementMode::Off {
            return None;
        }
        let mut readable = self.config.readable.clone();
        readable.extend(self.config.path.split(':').filter(|path| path.starts_with('/')).map(PathBuf::from));
        readable.extend(command.map(PathBuf::from).filter(|command| command.is_absolute()));
        // Directories of the run are inside of the hidden ones, and allowed by themselves.
        let mut hidden = self.config.hidden.clone();
        hidden.push(self.area.root().to_owned());
        let is_required = self.config.confinement == ConfinementMode::Require;
        Some(Confinement { is_required, readable, writable, hidden })
    }

    fn spec(&self, job: &RunJob, work: &Work, line: &CommandLine) -> LaunchSpec {
        let places = Places { work: &work.directory, home: &work.home, temporary: &work.temporary };
        let writable = vec![work.directory.clone(), work.home.clone(), work.temporary.clone()];
        LaunchSpec {
            command: line.command.clone(),
            arguments: line.arguments.clone(),
            environment: environment(job, &places, &self.config.path, self.server.name()),
            directory: work.directory.clone(),
            input: line.reads_prompt.then(|| work.directory.join("prompt.md")),
            memory: Some(job.settings.memory()),
            processes: Some(limits::RUN_PROCESSES),
            file_size: Some(limits::RUN_FILE_MAX),
            open_files: Some(limits::RUN_OPEN_FILES),
            confinement: self.confinement(line.command.as_deref(), writable),
        }
    }
}

#[async_trait]
impl Harness for Subprocess {
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd {
        let Some(launcher) = &self.config.launcher else { return RunEnd::failed(RunFailure::Settings, NO_LAUNCHER) };
        let line = CommandLine::of(&job.settings, job.session_id.as_deref().filter(|id| report::is_session(id)));
        if line.command.is_none() {
            return RunEnd::failed(RunFailure::Settings, "The harness has neither a command nor a preset.");
        }
        let work = match self.area.prepare(job).await {
            Ok(work) => work,
            Err(error) => return RunEnd::failed(RunFailure::WorkDirectory, error.to_string()),
        };
        let spec = self.spec(job, &work, &line);
        let mut output = Output::new(line.form);
        let finished = supervised::run(launcher, &spec, &job.settings, log, &mut output, &cancel).await;
        if !finished.is_certain {
            self.end_strays(job).await;
        }
        let end = judge(job, finished.outcome, output, Some(&work), log).await;
        work.clean().await;
        end
    }
}

impl Subprocess {
    /// Ends what a launcher that failed may have left.
    async fn end_strays(&self, job: &RunJob) {
        let (server, run) = (self.server.name().to_owned(), job.run.to_string());
        let ended = blocking(move || Ok(leftovers::end_run(&server, &run))).await.unwrap_or(0);
        tracing::warn!(run = job.run.0, processes = ended, "the launcher of a run failed; its processes were ended");
    }
}

/// The end of a run from what became of its command, and from its report.
pub(super) async fn judge(
    job: &RunJob,
    outcome: Outcome,
    output: Output,
    work: Option<&Work>,
    log: &LogSink,
) -> RunEnd {
    let seconds = job.settings.timeout_seconds;
    let failure = match &outcome {
        Outcome::Cancelled => return RunEnd::Cancelled,
        Outcome::Failed(reason, detail) => return RunEnd::failed(*reason, detail.clone()),
        Outcome::Timeout => Some((RunFailure::Timeout, format!("It took longer than {seconds} seconds."))),
        Outcome::Limit => Some((RunFailure::Limit, "It passed its own limit on money or tokens.".to_owned())),
        Outcome::Ended(ended) => fault(ended, job),
    };
    let exit_code = match &outcome {
        Outcome::Ended(ended) => ended.code,
        _ => None,
    };
    let so_far = output.usage();
    let found = find(work, output).await;
    conclude(job, failure, exit_code, so_far, found, log)
}

/// The end of a run from its failure, if it has one, and from its report, or what is wrong with that.
pub(super) fn conclude(
    job: &RunJob,
    failure: Option<(RunFailure, String)>,
    exit_code: Option<i32>,
    so_far: Usage,
    found: Result<Option<RunReport>, String>,
    log: &LogSink,
) -> RunEnd {
    let (report, complaint) = match found {
        Ok(report) => (report, None),
        Err(complaint) => (None, Some(complaint)),
    };
    let error = report.as_ref().and_then(|report| report.error.clone());
    let mut result = match report {
        Some(report) => report::result(report, &job.settings),
        None => RunResult { usage: so_far.priced(job.settings.prices.as_ref()), ..RunResult::default() },
    };
    result.exit_code = exit_code;
    let failure = failure
        .map(|(reason, text)| {
            (reason, detail(&text, error.as_deref().map_or_else(|| log.end(limits::RUN_DETAIL_MAX), ToOwned::to_owned)))
        })
        .or_else(|| error.map(|error| (RunFailure::Report, detail("It reported an error.", error))))
        .or_else(|| complaint.map(|complaint| (RunFailure::Report, detail("Its report cannot be read.", complaint))));
    match failure {
        Some((reason, detail)) => RunEnd::Failed { reason, detail, result },
        None => RunEnd::Succeeded(result),
    }
}

/// The failure that the end of a command means; none for the exit code 0.
fn fault(ended: &Ended, job: &RunJob) -> Option<(RunFailure, String)> {
    let megabytes = job.settings.memory() / 1024 / 1024;
    match ended {
        Ended { memory: true, .. } => Some((RunFailure::Memory, format!("It used more memory than {megabytes} MiB."))),
        Ended { processes: true, .. } => {
            Some((RunFailure::Processes, format!("It had more than {} processes.", limits::RUN_PROCESSES)))
        }
        Ended { code: Some(0), .. } => None,
        Ended { code: Some(code), .. } => Some((RunFailure::ExitCode, format!("It ended with the exit code {code}."))),
        Ended { signal: Some(signal), .. } => {
            Some((RunFailure::Signal, format!("It was ended by the signal {signal}.")))
        }
        Ended { .. } => Some((RunFailure::Internal, "It is not known how it ended.".to_owned())),
    }
}

/// The report of a run: its file, or what it printed.
async fn find(work: Option<&Work>, output: Output) -> Result<Option<RunReport>, String> {
    if let Some(work) = work
        && let Some(bytes) = work.report().await.map_err(|error| error.to_string())?
    {
        return report::parse(&bytes).map(Some).map_err(|reason| format!("result.json: {reason}"));
    }
    output.finish()
}

/// A sentence, and the end of what the run said.
fn detail(sentence: &str, said: impl Into<String>) -> String {
    let said: String = said.into();
    let said = said.trim();
    if said.is_empty() {
        return sentence.to_owned();
    }
    let room = limits::RUN_DETAIL_MAX - sentence.len() - 2;
    let begin = said.ceil_char_boundary(said.len().saturating_sub(room));
    format!("{sentence}\n\n{}", &said[begin..])
}
