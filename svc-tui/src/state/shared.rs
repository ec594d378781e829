//! What all screens share: who is logged in, the conversations, the connection, drafts and the outbox.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use svc_core::Timestamp;
use svc_core::messages::Message;

use super::conversations::Conversations;
use super::kept::Kept;
use crate::backend::{Cause, Failure};
use crate::files;
use crate::text;

/// How long a note stays in the footer.
const NOTE: Duration = Duration::from_secs(6);

/// The state of the live feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Connection {
    /// The first attempt.
    Connecting,
    /// Events arrive.
    Live,
    /// The hub cannot be reached; it is tried again.
    Lost(String),
    /// The login has ended.
    LoggedOut,
}

/// A short text in the footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// The text.
    pub(crate) text: String,
    /// Whether it is about a failure.
    pub(crate) failure: bool,
    until: Timestamp,
}

/// What all screens share.
pub(crate) struct Shared {
    /// The address or the directory of the hub.
    pub(crate) server: String,
    /// The handle of the participant who is logged in.
    pub(crate) me: String,
    /// The conversations, with unread counts.
    pub(crate) conversations: Conversations,
    /// The state of the live feed.
    pub(crate) connection: Connection,
    /// Drafts and messages that are not sent yet.
    pub(crate) kept: Kept,
    /// Messages that the hub has just taken; screens show them before the live feed does.
    pub(crate) sent: Vec<Message>,
    /// The directory for files that are downloaded.
    pub(crate) downloads: PathBuf,
    /// The paths of files that were downloaded, by hash.
    pub(crate) saved: HashMap<String, PathBuf>,
    note: Option<Note>,
    /// The beginning of idempotency keys, which no other process has.
    prefix: String,
    keys: u64,
}

impl Shared {
    /// The state after logging in. `prefix` is random: idempotency keys begin with it.
    pub(crate) fn new(server: String, me: String, kept: Kept, prefix: String) -> Self {
        Self {
            server,
            me,
            conversations: Conversations::default(),
            connection: Connection::Connecting,
            kept,
            sent: Vec::new(),
            downloads: files::directory(),
            saved: HashMap::new(),
            note: None,
            prefix,
            keys: 0,
        }
    }

    /// A new idempotency key.
    pub(crate) fn new_key(&mut self) -> String {
        self.keys += 1;
        format!("tui-{}-{}", self.prefix, self.keys)
    }

    /// The note to show.
    pub(crate) fn current_note(&self, now: Timestamp) -> Option<&Note> {
        self.note.as_ref().filter(|note| now < note.until)
    }

    /// Shows a note.
    pub(crate) fn note(&mut self, text: &str, now: Timestamp) {
        self.note = Some(Note { text: text::one_line(text), failure: false, until: now.plus(NOTE) });
    }

    /// Shows a failure.
    pub(crate) fn failed(&mut self, failure: &Failure, now: Timestamp) {
        if failure.cause == Cause::LoggedOut {
            self.connection = Connection::LoggedOut;
        }
        self.note = Some(Note { text: text::one_line(&failure.message), failure: true, until: now.plus(NOTE) });
    }
}
