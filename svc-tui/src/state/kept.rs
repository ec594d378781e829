//! Drafts and the outbox: what a person has written and the hub does not have yet.
//!
//! Invariants: a message that is on its way is in the outbox until the hub has answered. It has one idempotency key
//! for all attempts, so it is sent once. Drafts and the outbox are kept in a file, so that they survive the end of the
//! program, also a sudden one.

mod file;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use svc_core::ids::MessageId;
use svc_core::messages::NewMessage;

use self::file::Own;
pub(crate) use self::file::write_private;
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    file: Option<Own>,
    /// Whether there is no file, because other windows hold all of them.
    crowded: bool,
    /// Whether the file is older than the content.
    dirty: bool,
}

impl Kept {
    /// Reads the file, or the one of a further window of the same login. A file that cannot be read counts as empty,
    /// and is replaced when something is written.
    pub(crate) async fn open(file: PathBuf) -> Self {
        let mut own = file::take(&file).await;
        let content = own.as_mut().map(|own| std::mem::take(&mut own.content)).unwrap_or_default();
        Self { content, crowded: own.is_none(), file: own, dirty: false }
    }

    /// A sentence for the person about other windows of the same login.
    pub(crate) fn notice(&self) -> Option<&'static str> {
        match &self.file {
            Some(own) if own.number > 1 => {
                Some("Another window has your earlier drafts. Those of this window are kept too.")
            }
            None if self.crowded => Some("Too many windows are open: drafts of this one are not kept."),
            _ => None,
        }
    }

    /// Names and texts that are kept.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.content.drafts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
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

    /// Lets everything be written again.
    pub(crate) fn expire(&mut self) {
        self.dirty = true;
    }

    /// The file and its new content, if something has changed since the last call.
    pub(crate) fn unwritten(&mut self) -> Option<(PathBuf, Vec<u8>)> {
        if !std::mem::take(&mut self.dirty) {
            return None;
        }
        Some((self.file.as_ref()?.path.clone(), serde_json::to_vec(&self.content).ok()?))
    }
}

fn name(place: &Place, thread: Option<MessageId>) -> String {
    let place = place.name();
    thread.map_or_else(|| place.clone(), |thread| format!("{place}/{thread}"))
}

/// The beginning of the names of articles that are not saved; it is the name of a new one.
pub(crate) const ARTICLE: &str = "wiki:";

/// Where a text was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In a conversation.
    Conversation(Place),
    /// In a thread of a conversation.
    Thread(Place, MessageId),
    /// In an article, by its slug.
    Article(String),
    /// In an article that is new.
    NewArticle,
}

/// Where a text was written, from the name under which it is kept.
pub(crate) fn origin(name: &str) -> Option<Origin> {
    match name.strip_prefix(ARTICLE) {
        Some("") => return Some(Origin::NewArticle),
        Some(slug) => return Some(Origin::Article(slug.to_owned())),
        None => {}
    }
    let (place, thread) = match name.split_once('/') {
        Some((place, thread)) => (place, Some(MessageId(thread.parse().ok()?))),
        None => (name, None),
    };
    let place = match place.strip_prefix('#') {
        Some(channel) => Place::Channel(channel.to_owned()),
        None => Place::Direct(place.strip_prefix('@')?.to_owned()),
    };
    Some(match thread {
        Some(thread) => Origin::Thread(place, thread),
        None => Origin::Conversation(place),
    })
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

    #[test]
    fn a_draft_leads_back_to_its_conversation() {
        let (ops, bob) = (Place::Channel("ops".into()), Place::Direct("bob".into()));
        assert_eq!(origin(&name(&ops, None)), Some(Origin::Conversation(ops)));
        assert_eq!(origin(&name(&bob, Some(MessageId(7)))), Some(Origin::Thread(bob, MessageId(7))));
        assert_eq!(origin("wiki:deploy"), Some(Origin::Article("deploy".into())));
        assert_eq!(origin(ARTICLE), Some(Origin::NewArticle));
        assert_eq!(origin("deploy"), None);
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
        let outbox = kept.outbox().to_vec();
        drop(kept);
        let again = Kept::open(file).await;
        assert_eq!(again.draft(&place, None), "half a thought");
        assert_eq!(again.outbox(), outbox);
    }
}
