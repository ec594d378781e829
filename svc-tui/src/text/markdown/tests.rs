//! Tests of rendered Markdown.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use ratatui::style::Modifier;

use super::*;
use crate::text::wrap::row_width;

fn look() -> Look {
    Look::new(true)
}

fn shown(source: &str, columns: usize) -> Vec<String> {
    let lines = markdown(source, columns, &look());
    lines.iter().map(|line| line.spans.iter().map(|span| &*span.content).collect()).collect()
}

fn span(source: &str, text: &str) -> Span<'static> {
    let lines = markdown(source, 80, &look());
    lines.into_iter().flat_map(|line| line.spans).find(|span| span.content == text).unwrap()
}

#[test]
fn blocks_are_separated_by_empty_lines() {
    assert_eq!(
        shown("# One\ntext\nmore\n\n---\n> quote\n> > inner\n\nend", 20),
        ["One", "", "text", "more", "", "────────────────────", "", "┃ quote", "┃", "┃ ┃ inner", "", "end",]
    );
}

#[test]
fn lists_nest_and_wrap_behind_their_marks() {
    assert_eq!(
        shown("- one two three\n  - inner\n- [x] done\n- [ ] open\n\n9. nine\n10. ten\n\n- \n", 11),
        ["• one two", "  three", "  • inner", "☑ done", "☐ open", "", "9. nine", "10. ten", "", "•",]
    );
    assert_eq!(shown("- a\n\n- b\n", 20), ["• a", "", "• b"]);
}

#[test]
fn code_keeps_its_spaces_behind_a_bar() {
    assert_eq!(shown("a\n```rust\nfn  x() {\n    1\n```\nb", 10), ["a", "", "│ fn  x() ", "│ {", "│     1", "", "b"]);
    assert_eq!(span("```rust\nfn x() {}\n```", "fn").style, look().code_keyword);
}

#[test]
fn words_have_their_styles() {
    assert!(span("**a**", "a").style.add_modifier.contains(Modifier::BOLD));
    assert!(span("*a*", "a").style.add_modifier.contains(Modifier::ITALIC));
    assert!(span("***a***", "a").style.add_modifier.contains(Modifier::ITALIC | Modifier::BOLD));
    assert!(span("~~a~~", "a").style.add_modifier.contains(Modifier::CROSSED_OUT));
    assert_eq!(span("x `a`", "a").style, look().code);
    assert_eq!(span("hi @ann!", "@ann").style, look().accent);
    assert_eq!(span("in #ops", "#ops").style, look().accent);
}

#[test]
fn links_show_a_different_address() {
    assert_eq!(shown("[text](https://a.example)", 80), ["text (https://a.example)"]);
    assert_eq!(shown("<https://a.example> https://b.example", 80), ["https://a.example https://b.example"]);
    assert_eq!(
        shown("[https://good.example](https://bad.example)", 80),
        ["https://good.example (https://bad.example)"]
    );
    assert_eq!(shown("[[deploy]] [[deploy|how]]", 80), ["deploy how (wiki/deploy)"]);
    assert_eq!(shown("![cat](https://a.example/c.png)", 80), ["[image: cat]"]);
    assert_eq!(span("[text](https://a.example)", "text").style, look().link);
}

#[test]
fn html_is_text() {
    assert_eq!(shown("<b>x</b>", 80), ["<b>x</b>"]);
    assert_eq!(shown("<div>\n<script>\n</div>\n", 80), ["<div>", "<script>", "</div>"]);
}

#[test]
fn tables_fit() {
    assert_eq!(shown("|a|b|\n|-|-:|\n|**x**|1|\n|y|23|\n", 20), ["a │  b", "──┼───", "x │  1", "y │ 23"]);
    let wide = format!("|{0}|{0}|{0}|\n|-|-|-|\n|1|2|3|\n", "long header");
    assert_eq!(shown(&wide, 20), ["long header: 1", "long header: 2", "long header: 3"]);
}

#[test]
fn nothing_reaches_the_terminal_as_a_control_character() {
    for source in
        ["\u{1b}]0;x\u{7}", "\u{1b}[2J", "\u{9b}2J", "&#27;[2J &#x9b;2J &#x202e;", "`\u{1b}`", "[x](<a\u{1b}b>)"]
    {
        let text = shown(source, 40).concat();
        assert!(!text.contains(char::is_control) && !text.contains('\u{202e}'), "{text:?}");
    }
    assert_eq!(shown("a&#27;b", 40), ["a\u{fffd}b".replace('\u{fffd}', "␛")]);
}

#[test]
fn scripts_of_every_direction_and_width_wrap() {
    assert_eq!(shown("שלום עולם", 5), ["שלום", "עולם"]);
    assert_eq!(shown("مرحبا بالعالم", 8), ["مرحبا", "بالعالم"]);
    assert_eq!(shown("日本語", 5), ["日本", "語"]);
    assert_eq!(shown("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4), ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]);
}

#[test]
fn long_texts_are_cut() {
    let lines = shown(&"line\n".repeat(3_000), 20);
    assert_eq!(lines.len(), LINES_MAX + 1);
    assert_eq!(lines.last().unwrap(), "… 1000 more lines");
    let lines = shown(&format!("{}\n", "word ".repeat(20)).repeat(1_000), 200);
    assert!(lines.last().unwrap().starts_with("… "), "{:?}", lines.last());
    assert_eq!(shown(&format!("{}\nx", "a".repeat(SOURCE_MAX)), 2_000).last().unwrap(), "… 1 more line");
}

#[test]
fn the_worst_texts_take_bounded_time() {
    let fill = |unit: &str| unit.repeat(SOURCE_MAX / unit.len());
    let nested: String = (0..250).flat_map(|depth| ["  ".repeat(depth), "- x\n".to_owned()]).collect();
    let references = format!("[a]: <{}>\n\n{}", "u".repeat(30_000), "[a]".repeat(10_000));
    let table = format!("{}\n{}\n{}", "|a".repeat(5_000), "|-".repeat(5_000), "|\n".repeat(20_000));
    let code = |language: &str, unit: &str| format!("```{language}\n{}\n```\n", unit.repeat(15_000 / unit.len()));
    let coloured = ["rust", "js", "sh", "c++", "html", "markdown", "ruby", "perl"];
    let blocks: Vec<_> = coloured
        .iter()
        .flat_map(|language| ["(((\"<\n", "a.b<c>{(`$x\n", "/* <%= #{\n"].map(|unit| code(language, unit)))
        .collect();
    let units = [
        "[[",
        "[",
        "*",
        "_a",
        "**a ",
        "`",
        "`a``",
        "- ",
        "> ",
        "1. ",
        "<",
        "<a ",
        "![",
        "](",
        "|",
        "&",
        "\\",
        "\t",
        "日",
        "a",
        "\u{301}",
        "@a",
        "http://",
        "[a](",
        "~~",
        "# \n",
        "-\n",
        "a\n\n",
        "<!--",
        ">\n",
        "ᄀ",
        "😀\u{200d}",
    ];
    let texts = units.iter().map(|unit| fill(unit)).chain([nested, references, table]).chain(blocks);
    for text in texts {
        let started = Instant::now();
        markdown(&text, 40, &look());
        links(&text);
        let beginning: String = text.chars().take(20).collect();
        assert!(started.elapsed() < Duration::from_secs(10), "{beginning:?}: {:?}", started.elapsed());
    }
}

/// Fragments of Markdown, as an expression for generated texts.
const MARKDOWN: &str = concat!(
    "(\\PC|\\p{Cc}|\\p{Cf}|\\p{Mn}|[a-z]{1,12}| |\n|\n\n|\n> |\n- |\n  - |\n1\\. |\n99\\. |",
    "\n```rust\n|\n```\n|\\*|\\*\\*|~~|`|\\[|\\]\\(|\\)|\\[\\[|\\]\\]|\\||",
    "\n\\|a\\|b\\|\n\\|-\\|-\\|\n|<b>|&#27;|&#10;|@ann|#ops|https://a|\n# |\n---\n|- \\[x\\] |日本|",
    "👨‍👩‍👧‍👦|❤️|ᄀᄀᄀ|ﾞ|שלום|\t|!\\[){0,60}",
);

proptest! {
    #[test]
    fn every_text_renders_within_its_columns(source in MARKDOWN, columns in 4_usize..60) {
        for line in markdown(&source, columns, &look()) {
            prop_assert!(row_width(&line.spans) <= columns, "{line:?}");
            prop_assert!(!line.spans.iter().any(|span| span.content.contains(char::is_control)), "{line:?}");
        }
        for link in links(&source) {
            prop_assert!(!link.contains(char::is_control));
        }
        markdown(&source, 0, &look());
        markdown(&source, 1, &look());
    }
}
