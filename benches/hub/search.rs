//! Full-text search in a large store, compared with the same query on the bare index.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use svc_core::search::SearchFilter;
use svc_core::{Caller, Hub};

use crate::fill::word;

/// Queries of two words: frequent with rare, rare with rare, and so on.
const QUESTIONS: usize = 200;
/// Hits per page.
const PAGE: i64 = 20;

/// p95 in microseconds, through the hub and on the bare index. The two are interleaved, so that both see the same
/// machine.
pub(crate) async fn p95(hub: &Hub, caller: &Caller, file: &Path) -> (f64, f64) {
    let bare = Bare::open(file);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for number in 0..QUESTIONS {
        let words = question(number);
        let asked = Instant::now();
        let total = bare.search(&words);
        theirs.push(asked.elapsed());
        let filter = SearchFilter { q: Some(words.join(" ")), limit: Some(PAGE), ..SearchFilter::default() };
        let asked = Instant::now();
        let page = hub.search().messages(caller, filter).await.expect("the search succeeds");
        ours.push(asked.elapsed());
        assert!(page.total <= total, "the hub returns at most all messages");
    }
    (slowest_twentieth(ours), slowest_twentieth(theirs))
}

/// Two words from all over the vocabulary; the first ones occur in every tenth message.
fn question(number: usize) -> [String; 2] {
    [word(10 + number * 3), word(11 + number * 37 % 2_000)]
}

fn slowest_twentieth(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() * 95 / 100].as_secs_f64() * 1e6
}

/// The bare index, opened like the hub's readers.
struct Bare(Connection);

impl Bare {
    fn open(file: &Path) -> Self {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).expect("the hub has made it");
        connection.pragma_update(None, "cache_size", -4_096).expect("a valid pragma");
        connection.pragma_update(None, "temp_store", "MEMORY").expect("a valid pragma");
        Self(connection)
    }

    /// The number of hits, and the most relevant of them.
    fn search(&self, words: &[String; 2]) -> i64 {
        let question = format!("\"{}\" AND \"{}\"", words[0], words[1]);
        let mut count = self
            .0
            .prepare_cached("SELECT count(*) FROM message_words WHERE message_words MATCH $1")
            .expect("the index is there");
        let total = count.query_row([&question], |row| row.get(0)).expect("a valid query");
        let mut page = self
            .0
            .prepare_cached("SELECT rowid FROM message_words WHERE message_words MATCH $1 ORDER BY rank LIMIT $2")
            .expect("the index is there");
        let ids = page.query_map((&question, PAGE), |row| row.get::<_, i64>(0)).expect("a valid query");
        assert!(ids.filter_map(Result::ok).count() <= 20);
        total
    }
}
