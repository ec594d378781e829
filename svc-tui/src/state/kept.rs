//! Drafts and the outbox: what a person has written and the hub does not have yet.
//!
//! Invariants: a message that is on its way is in the outbox until the hub has answered. It has one idempotency key
//! for all attempts, so it is sent once. Drafts and the outbox are kept in a file, so that they survive the end of the
//! program, also a sudden one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use svc_core::ids::MessageId;
use svc_core::messages::NewMessage;

use crate::backend::Place;

/// Maximum number of messages that wait.
pub(crate) const OUTBOX_MAX: usize = 100;

/// A message that waits to be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outgoing {
    /// The idempotency key of all attempts.
    pub(crate) key: String,
    /// The message.
    pub(crate) message: NewMessage,
    /// Why the hub refused it; it is not sent again until the person asks for it.
    #[serde(default)]
    pub(crate) refused: Option<String>,
    /// Whether an attempt is under way.
    #[serde(skip)]
    pub(crate) under_way: bool,
}

/// The content of the file.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Content {
    #[serde(default)]
    drafts: BTreeMap<String, String>,
    #[serde(default)]
    outbox: Vec<Outgoing>,
}

/// Drafts and messages that wait.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    content: Content,
    file: Option<PathBuf>,
    /// Whether the file is older than the content.
    dirty: bool,
}

impl Kept {
    /// Reads the file. A file that cannot be read counts as empty, and is replaced when something is written.
    pub(crate) async fn open(file: PathBuf) -> Self {
        let content = tokio::fs::read(&file).await.ok();
        let content = content.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { content, file: Some(file), dirty: false }
    }

    /// The draft of a conversation or a thread.
    pub(crate) fn draft(&self, place: &Place, thread: Option<MessageId>) -> &str {
        self.text(&name(place, thread))
    }

    /// Keeps a draft; an empty one is removed.
    pub(crate) fn set_draft(&mut self, place: &Place, thread: Option<MessageId>, text: &str) {
        self.set_text(&name(place, thread), text);
    }

    /// A text that is kept under a name. Names of drafts begin with `#` or `@`.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.content.drafts.get(name).map_or("", String::as_str)
    }

    /// Keeps a text under a name; an empty one is removed.
    pub(crate) fn set_text(&mut self, name: &str, text: &str) {
        if self.text(name) == text {
            return;
        }
        self.dirty = true;
        if text.trim().is_empty() {
            self.content.drafts.remove(name);
        } else {
            self.content.drafts.insert(name.to_owned(), text.to_owned());
        }
    }

    /// Messages that wait, the oldest first.
    pub(crate) fn outbox(&self) -> &[Outgoing] {
        &self.content.outbox
    }

    /// Adds a message to the outbox. Says whether there was room.
    pub(crate) fn push(&mut self, outgoing: Outgoing) -> bool {
        let room = self.content.outbox.len() < OUTBOX_MAX;
        if room {
            self.content.outbox.push(outgoing);
            self.dirty = true;
        }
        room
    }

    /// The next message to send: the oldest of those that were not refused, unless an attempt is under way. One at a
    /// time, so that messages arrive in the order in which they were written.
    pub(crate) fn next(&mut self) -> Option<Outgoing> {
        if self.content.outbox.iter().any(|outgoing| outgoing.under_way) {
            return None;
        }
        let next = self.content.outbox.iter_mut().find(|outgoing| outgoing.refused.is_none())?;
        next.under_way = true;
        Some(next.clone())
    }

    /// Removes a message that the hub has.
    pub(crate) fn remove(&mut self, key: &str) {
        self.content.outbox.retain(|outgoing| outgoing.key != key);
        self.dirty = true;
    }

    /// Records that an attempt failed, with the reason if it must not be repeated.
    pub(crate) fn failed(&mut self, key: &str, refused: Option<String>) {
        if let Some(outgoing) = self.content.outbox.iter_mut().find(|outgoing| outgoing.key == key) {
            outgoing.under_way = false;
            self.dirty |= outgoing.refused != refused;
            outgoing.refused = refused;
        }
    }

    /// Whether the hub has refused a message that is still here.
    pub(crate) fn has_refused(&self) -> bool {
        self.content.outbox.iter().any(|outgoing| outgoing.refused.is_some())
    }

    /// Removes all messages that the hub has refused.
    pub(crate) fn discard_refused(&mut self) {
        self.content.outbox.retain(|outgoing| outgoing.refused.is_none());
        self.dirty = true;
    }

    /// Lets all refused messages be tried again.
    pub(crate) fn retry(&mut self) {
        for outgoing in &mut self.content.outbox {
            outgoing.refused = None;
        }
        self.dirty = true;
    }

    /// The file and its new content, if something has changed since the last call.
    pub(crate) fn unwritten(&mut self) -> Option<(PathBuf, Vec<u8>)> {
        if !std::mem::take(&mut self.dirty) {
            return None;
        }
        Some((self.file.clone()?, serde_json::to_vec(&self.content).ok()?))
    }
}

fn name(place: &Place, thread: Option<MessageId>) -> String {
    let place = match place {
        Place::Channel(name) => format!("#{name}"),
        Place::Direct(name) => format!("@{name}"),
    };
    thread.map_or_else(|| place.clone(), |thread| format!("{place}/{thread}"))
}

/// Writes a file at once: a reader sees the old or the new content, and nobody else can read it.
pub(crate) async fn write_private(file: PathBuf, content: Vec<u8>) -> std::io::Result<()> {
    use tokio::io::AsyncWriteExt;

    if let Some(directory) = file.parent() {
        tokio::fs::create_dir_all(directory).await?;
    }
    let mut new = file.clone().into_os_string();
    new.push(format!(".{}.new", std::process::id()));
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut open = options.open(&new).await?;
    open.write_all(&content).await?;
    open.sync_all().await?;
    drop(open);
    tokio::fs::rename(&new, &file).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outgoing(key: &str) -> Outgoing {
        Outgoing { key: key.into(), message: NewMessage::to("ann", key), refused: None, under_way: false }
    }

    #[test]
    fn messages_are_sent_one_at_a_time_and_in_order() {
        let mut kept = Kept::default();
        assert!(kept.push(outgoing("1")) && kept.push(outgoing("2")));
        assert_eq!(kept.next().unwrap().key, "1");
        assert!(kept.next().is_none(), "one is under way");
        kept.failed("1", None);
        assert_eq!(kept.next().unwrap().key, "1", "it is repeated");
        kept.failed("1", Some("too long".into()));
        assert_eq!(kept.next().unwrap().key, "2", "a refused one delays no other");
    }

    #[tokio::test]
    async fn drafts_and_messages_survive_in_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("state/kept.json");
        let mut kept = Kept::open(file.clone()).await;
        let place = Place::Channel("ops".into());
        kept.set_draft(&place, None, "half a thought");
        assert!(kept.push(outgoing("1")));
        let (path, content) = kept.unwritten().unwrap();
        write_private(path, content).await.unwrap();
        assert!(kept.unwritten().is_none(), "nothing has changed");
        let again = Kept::open(file).await;
        assert_eq!(again.draft(&place, None), "half a thought");
        assert_eq!(again.outbox(), kept.outbox());
    }
}
