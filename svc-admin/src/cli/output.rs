//! Where answers go: tables or JSON on standard output, sentences on standard error.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde::Serialize;

use super::args::Form;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    form: Form,
    colours: bool,
    width: Option<usize>,
}

/// What a word means to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Heading,
    Good,
    Warning,
    Bad,
}

impl Output {
    /// For standard output as it is. A file or a pipe gets neither colours nor shortened cells.
    pub(super) fn new(form: Form) -> Self {
        let terminal = io::stdout().is_terminal();
        let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let width = terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
        Self { form, colours, width }
    }

    #[cfg(test)]
    pub(super) fn terminal(width: usize) -> Self {
        Self { form: Form::Table, colours: true, width: Some(width) }
    }

    #[cfg(test)]
    pub(super) fn pipe() -> Self {
        Self { form: Form::Table, colours: false, width: None }
    }

    /// How many columns there are, where that matters.
    pub(super) fn width(&self) -> Option<usize> {
        self.width
    }

    /// The answer as JSON, or as the table that `draw` makes of it.
    pub(super) fn render<T: Serialize>(&self, answer: &T, draw: impl FnOnce(&Self, &T) -> String) -> String {
        match self.form {
            Form::Table => draw(self, answer),
            Form::Json => {
                let mut text = serde_json::to_string_pretty(answer).expect("answers are plain structs, which print");
                text.push('\n');
                text
            }
        }
    }

    /// A word in its colour.
    pub(super) fn paint(&self, tone: Tone, word: &str) -> String {
        let number = match tone {
            Tone::Heading => "1",
            Tone::Good => "32",
            Tone::Warning => "33",
            Tone::Bad => "31",
            Tone::Plain => return word.to_owned(),
        };
        if self.colours { format!("\x1b[{number}m{word}\x1b[0m") } else { word.to_owned() }
    }
}

/// Prints an answer. A reader that went away early, as `head` does, is no failure.
pub(super) fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print_error(&format!("The answer cannot be written ({error}): see where standard output leads."))
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints a failure.
pub(super) fn print_error(sentence: &str) -> ExitCode {
    // Without standard error there is nobody left to tell.
    drop(writeln!(io::stderr(), "svc-admin: {sentence}"));
    ExitCode::FAILURE
}
