//! The files of drafts and outboxes: one for each window of a login.
//!
//! Invariants: a window writes only its own file, whose lock it holds, so that windows never overwrite each other and
//! a message is in the outbox of one of them. What a window left behind is taken over by a later one, under both
//! locks: first it is written to the new file, then it is removed from the old one. A message that is in both after a
//! crash has one idempotency key.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tokio::io::AsyncWriteExt;

use super::{Content, OUTBOX_MAX};

/// Windows of a login whose drafts are kept.
const WINDOWS_MAX: usize = 8;

/// The file of a window.
#[derive(Debug)]
pub(super) struct Own {
    /// Its path.
    pub(super) path: PathBuf,
    /// Its content.
    pub(super) content: Content,
    /// The number of the window; later ones are not the first.
    pub(super) number: usize,
    /// Never read: the lock lives as long as the open file.
    _lock: Option<File>,
}

/// Takes the first free file, and what ended windows have left in the others. `None` when all are taken.
pub(super) async fn take(file: &Path) -> Option<Own> {
    let mut own: Option<Own> = None;
    for number in 1..=WINDOWS_MAX {
        let path = numbered(file, number);
        match &mut own {
            None => {
                let Claim::Free(lock) = claim(&path).await else { continue };
                own = Some(Own { content: read(&path).await.unwrap_or_default(), path, number, _lock: lock });
            }
            Some(own) if tokio::fs::try_exists(&path).await.is_ok_and(|exists| exists) => {
                let Claim::Free(Some(_lock)) = claim(&path).await else { continue };
                if let Err(error) = adopt(own, &path).await {
                    tracing::warn!(target: "svc::tui", %error, "drafts of another window cannot be taken over");
                }
            }
            Some(_) => {}
        }
    }
    own
}

/// The file of a window: `name.json`, `name-2.json`, …
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{number}.json"))
}

/// Whether a file is free.
enum Claim {
    /// It is, and its lock is held from now on. Without a lock, the directory cannot be written or has no locks.
    Free(Option<File>),
    /// Another window holds it.
    Taken,
}

async fn claim(path: &Path) -> Claim {
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    let Ok(file) = options.open(path.with_extension("lock")).await else { return Claim::Free(None) };
    let file = file.into_std().await;
    match file.try_lock() {
        Ok(()) => Claim::Free(Some(file)),
        Err(TryLockError::WouldBlock) => Claim::Taken,
        Err(TryLockError::Error(_)) => Claim::Free(None),
    }
}

/// The content of a file; `None` if there is none, or it cannot be read.
async fn read(path: &Path) -> Option<Content> {
    serde_json::from_slice(&tokio::fs::read(path).await.ok()?).ok()
}

/// Moves what an ended window has left into the own file.
async fn adopt(own: &mut Own, path: &Path) -> io::Result<()> {
    let Some(left) = read(path).await else { return Ok(()) };
    let mut content = own.content.clone();
    let rest = content.take(left);
    write_private(own.path.clone(), serde_json::to_vec(&content)?).await?;
    own.content = content;
    if rest == Content::default() {
        tokio::fs::remove_file(path).await
    } else {
        write_private(path.to_owned(), serde_json::to_vec(&rest)?).await
    }
}

impl Content {
    /// Takes drafts and messages of another window, and returns those that have no room here.
    fn take(&mut self, other: Self) -> Self {
        let mut rest = Self::default();
        for outgoing in other.outbox {
            if self.outbox.iter().any(|known| known.key == outgoing.key) {
                continue;
            }
            let outbox = if self.outbox.len() < OUTBOX_MAX { &mut self.outbox } else { &mut rest.outbox };
            outbox.push(outgoing);
        }
        for (name, text) in other.drafts {
            match self.drafts.get_mut(&name) {
                Some(draft) if *draft == text || draft.ends_with(&format!("\n\n{text}")) => {}
                // Two drafts of a conversation become one. Other texts have a format of their own, and stay.
                Some(draft) if name.starts_with(['#', '@']) => *draft = format!("{draft}\n\n{text}"),
                Some(_) => _ = rest.drafts.insert(name, text),
                None => _ = self.drafts.insert(name, text),
            }
        }
        rest
    }
}

/// Writes a file at once: a reader sees the old or the new content, and nobody else can read it.
pub(crate) async fn write_private(file: PathBuf, content: Vec<u8>) -> io::Result<()> {
    if let Some(directory) = file.parent() {
        tokio::fs::create_dir_all(directory).await?;
    }
    let mut new = file.clone().into_os_string();
    new.push(format!(".{}.new", std::process::id()));
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut open = options.open(&new).await?;
    open.write_all(&content).await?;
    open.sync_all().await?;
    drop(open);
    tokio::fs::rename(&new, &file).await
}

#[cfg(test)]
mod tests {
    use svc_core::messages::NewMessage;

    use crate::backend::Place;
    use crate::state::kept::{Kept, Outgoing, write_private};

    fn ops() -> Place {
        Place::Channel("ops".into())
    }

    fn outgoing(key: &str) -> Outgoing {
        Outgoing { key: key.into(), message: NewMessage::to("ann", key), refused: None, under_way: false }
    }

    async fn write(kept: &mut Kept) {
        let (path, content) = kept.unwritten().unwrap();
        write_private(path, content).await.unwrap();
    }

    fn keys(kept: &Kept) -> Vec<&str> {
        kept.outbox().iter().map(|outgoing| outgoing.key.as_str()).collect()
    }

    #[tokio::test]
    async fn windows_do_not_overwrite_each_other_and_nothing_is_lost() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("kept.json");
        let mut first = Kept::open(file.clone()).await;
        first.set_draft(&ops(), None, "of the first");
        first.set_text("wiki:deploy", "1");
        assert!(first.notice().is_none() && first.push(outgoing("1")));
        write(&mut first).await;

        let mut second = Kept::open(file.clone()).await;
        assert!(second.notice().unwrap().contains("Another window"));
        assert_eq!((second.draft(&ops(), None), keys(&second)), ("", vec![]), "they belong to the first");
        second.set_draft(&ops(), None, "of the second");
        second.set_draft(&Place::Direct("bob".into()), None, "hello");
        second.set_text("wiki:deploy", "2");
        assert!(second.push(outgoing("2")));
        write(&mut second).await;
        first.set_draft(&ops(), None, "of the first, longer");
        write(&mut first).await;
        drop(second);
        drop(first);

        let third = Kept::open(file.clone()).await;
        assert_eq!(third.draft(&ops(), None), "of the first, longer\n\nof the second");
        assert_eq!(third.draft(&Place::Direct("bob".into()), None), "hello");
        assert_eq!((third.text("wiki:deploy"), keys(&third)), ("1", vec!["1", "2"]));
        drop(third);

        // The other text of the article waits until there is room for it.
        let mut fourth = Kept::open(file.clone()).await;
        assert_eq!(keys(&fourth), ["1", "2"], "it was taken over once");
        fourth.set_text("wiki:deploy", "");
        write(&mut fourth).await;
        drop(fourth);
        assert_eq!(Kept::open(file).await.text("wiki:deploy"), "2");
    }

    #[tokio::test]
    async fn what_is_in_two_files_after_a_crash_is_taken_once() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("kept.json");
        let mut first = Kept::open(file.clone()).await;
        first.set_draft(&ops(), None, "one\n\ntwo");
        assert!(first.push(outgoing("1")));
        write(&mut first).await;
        let mut second = Kept::open(file.clone()).await;
        second.set_draft(&ops(), None, "two");
        assert!(second.push(outgoing("1")));
        write(&mut second).await;
        drop((first, second));
        let merged = Kept::open(file).await;
        assert_eq!((merged.draft(&ops(), None), keys(&merged)), ("one\n\ntwo", vec!["1"]));
    }

    #[tokio::test]
    async fn one_window_too_many_keeps_nothing_and_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("kept.json");
        let mut open = Vec::new();
        for _ in 0..super::WINDOWS_MAX {
            open.push(Kept::open(file.clone()).await);
        }
        let mut last = Kept::open(file).await;
        assert!(last.notice().unwrap().contains("not kept"));
        last.set_draft(&ops(), None, "in memory");
        assert!(last.unwritten().is_none());
        assert_eq!(last.draft(&ops(), None), "in memory");
    }
}
