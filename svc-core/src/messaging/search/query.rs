//! The parser of search queries: words, `"phrases"`, `-word`, `-"phrase"`, `prefix*`.
//!
//! Invariants:
//! - No text is an error.
//! - At most [`limits::SEARCH_TERMS_MAX`] terms of a text are used.
//! - Only letters and digits reach the engines, quoted, so no input is ever an operator of theirs.
//!
//! A prefix of one letter is searched as a whole word, except for characters that stand for a
//! syllable or a word, as in Chinese.
//!
//! A word is a run of letters and digits; see [`words`](super::words). Words joined without a
//! space, `left-pad`, are searched as a phrase.

use super::words;
use crate::limits;

/// A parsed search query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Terms that the message must contain.
    pub(crate) must: Vec<Term>,
    /// Terms that the message must not contain.
    pub(crate) must_not: Vec<Term>,
}

/// A word or a phrase. It has at least one word, and all words are folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// The words.
    pub(crate) words: Vec<String>,
    /// Whether the last word is a prefix.
    pub(crate) prefix: bool,
}

/// The match condition of a query, in the language of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Every text matches.
    Anything,
    /// The text matches this.
    Matching(String),
    /// The text does not match this. Neither engine can find absent words by its index.
    NotMatching(String),
}

impl Query {
    /// Parses any input.
    pub(crate) fn parse(text: &str) -> Self {
        let mut query = Self::default();
        let mut rest = Unparsed { text, quotes: text.chars().filter(|letter| is_quote(*letter)).count() };
        while query.must.len() + query.must_not.len() < limits::SEARCH_TERMS_MAX {
            let Some(piece) = rest.next_part() else { break };
            if let Some(term) = Term::of(piece.text, piece.prefix) {
                let terms = if piece.negative { &mut query.must_not } else { &mut query.must };
                // A repeated term adds nothing and would be searched twice.
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
        query
    }

    /// Whether the query has no terms.
    pub(crate) fn is_empty(&self) -> bool {
        self.must.is_empty() && self.must_not.is_empty()
    }

    /// The condition for `MATCH` of SQLite's FTS5.
    pub(crate) fn fts5(&self) -> Condition {
        self.condition([Term::fts5; 2], ["(", " AND ", ") NOT (", " OR ", ")"])
    }

    /// [`fts5`](Self::fts5) for a table with a column `title`, which must contain all wanted terms.
    pub(crate) fn fts5_title(&self) -> Condition {
        self.condition([Term::fts5_title, Term::fts5], ["(", " AND ", ") NOT (", " OR ", ")"])
    }

    /// The condition for PostgreSQL, as the text of a `tsquery`.
    pub(crate) fn tsquery(&self) -> Condition {
        self.condition([Term::tsquery; 2], ["(", " & ", ") & !(", " | ", ")"])
    }

    /// [`tsquery`](Self::tsquery) for a text with a title of the weight A, which must contain all wanted terms.
    pub(crate) fn tsquery_title(&self) -> Condition {
        self.condition([Term::tsquery_title, Term::tsquery], ["(", " & ", ") & !(", " | ", ")"])
    }

    /// The condition of terms in the language of an engine, given how it writes wanted and unwanted terms.
    fn condition(
        &self,
        [wanted, unwanted]: [fn(&Term) -> String; 2],
        [open, and, but_not, or, close]: [&str; 5],
    ) -> Condition {
        let join = |render: fn(&Term) -> String, terms: &[Term], by: &str| {
            terms.iter().map(render).collect::<Vec<_>>().join(by)
        };
        match (self.must.is_empty(), self.must_not.is_empty()) {
            (true, true) => Condition::Anything,
            (true, false) => Condition::NotMatching(join(unwanted, &self.must_not, or)),
            (false, true) => Condition::Matching(join(wanted, &self.must, and)),
            (false, false) => {
                let (wanted, unwanted) = (join(wanted, &self.must, and), join(unwanted, &self.must_not, or));
                Condition::Matching([open, &wanted, but_not, &unwanted, close].concat())
            }
        }
    }
}

impl Term {
    /// The term of a part of the query; none if it contains no letter and no digit.
    fn of(text: &str, prefix: bool) -> Option<Self> {
        let mut term = Self { words: Vec::new(), prefix: false };
        for (_, word) in words::of(text).take(limits::SEARCH_PHRASE_MAX) {
            let (word, whole) = words::cut(word);
            term.words.push(words::fold(word).into_owned());
            if !whole {
                // Both engines match by this beginning.
                term.prefix = true;
                break;
            }
        }
        term.prefix |= prefix && term.words.last().is_some_and(|word| can_be_prefix(word));
        (!term.words.is_empty()).then_some(term)
    }

    fn fts5(&self) -> String {
        let star = if self.prefix { " *" } else { "" };
        format!("\"{}\"{star}", self.words.join(" "))
    }

    fn fts5_title(&self) -> String {
        format!("title : {}", self.fts5())
    }

    fn tsquery(&self) -> String {
        let star = if self.prefix { ":*" } else { "" };
        format!("('{}'{star})", self.words.join("' <-> '"))
    }

    fn tsquery_title(&self) -> String {
        let star = if self.prefix { "*" } else { "" };
        format!("('{}':{star}A)", self.words.join("':A <-> '"))
    }
}

/// Whether a word is long enough for a prefix search: nearly every message has a word that begins
/// with a given letter, and all of them would be read.
fn can_be_prefix(word: &str) -> bool {
    word.chars().nth(limits::SEARCH_PREFIX_MIN - 1).is_some() || word.len() >= limits::SEARCH_PREFIX_BYTES
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// A part of the query that becomes a term, if it contains a word.
struct QueryPart<'a> {
    text: &'a str,
    negative: bool,
    prefix: bool,
}

/// The unread rest of the query, and the number of quotes in it.
struct Unparsed<'a> {
    text: &'a str,
    quotes: usize,
}

impl<'a> Unparsed<'a> {
    fn next_part(&mut self) -> Option<QueryPart<'a>> {
        self.text = self.text.trim_start_matches(is_space);
        if self.text.is_empty() {
            return None;
        }
        let bare = self.text.trim_start_matches('-');
        let negative = bare.len() < self.text.len();
        self.text = bare;
        let quoted = bare.starts_with(is_quote);
        let text = if quoted { self.phrase() } else { self.take_until(|letter| is_space(letter) || is_quote(letter)) };
        let prefix = if quoted { self.text.starts_with('*') } else { text.ends_with('*') };
        Some(QueryPart { text, negative, prefix })
    }

    /// The text between two quotes. The last of an odd number of quotes counts as a space.
    fn phrase(&mut self) -> &'a str {
        let quote = self.text.chars().next().map_or(0, char::len_utf8);
        self.text = self.text.get(quote..).unwrap_or_default();
        self.quotes = self.quotes.saturating_sub(1);
        if self.quotes == 0 {
            return "";
        }
        let phrase = self.take_until(is_quote);
        let quote = self.text.chars().next().map_or(0, char::len_utf8);
        self.text = self.text.get(quote..).unwrap_or_default();
        self.quotes -= 1;
        phrase
    }

    fn take_until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        let (taken, left) = self.text.split_at(self.text.find(end).unwrap_or(self.text.len()));
        self.text = left;
        taken
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn term(words: &str) -> Term {
        Term { words: words.trim_end_matches('*').split(' ').map(Into::into).collect(), prefix: words.ends_with('*') }
    }

    fn parsed(text: &str) -> (Vec<Term>, Vec<Term>) {
        let query = Query::parse(text);
        (query.must, query.must_not)
    }

    fn expected(must: &[&str], must_not: &[&str]) -> (Vec<Term>, Vec<Term>) {
        (must.iter().map(|words| term(words)).collect(), must_not.iter().map(|words| term(words)).collect())
    }

    #[test]
    fn each_form_is_parsed() {
        assert_eq!(parsed("Deploy the API"), expected(&["deploy", "the", "api"], &[]));
        assert_eq!(parsed("\"build failed\" -flaky"), expected(&["build failed"], &["flaky"]));
        assert_eq!(parsed("-\"not this\" dep*"), expected(&["dep*"], &["not this"]));
        assert_eq!(parsed("-dep* \"roll ba\"*"), expected(&["roll ba*"], &["dep*"]));
        assert_eq!(parsed("left-pad v1.2"), expected(&["left pad", "v1 2"], &[]));
        assert_eq!(parsed("“smart quotes” x"), expected(&["smart quotes", "x"], &[]));
        assert_eq!(parsed("Crème ΣΊΣΥΦΟΣ 数据库 été"), expected(&["creme", "σίσυφοσ", "数据库", "ete"], &[]));
    }

    #[test]
    fn malformed_input_is_parsed_leniently() {
        for nothing in
            ["", "   ", "\"", "\"\"", "-", "--", "- -", "*", "\"*\"", "-\"\"", "()&|!:<->", "🙂 🎉", "\0\u{1}\n", "-*"]
        {
            assert_eq!(parsed(nothing), expected(&[], &[]), "{nothing:?}");
        }
        assert_eq!(parsed("a \"b c"), expected(&["a", "b", "c"], &[]));
        assert_eq!(parsed("a\"b c\"d \"e"), expected(&["a", "b c", "d", "e"], &[]));
        assert_eq!(parsed("--a - b a*b"), expected(&["b", "a b"], &["a"]));
        assert_eq!(parsed("a\0b🙂c AND OR NOT NEAR(x)"), expected(&["a", "b c", "and", "or", "not", "near x"], &[]));
        assert_eq!(parsed("subject:x -body:\"y z\" '; --"), expected(&["subject x", "y z"], &["body"]));
    }

    #[test]
    fn one_letter_is_no_prefix() {
        assert_eq!(parsed("a* -b* \"see c\"* é* д*"), expected(&["a", "see c", "e", "д"], &["b"]));
        assert_eq!(parsed("ab* \"see cd\"* 数* éa*"), expected(&["ab*", "see cd*", "数*", "ea*"], &[]));
    }

    #[test]
    fn the_number_of_terms_is_limited() {
        let many: Vec<_> = (0..5_000).map(|number| format!("word{number} -other{number}")).collect();
        let query = Query::parse(&many.join(" "));
        assert_eq!(query.must.len() + query.must_not.len(), limits::SEARCH_TERMS_MAX);
        let query = Query::parse(&format!("\"{}\"", "word ".repeat(5_000)));
        assert_eq!(query.must[0].words.len(), limits::SEARCH_PHRASE_MAX);
    }

    #[test]
    fn words_too_long_become_prefixes() {
        let query = Query::parse(&"ä".repeat(5_000));
        assert_eq!(query.must, [Term { words: vec!["a".repeat(127)], prefix: true }]);
    }

    #[test]
    fn engines_get_quoted_words_only() {
        let query = Query::parse("one \"two three\" fo* -\"five six\" -se*");
        assert_eq!(
            query.fts5(),
            Condition::Matching("(\"one\" AND \"two three\" AND \"fo\" *) NOT (\"five six\" OR \"se\" *)".into())
        );
        assert_eq!(
            query.tsquery(),
            Condition::Matching("(('one') & ('two' <-> 'three') & ('fo':*)) & !(('five' <-> 'six') | ('se':*))".into())
        );
        let negative = Query::parse("-one -two");
        assert_eq!(negative.fts5(), Condition::NotMatching("\"one\" OR \"two\"".into()));
        assert_eq!(negative.tsquery(), Condition::NotMatching("('one') | ('two')".into()));
        assert_eq!(Query::parse("🙂").fts5(), Condition::Anything);
    }

    proptest! {
        #[test]
        fn any_text_gives_words_of_letters_and_digits(text in "\\PC{0,60}|[-\"*a-c '\\\\\0:&|!()<>äΣ]{0,60}") {
            let query = Query::parse(&text);
            for term in query.must.iter().chain(&query.must_not) {
                prop_assert!(!term.words.is_empty());
                for word in &term.words {
                    prop_assert!(!word.is_empty() && word.chars().all(words::is_part), "{:?}", word);
                }
            }
        }

        #[test]
        fn words_survive_in_order(words in prop::collection::vec("[a-zøд界0-9]{1,8}", 0..20)) {
            let query = Query::parse(&words.join(" "));
            let found: Vec<_> = query.must.iter().flat_map(|term| term.words.clone()).collect();
            // Each word once, at its first occurrence.
            let mut once: Vec<String> = Vec::new();
            for word in words {
                if !once.contains(&word) {
                    once.push(word);
                }
            }
            once.truncate(limits::SEARCH_TERMS_MAX);
            prop_assert_eq!(found, once);
        }
    }
}
