//! Output: tables or JSON on standard output, sentences on standard error.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::args::Form;

/// Output settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    form: Form,
    colours: bool,
    width: Option<usize>,
}

/// Meaning of a word, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Heading,
    Good,
    Warning,
    Bad,
}

impl Output {
    /// Settings for the current standard output. A file or a pipe gets neither colours nor shortened cells.
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

    /// Whether the output is for people.
    pub(super) fn is_for_people(&self) -> bool {
        self.form == Form::Table
    }

    /// The number of columns, if it is limited.
    pub(super) fn width(&self) -> Option<usize> {
        self.width
    }

    /// The answer as JSON, or as the table that `draw` returns.
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

/// Prints an answer. A reader that closes the pipe early, as `head` does, is not a failure.
pub(super) fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print_error(&format!("Standard output cannot be written to ({error}): check its target."))
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints an explanation of an answer.
pub(super) fn remark(text: &str) {
    // Errors of standard error cannot be reported anywhere.
    drop(io::stderr().write_all(wrapped(text, error_width()).as_bytes()));
}

/// Prints a failure.
pub(super) fn print_error(sentence: &str) -> ExitCode {
    // Errors of standard error cannot be reported anywhere.
    drop(writeln!(io::stderr(), "{}", wrapped(&format!("svc-admin: {sentence}"), error_width())));
    ExitCode::FAILURE
}

/// The width of standard error, if it is a terminal.
fn error_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0))
}

/// Breaks lines between words.
pub(super) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_inclusive([' ', '\n']) {
        let length = word.trim_end().width();
        if column > 0 && column + length > width {
            lines.truncate(lines.trim_end_matches(' ').len());
            lines.push('\n');
            column = 0;
        }
        lines.push_str(word);
        column = if word.ends_with('\n') { 0 } else { column + word.width() };
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three\nfour\n", Some(8)), "one two\nthree\nfour\n");
        assert_eq!(wrapped("one incomprehensibilities two", Some(8)), "one\nincomprehensibilities\ntwo");
        assert_eq!(wrapped("one two", Some(7)), "one two");
        assert_eq!(wrapped("one two", None), "one two");
    }
}
