//! The help of `svc-admin`: every example in it, and every command in the documents, is one that the program takes.

use clap::Command;
use clap::error::ErrorKind;

use crate::tidy::{files, root};

/// The words of a command of a shell, up to a pipe, a redirection, a comment or the end of a substitution.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut begun) = (Vec::new(), String::new(), false);
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.push(letter),
            (None, '"' | '\'') => (quote, begun) = (Some(letter), true),
            (None, '#') if !begun => break,
            (None, '|' | '>' | '<' | '&' | ';' | ')' | '`') => break,
            (None, ' ' | '\t') => {
                if std::mem::take(&mut begun) {
                    words.push(std::mem::take(&mut word));
                }
            }
            (None, _) => {
                begun = true;
                word.push(letter);
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// The commands in a line of code: what follows `svc-admin ` at its beginning, after a space or in a substitution.
fn commands(line: &str) -> Vec<Vec<String>> {
    // An alias is no command.
    if line.trim_start().starts_with("alias ") { Vec::new() } else { commands_after(line, &[' ', '(']) }
}

/// The commands in a line that follow one of these letters.
fn commands_after(line: &str, letters: &[char]) -> Vec<Vec<String>> {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(|before| letters.contains(&before));
    line.match_indices("svc-admin ").filter(|(at, _)| begins(*at)).map(|(at, _)| words(&line[at..])).collect()
}

#[test]
fn commands_are_read_as_a_shell_reads_them() {
    let said = |line: &str| commands(line).into_iter().map(|words| words.join("|")).collect::<Vec<_>>();
    assert_eq!(said("KEY=$(svc-admin agents create bot --owner ann)"), ["svc-admin|agents|create|bot|--owner|ann"]);
    assert_eq!(said("  svc-admin send 'a \"b\"' --to \"c d\" | x"), ["svc-admin|send|a \"b\"|--to|c d"]);
    assert_eq!(said("svc-admin a --x=1 > file # note"), ["svc-admin|a|--x=1"]);
    assert_eq!(said("ssh host svc-admin b && svc-admin c"), ["svc-admin|b", "svc-admin|c"]);
    assert!(said("alias svc-admin='cargo run -p svc-admin --'").is_empty());
    assert!(said("install bin/svc-admin /usr").is_empty());
}

#[test]
fn every_example_in_the_help_is_understood() {
    fn look(command: &Command, path: &str, examples: &mut usize) {
        let path = format!("{path} {}", command.get_name());
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            look(inner, &path, examples);
        }
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for words in text.lines().flat_map(commands) {
            let parsed = svc_admin::cli::command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{path}: {words:?}: {}", parsed.unwrap_err());
            *examples += 1;
        }
    }
    let mut examples = 0;
    look(&svc_admin::cli::command(), "", &mut examples);
    assert!(examples > 100, "{examples}");
}

/// A document with its lines in blocks of code told apart; a line that goes on is put together.
fn lines(text: &str) -> Vec<(bool, String)> {
    let mut is_code = false;
    let mut found: Vec<(bool, String)> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        match found.last_mut().filter(|(before, last)| *before && is_code && last.ends_with('\\')) {
            Some((_, last)) => {
                last.pop();
                last.push_str(line.trim_start());
            }
            None => found.push((is_code, line.to_owned())),
        }
    }
    found
}

#[test]
#[expect(clippy::disallowed_methods, reason = "this test has nothing else to do")]
fn every_command_in_the_documents_is_understood() {
    let documents = files(".md").into_iter().filter(|path| {
        let inside = path.strip_prefix(root()).unwrap();
        inside.starts_with("docs") || inside == std::path::Path::new("README.md")
    });
    let mut found = 0;
    for path in documents {
        for (is_code, line) in lines(&std::fs::read_to_string(&path).unwrap()) {
            let said = if is_code { commands(&line) } else { commands_after(&line, &['`']) };
            for words in said {
                found += 1;
                let Err(error) = svc_admin::cli::command().try_get_matches_from(&words) else { continue };
                // In a sentence a command may stand without its arguments, or with the names of values.
                let is_short = matches!(
                    error.kind(),
                    ErrorKind::MissingRequiredArgument
                        | ErrorKind::MissingSubcommand
                        | ErrorKind::DisplayHelp
                        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                        | ErrorKind::ValueValidation
                );
                assert!(!is_code && is_short, "{}: {words:?}: {error}", path.display());
            }
        }
    }
    assert!(found > 50, "{found}");
}
