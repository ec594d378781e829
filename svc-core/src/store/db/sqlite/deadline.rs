//! The deadline of a reader. Only the engine itself can interrupt a running statement.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// The frequency at which the engine checks the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// About every millisecond of ordinary statements.
    Ordinary,
    /// Much more often. The full-text index does most of its work in few instructions, each of which may take
    /// tens of microseconds.
    Close,
}

impl Pace {
    /// The number of engine instructions between two checks.
    fn instructions(self) -> i32 {
        match self {
            Self::Ordinary => 20_000,
            Self::Close => 200,
        }
    }
}

/// The deadline of the unit of work on one connection.
pub(super) struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    /// Interrupts statements of a connection that run past the deadline, once there is one.
    pub(super) fn watch(connection: &Connection, pace: Pace) -> rusqlite::Result<Self> {
        let end = Arc::<Mutex<Option<Instant>>>::default();
        let seen = end.clone();
        let is_over =
            move || seen.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|end| Instant::now() > end);
        connection.progress_handler(pace.instructions(), Some(is_over))?;
        Ok(Self(end))
    }

    /// Sets the deadline, from now on.
    pub(super) fn begin(&self, after: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + after);
    }

    /// Removes the deadline.
    pub(super) fn lift(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::db::error::DbError;
    use crate::store::db::sqlite::failure::failure;

    const ENDLESS: &str = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n";

    #[test]
    fn a_slow_statement_is_interrupted_and_the_next_is_not() {
        let connection = Connection::open_in_memory().unwrap();
        let deadline = Deadline::watch(&connection, Pace::Ordinary).unwrap();
        deadline.begin(Duration::from_millis(20));
        let ended = connection.query_row(ENDLESS, [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert!(matches!(failure(&ended), DbError::TooSlow(_)), "{ended}");
        deadline.lift();
        assert_eq!(connection.query_row("SELECT 1", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    }
}
