//! The log of a run: bounded, without secrets, and readable while it grows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::RunJob;
use super::redact::Redactor;
use crate::limits;

/// Takes what a run prints. Clones share it.
#[derive(Clone)]
pub struct LogSink {
    shared: Arc<Shared>,
}

struct Shared {
    kept: Mutex<Kept>,
    /// The number of bytes so far, and whether there will be more.
    grown: watch::Sender<(u64, bool)>,
}

/// The beginning and the end of a log.
struct Kept {
    redactor: Redactor,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

/// Half of a log is its beginning, the other half its end.
const HALF: usize = limits::RUN_LOG_MAX / 2 - MARK_MAX;
/// Room for the words about what is missing in between.
const MARK_MAX: usize = 64;

impl LogSink {
    /// A log in which these texts are not shown.
    pub fn new<'a>(hidden: impl IntoIterator<Item = &'a str>) -> Self {
        let kept =
            Kept { redactor: Redactor::new(hidden), head: Vec::new(), tail: VecDeque::with_capacity(0), total: 0 };
        Self { shared: Arc::new(Shared { kept: Mutex::new(kept), grown: watch::Sender::new((0, false)) }) }
    }

    /// The log of a job, in which neither its credential nor its secrets are shown.
    pub fn of(job: &RunJob) -> Self {
        Self::new(job.secrets.values().chain([&job.credential]).map(String::as_str))
    }

    /// Adds bytes.
    pub fn write(&self, bytes: &[u8]) {
        let mut kept = self.lock();
        let clean = kept.redactor.pass(bytes);
        kept.add(&clean);
        self.tell(&kept, false);
    }

    /// Adds a line by the hub.
    pub fn note(&self, line: &str) {
        self.write(format!("[svc] {line}\n").as_bytes());
    }

    /// Ends the log; readers that have caught up stop waiting.
    pub fn close(&self) {
        let mut kept = self.lock();
        let rest = kept.redactor.finish();
        kept.add(&rest);
        self.tell(&kept, true);
    }

    /// The log as text, with its middle left out when it is longer than the limit.
    pub fn whole(&self) -> String {
        self.lock().text(limits::RUN_LOG_MAX)
    }

    /// The beginning and the end of the log, as text.
    pub fn excerpt(&self) -> String {
        self.lock().text(limits::RUN_EXCERPT_MAX)
    }

    /// The end of the log, as text of at most so many bytes.
    pub fn end(&self, most: usize) -> String {
        let kept = self.lock();
        let all = kept.bytes();
        let bytes: Vec<u8> = all[all.len().saturating_sub(most)..].to_vec();
        drop(kept);
        let text = plain(&bytes);
        text[text.ceil_char_boundary(text.len().saturating_sub(most))..].to_owned()
    }

    /// A reader that begins with what is kept, and goes on while the log grows.
    pub fn follow(&self) -> LogFollower {
        LogFollower { sink: self.clone(), grown: self.shared.grown.subscribe(), position: 0 }
    }

    fn tell(&self, kept: &Kept, is_last: bool) {
        self.shared.grown.send_if_modified(|(total, is_over)| {
            let changed = *total != kept.total || (is_last && !*is_over);
            *total = kept.total;
            *is_over |= is_last;
            changed
        });
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = HALF.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        // Only the last bytes of a long write can stay.
        let rest = &rest[rest.len().saturating_sub(HALF)..];
        let excess = (self.tail.len() + rest.len()).saturating_sub(HALF);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }

    /// The number of bytes between the beginning and the end that are gone.
    fn missing(&self) -> u64 {
        self.total - self.head.len() as u64 - self.tail.len() as u64
    }

    /// The head and the tail of the log, with a mark between them for the bytes that were left out.
    fn bytes(&self) -> Vec<u8> {
        let mut all = self.head.clone();
        if self.missing() > 0 {
            all.extend_from_slice(mark(self.missing()).as_bytes());
        }
        let (first, second) = self.tail.as_slices();
        all.extend_from_slice(first);
        all.extend_from_slice(second);
        all
    }

    fn text(&self, most: usize) -> String {
        let text = plain(&self.bytes());
        if text.len() <= most {
            return text;
        }
        let half = most / 2 - MARK_MAX;
        let head = &text[..text.floor_char_boundary(half)];
        let tail = &text[text.ceil_char_boundary(text.len() - half)..];
        let missing = self.missing() + (text.len() - head.len() - tail.len()) as u64;
        format!("{head}{}{tail}", mark(missing))
    }

    /// The bytes from a position on, and the position after them.
    fn from(&self, position: u64) -> (Vec<u8>, u64) {
        let head = self.head.len() as u64;
        let tail_begins = self.total - self.tail.len() as u64;
        let mut found = Vec::new();
        if position < head {
            found.extend_from_slice(&self.head[usize::try_from(position).unwrap_or(0)..]);
        }
        if position < tail_begins && self.missing() > 0 {
            found.extend_from_slice(mark(tail_begins - position.max(head)).as_bytes());
        }
        let skipped = usize::try_from(position.saturating_sub(tail_begins)).unwrap_or(usize::MAX);
        found.extend(self.tail.iter().skip(skipped));
        (found, self.total)
    }
}

fn mark(missing: u64) -> String {
    format!("\n[svc] {missing} bytes are left out\n")
}

/// Bytes as text. A run may print anything, so what is not text is replaced, and NUL, which the store does not take.
fn plain(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}

/// Reads a log while it grows.
pub struct LogFollower {
    sink: LogSink,
    grown: watch::Receiver<(u64, bool)>,
    position: u64,
}

impl LogFollower {
    /// The next bytes; `None` at the end. A reader that is too slow gets a mark in place of what is gone.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let (total, is_over) = *self.grown.borrow_and_update();
            if total > self.position {
                let (bytes, position) = self.sink.lock().from(self.position);
                self.position = position;
                return Some(bytes);
            }
            if is_over || self.grown.changed().await.is_err() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_log_keeps_its_beginning_and_its_end() {
        let log = LogSink::new([]);
        log.write(b"first\n");
        for number in 0..300_000 {
            log.write(format!("line {number}\n").as_bytes());
        }
        log.write(b"last\n");
        for (text, most) in [(log.whole(), limits::RUN_LOG_MAX), (log.excerpt(), limits::RUN_EXCERPT_MAX)] {
            assert!(text.len() <= most && text.len() > most / 2, "{}", text.len());
            assert!(text.starts_with("first\n") && text.ends_with("last\n"));
            assert!(text.contains("bytes are left out"));
        }
        assert!(log.end(20).ends_with("last\n") && log.end(20).len() <= 20);
    }

    #[tokio::test]
    async fn a_reader_follows_a_log_to_its_end() {
        let log = LogSink::new([]);
        log.write(b"one ");
        let mut reader = log.follow();
        assert_eq!(reader.next().await.unwrap(), b"one ");
        let writer = log.clone();
        let task = tokio::spawn(async move {
            writer.write(b"two");
            writer.close();
        });
        let mut rest = Vec::new();
        while let Some(bytes) = reader.next().await {
            rest.extend(bytes);
        }
        assert_eq!(rest, b"two");
        task.await.unwrap();
    }

    #[tokio::test]
    async fn a_slow_reader_is_told_what_it_missed() {
        let log = LogSink::new([]);
        let mut reader = log.follow();
        log.write(&vec![b'a'; 4 * limits::RUN_LOG_MAX]);
        log.write(b"end");
        log.close();
        let all = reader.next().await.unwrap();
        assert!(all.len() <= limits::RUN_LOG_MAX && all.ends_with(b"end"));
        assert!(String::from_utf8(all).unwrap().contains("bytes are left out"));
        assert_eq!(reader.next().await, None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_text_within_the_limit(writes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9000), 0..8)) {
            let log = LogSink::new([]);
            for bytes in &writes {
                log.write(bytes);
            }
            log.close();
            prop_assert!(log.excerpt().len() <= limits::RUN_EXCERPT_MAX);
            prop_assert!(!log.whole().contains('\0'));
            let all: Vec<u8> = writes.concat();
            prop_assert_eq!(log.shared.kept.lock().unwrap().bytes(), all);
        }
    }
}
