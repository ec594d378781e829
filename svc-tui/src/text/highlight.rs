//! Colours of code.
//!
//! Invariants: the rows have the text of the code, line by line. Code that is long, that has very long lines or that
//! is in an unknown language has one style: a grammar may take much time for a line.

use std::sync::LazyLock;

use ratatui::style::Style;
use ratatui::text::Span;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::wrap::Row;
use crate::view::look::Look;

/// Maximum size of code with colours, in lines and in bytes.
const LINES_MAX: usize = 200;
const BYTES_MAX: usize = 16 * 1024;
/// Maximum length of a line with colours, in bytes.
const LINE_MAX: usize = 500;

/// Read on first use, because it takes some milliseconds.
static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Scopes of the grammars, and their kinds. The first one that matches decides.
static KINDS: LazyLock<Vec<(Scope, Kind)>> = LazyLock::new(|| {
    [
        ("comment", Kind::Comment),
        ("string", Kind::String),
        ("constant.character", Kind::String),
        ("constant", Kind::Number),
        ("keyword.operator", Kind::Text),
        ("keyword", Kind::Keyword),
        ("storage", Kind::Keyword),
        ("entity.name.function", Kind::Function),
        ("entity.name.tag", Kind::Keyword),
        ("entity.name", Kind::Type),
        ("support.function", Kind::Function),
        ("support.macro", Kind::Function),
        ("support", Kind::Type),
        ("variable.function", Kind::Function),
    ]
    .into_iter()
    .filter_map(|(scope, kind)| Some((Scope::new(scope).ok()?, kind)))
    .collect()
});

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Comment,
    String,
    Number,
    Keyword,
    Function,
    Type,
}

impl Kind {
    fn style(self, look: &Look) -> Style {
        match self {
            Self::Text => look.text,
            Self::Comment => look.code_comment,
            Self::String => look.code_string,
            Self::Number => look.code_number,
            Self::Keyword => look.code_keyword,
            Self::Function => look.code_function,
            Self::Type => look.code_type,
        }
    }
}

/// Whether code is short enough for colours.
pub(super) fn is_short(code: &str) -> bool {
    code.len() <= BYTES_MAX && code.lines().count() <= LINES_MAX && code.lines().all(|line| line.len() <= LINE_MAX)
}

/// The lines of clean code, with colours if the language is known.
pub(super) fn highlighted(code: &str, language: &str, look: &Look) -> Vec<Row> {
    match syntax(language) {
        Some(syntax) if is_short(code) => coloured(code, syntax, look),
        _ => plain(code, look),
    }
}

/// The lines of clean code in one style.
pub(super) fn plain(code: &str, look: &Look) -> Vec<Row> {
    code.lines().map(|line| vec![Span::styled(line.to_owned(), look.text)]).collect()
}

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let language = language.split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    let known = match language.as_str() {
        "" | "text" | "txt" | "plain" => return None,
        // The set has no grammar of these; the nearest one is good enough for colours.
        "ts" | "typescript" | "tsx" | "jsx" | "mjs" | "javascript" => "js",
        "console" | "shell" | "zsh" | "fish" => "sh",
        "jsonc" | "json5" | "jsonl" => "json",
        other => other,
    };
    SYNTAXES.find_syntax_by_token(known)
}

fn coloured(code: &str, syntax: &SyntaxReference, look: &Look) -> Vec<Row> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut rows = Vec::new();
    for line in code.lines() {
        let ended = format!("{line}\n");
        let Ok(changes) = state.parse_line(&ended, &SYNTAXES) else { return plain(code, look) };
        let mut row = Vec::new();
        let mut from = 0;
        for (at, change) in changes {
            push(&mut row, line, from, at, kind(&stack).style(look));
            from = at.max(from);
            if stack.apply(&change).is_err() {
                return plain(code, look);
            }
        }
        push(&mut row, line, from, line.len(), kind(&stack).style(look));
        rows.push(row);
    }
    rows
}

/// Adds a part of a line, which does not include its line feed.
fn push(row: &mut Row, line: &str, from: usize, to: usize, style: Style) {
    if let Some(part) = line.get(from..to.min(line.len()))
        && !part.is_empty()
    {
        row.push(Span::styled(part.to_owned(), style));
    }
}

/// The kind of the innermost scope that has one.
fn kind(stack: &ScopeStack) -> Kind {
    let kind_of = |scope: &Scope| KINDS.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, kind)| *kind);
    stack.as_slice().iter().rev().find_map(kind_of).unwrap_or(Kind::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: &[Row]) -> String {
        rows.iter().map(|row| row.iter().map(|span| &*span.content).collect::<String>() + "\n").collect()
    }

    fn style_of(rows: &[Row], part: &str) -> Style {
        rows.iter().flatten().find(|span| span.content.contains(part)).map(|span| span.style).unwrap()
    }

    #[test]
    fn known_languages_have_colours() {
        let look = Look::new(true);
        let code = "// why\nfn main() {\n    let x = \"日本\" + 5;\n}\n";
        let rows = highlighted(code, "rust,ignore", &look);
        assert_eq!(text(&rows), code);
        assert_eq!(style_of(&rows, "why"), look.code_comment);
        assert_eq!(style_of(&rows, "fn"), look.code_keyword);
        assert_eq!(style_of(&rows, "main"), look.code_function);
        assert_eq!(style_of(&rows, "日本"), look.code_string);
        assert_eq!(style_of(&rows, "5"), look.code_number);
        for language in ["python", "ts", "bash", "json", "yaml", "sql", "html", "c++", "diff"] {
            assert!(syntax(language).is_some(), "{language}");
        }
    }

    #[test]
    fn unknown_languages_and_long_code_are_plain() {
        let look = Look::new(true);
        assert_eq!(highlighted("fn x", "nonsense", &look), plain("fn x", &look));
        assert_eq!(highlighted("fn x", "", &look), plain("fn x", &look));
        let long = "fn x\n".repeat(LINES_MAX + 1);
        assert_eq!(highlighted(&long, "rust", &look), plain(&long, &look));
        let wide = "x ".repeat(BYTES_MAX);
        assert_eq!(highlighted(&wide, "rust", &look), plain(&wide, &look));
    }
}
