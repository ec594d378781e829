//! Interactive input: confirmations, passwords, values, files.
//!
//! Invariants: secrets are read from a prompt without echo or from standard input, never from the arguments, which
//! every user of the machine can see; a command never prompts without a terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

use super::outcome::Failure;
use crate::methods::Confidential;

/// Asks for confirmation before a permanent change. `--yes` skips the question.
pub(super) fn confirm(consequence: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::Usage(format!("{consequence} Add --yes to confirm.")));
    }
    let asked = write!(io::stderr(), "{consequence} Go on? [y/N] ").and_then(|()| io::stderr().flush());
    let mut answer = String::new();
    match asked.and_then(|()| io::stdin().lock().read_line(&mut answer)) {
        Ok(_) if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) => Ok(()),
        _ => Err(Failure::Here("Nothing was done.".into())),
    }
}

/// Reads a new password: twice on a terminal, else all of standard input.
pub(super) fn new_password() -> Result<Confidential, Failure> {
    if !io::stdin().is_terminal() {
        return standard_input("the password", svc_core::limits::PASSWORD.end() + 1);
    }
    let first = prompt("New password: ")?;
    if first != prompt("The same again: ")? {
        return Err(Failure::Here("The two passwords differ: nothing was changed, try again.".into()));
    }
    Ok(Confidential::new(first))
}

/// Reads the value of a secret: from a prompt on a terminal, else all of standard input.
pub(super) fn secret_value(name: &str) -> Result<Confidential, Failure> {
    if !io::stdin().is_terminal() {
        return standard_input("the value", svc_core::limits::SECRET_VALUE_MAX + 1);
    }
    prompt(&format!("Value of {name}: ")).map(Confidential::new)
}

fn prompt(question: &str) -> Result<String, Failure> {
    rpassword::prompt_password(question)
        .map_err(|error| Failure::Here(format!("The terminal cannot be read ({error}): use standard input.")))
}

/// All of standard input without one trailing line feed. `most` is one byte more than the limit, so that an input
/// that is too long is detected without reading all of it.
fn standard_input(what: &str, most: usize) -> Result<Confidential, Failure> {
    let mut bytes = Vec::new();
    // Two more bytes for the line end.
    let read = io::stdin().lock().take(most as u64 + 2).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Here(format!("Standard input cannot be read ({error}).")))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::Here(format!("Standard input is not UTF-8 text: encode {what}, as base64 for example."))
    })?;
    Ok(Confidential::new(without_line_end(text)))
}

fn without_line_end(mut text: String) -> String {
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    text
}

/// The text of a file.
pub(super) async fn file(path: &Path) -> Result<String, Failure> {
    tokio::fs::read_to_string(path)
        .await
        .map_err(|error| Failure::Here(format!("{} cannot be read ({error}): check the path.", path.display())))
}

/// The JSON value in a file.
pub(super) async fn json_file(path: &Path) -> Result<serde_json::Value, Failure> {
    serde_json::from_str(&file(path).await?)
        .map_err(|error| Failure::Here(format!("{} is not JSON ({error}): correct it and retry.", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_end_is_removed() {
        for (given, taken) in
            [("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("\n", ""), ("a\nb\n", "a\nb"), ("a\r", "a\r")]
        {
            assert_eq!(without_line_end(given.to_owned()), taken);
        }
    }

    #[test]
    fn yes_skips_the_question() {
        assert!(confirm("This ends it.", true).is_ok());
    }
}
