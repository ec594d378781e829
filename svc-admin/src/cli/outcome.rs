//! Results of commands: an answer, remarks, or a failure.
//!
//! Invariants: standard output contains the answer and nothing else, so that it can be stored or piped; explanations
//! go to standard error; a secret that is shown once is alone on its line.

use std::error::Error as _;
use std::process::ExitCode;

use serde::Serialize;
use svc_core::ErrorKind;

use super::output::{Output, print, print_error, remark, wrapped};
use super::refusal;
use crate::client::ClientError;
use crate::methods::Confidential;

/// Verdict of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Success.
    Fine,
    /// The command succeeded; the hub is unhealthy.
    Wrong,
}

/// Output of a command.
#[derive(Debug)]
pub(super) struct Outcome {
    /// On standard error, before the answer.
    before: String,
    /// On standard output.
    answer: String,
    /// On standard error, after the answer.
    after: String,
    verdict: Verdict,
}

impl Outcome {
    /// An answer without remarks.
    pub(super) fn new(answer: String) -> Self {
        Self { before: String::new(), answer, after: String::new(), verdict: Verdict::Fine }
    }

    /// A sentence for people; for programs the answer itself.
    pub(super) fn sentence<T: Serialize>(output: &Output, answer: &T, sentence: &str) -> Self {
        Self::new(output.render(answer, |output, _| wrapped(&format!("{sentence}\n"), output.width())))
    }

    /// A secret that is shown once: alone on its line for people, a field of the answer for programs.
    pub(super) fn shown_once<T: Serialize>(output: &Output, answer: &T, sentence: &str, secret: &Confidential) -> Self {
        let mut outcome = Self::new(output.render(answer, |_, _| format!("{}\n", secret.reveal())));
        if output.is_for_people() {
            outcome.before = format!("{sentence}\n");
        }
        outcome
    }

    /// Adds a remark for people.
    pub(super) fn remark(mut self, output: &Output, remark: &str) -> Self {
        if output.is_for_people() {
            self.after = format!("{remark}\n");
        }
        self
    }

    pub(super) fn verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }

    /// Prints everything.
    pub(super) fn print(&self) -> ExitCode {
        remark(&self.before);
        let printed = print(&self.answer);
        remark(&self.after);
        match self.verdict {
            Verdict::Fine => printed,
            Verdict::Wrong => ExitCode::FAILURE,
        }
    }
}

/// The reason of a failure: one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The server cannot be reached, or returned an error.
    #[error("{}", refusal::describe(.0))]
    Client(#[from] ClientError),
    /// An error on this side of the socket.
    #[error("{0}")]
    Here(String),
    /// The command is incomplete.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// A failure of the core in this process. There is no log of a server, so the causes of an internal one are told.
    pub(super) fn of(error: &svc_core::Error) -> Self {
        if error.kind() != ErrorKind::Internal {
            return Self::Here(error.message().to_owned());
        }
        let mut causes = Vec::new();
        let mut next = error.source();
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        Self::Here(format!("Internal error: {}.", causes.join(": ")))
    }

    pub(super) fn print(&self) -> ExitCode {
        let printed = print_error(&self.to_string());
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Client(_) | Self::Here(_) => printed,
        }
    }
}
