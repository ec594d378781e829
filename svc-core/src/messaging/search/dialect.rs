//! The SQL that differs between the two engines: matching and relevance.

use super::query::{Condition, Query};
use crate::store::db::Engine;

/// The engine-specific parts of a statement. `$5` is the text of the match, if there is one.
pub(super) struct Dialect {
    /// The FROM clause, with the message as `m`.
    pub(super) from: &'static str,
    /// The match condition. Direct copies that notify of a mention have no words, so they never
    /// match.
    pub(super) condition: &'static str,
    /// The sort key of relevance; smaller is more relevant.
    pub(super) relevance: &'static str,
    /// The message id, as the engine needs it to scan matches from the newest on.
    pub(super) id: &'static str,
    /// The value of `$5`.
    pub(super) text: Option<String>,
}

impl Dialect {
    pub(super) fn of(engine: Engine, query: &Query) -> Self {
        let condition = match engine {
            Engine::Sqlite => query.fts5(),
            Engine::Postgres => query.tsquery(),
        };
        match (engine, condition) {
            (_, Condition::Anything) => Self::plain("m.mention_of IS NULL", None),
            // The word index comes first: each match looks up one message row, in the order of the
            // file.
            (Engine::Sqlite, Condition::Matching(text)) => Self {
                from: "message_words w CROSS JOIN messages m ON m.id = w.rowid",
                condition: "w.message_words MATCH $5",
                relevance: "w.rank",
                id: "w.rowid",
                text: Some(text),
            },
            (Engine::Postgres, Condition::Matching(text)) => Self {
                from: "messages m",
                condition: "m.words @@ CAST($5 AS tsquery)",
                relevance: "-ts_rank(m.words, CAST($5 AS tsquery))",
                id: "m.id",
                text: Some(text),
            },
            (Engine::Sqlite, Condition::NotMatching(text)) => Self::plain(
                "m.mention_of IS NULL
                 AND m.id NOT IN (SELECT w.rowid FROM message_words w WHERE w.message_words MATCH $5)",
                Some(text),
            ),
            (Engine::Postgres, Condition::NotMatching(text)) => {
                Self::plain("m.mention_of IS NULL AND NOT (m.words @@ CAST($5 AS tsquery))", Some(text))
            }
        }
    }

    fn plain(condition: &'static str, text: Option<String>) -> Self {
        Self { from: "messages m", condition, relevance: "-m.id", id: "m.id", text }
    }
}
