//! Backups beside other work: several at once, and files that are removed meanwhile.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use svc_core::backups::{BackupSummary, NewBackup, NewSchedule};
use svc_core::messages::NewMessage;
use svc_core::{Caller, Hub, limits};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::backup::{assert_same_tables, entries};
use crate::support::blobs::TestBlobs;
use crate::support::files::upload;
use crate::support::hub::TestHub;
use crate::support::oauth::login;
use crate::support::wait::{PATIENCE, soon, until};

/// Makes a backup.
async fn make(hub: &Hub, out: impl Write + Send + 'static) -> BackupSummary {
    let new = NewBackup::without_key();
    hub.backups().create(&Caller::root(), new, Box::new(out), Arc::new(|_| {})).await.unwrap()
}

/// A file that takes nothing until it is told to. It tells when it is asked to.
struct Held {
    file: File,
    reached: mpsc::Sender<()>,
    release: Option<mpsc::Receiver<()>>,
}

impl Held {
    fn new(path: &Path) -> (Self, mpsc::Receiver<()>, mpsc::Sender<()>) {
        let (reached, is_reached) = mpsc::channel();
        let (go, release) = mpsc::channel();
        (Self { file: File::create(path).unwrap(), reached, release: Some(release) }, is_reached, go)
    }
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(release) = self.release.take() {
            self.reached.send(()).ok();
            release.recv().map_err(io::Error::other)?;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[both_engines]
async fn a_backup_does_not_wait_for_another(test: TestHub) {
    let root = Caller::root();
    test.hub.messages().send(&root, NewMessage::in_channel("general", "hello")).await.unwrap();
    let folder = TempDir::new().unwrap();
    let paths = ["slow.tar.zst", "quick.tar.zst"].map(|name| folder.path().join(name));
    let (held, _, go) = Held::new(&paths[0]);
    let hub = test.hub.clone();
    let slow = tokio::spawn(async move { make(&hub, held).await });
    // Another one by hand, and one by the schedule.
    let quick = soon("the second backup", make(&test.hub, File::create(&paths[1]).unwrap())).await;
    let place = folder.path().join("archives");
    let schedule = NewSchedule { every: Duration::from_hours(24), keep: 2, to: place.display().to_string() };
    test.hub.backups().schedule(&root, schedule).await.unwrap();
    soon("the scheduled backup", test.run_worker("backup_schedule")).await;
    let overview = test.hub.backups().overview(&root).await.unwrap();
    assert_eq!(overview.backups.len(), 2, "{overview:?}");
    assert!(overview.backups.iter().all(|backup| backup.error.is_none()), "{overview:?}");
    assert!(!slow.is_finished());
    go.send(()).unwrap();
    let slow = soon("the first backup", slow).await.unwrap();
    assert_eq!(slow.rows, quick.rows);
    assert_same_tables(&paths[0], &paths[1]);
    let scheduled = place.join(overview.backups[0].name.as_deref().unwrap());
    assert_same_tables(&paths[0], &scheduled);
    test.hub.close().await;
}

/// The size of the write-ahead log.
async fn log_size(test: &TestHub) -> u64 {
    tokio::fs::metadata(test.config.data.join("svc.db-wal")).await.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_sqlite_is_short_again_after_a_backup() {
    const KEPT: u64 = 64 * 1024 * 1024;
    let test = TestHub::sqlite().await;
    test.execute("CREATE TABLE noise (content BLOB NOT NULL)").await;
    // More than is on its way between the snapshot and the output.
    test.execute(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
         INSERT INTO traces (owner_id, agent, action, surface, request_id, duration_ms, details, created_at)
         SELECT (SELECT min(id) FROM users), 'busy', 'send_message', 'rest', 'request-' || n, 1,
                '{\"noise\":\"' || hex(randomblob(50000)) || '\"}', n
           FROM numbers",
    )
    .await;
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("hub.tar.zst");
    let (held, reached, go) = Held::new(&archive);
    let hub = test.hub.clone();
    let making = tokio::spawn(async move { make(&hub, held).await });
    tokio::task::spawn_blocking(move || reached.recv_timeout(PATIENCE)).await.unwrap().unwrap();
    for _ in 0..100 {
        test.execute("INSERT INTO noise SELECT randomblob(1000000)").await;
    }
    assert!(log_size(&test).await > KEPT, "the snapshot is not read any more");
    go.send(()).unwrap();
    soon("the backup", making).await.unwrap();
    // Others write, and the log is copied and begins anew.
    let short = async || {
        test.execute("INSERT INTO noise SELECT randomblob(1000)").await;
        (log_size(&test).await <= KEPT).then_some(())
    };
    until("the log is short again", short).await;
    test.hub.close().await;
}

/// The content of a file in an archive.
fn file_in(archive: &Path, hash: &str) -> Option<Vec<u8>> {
    let name = format!("files/{hash}");
    entries(archive).into_iter().find_map(|(found, content)| (found == name).then_some(content))
}

#[both_engines]
async fn a_file_that_is_swept_meanwhile_is_in_the_archive(test: TestHub) {
    let store = TestBlobs::new();
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    let mut hashes = Vec::new();
    for content in ["one that nobody needs", "another one", "a third"] {
        hashes.push((upload(&hub, &ann, content).await.unwrap(), content));
    }
    test.clock.advance(limits::ATTACHMENT_UNUSED + Duration::from_secs(1));
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("hub.tar.zst");
    // The snapshot is taken, and the first file is about to be read.
    store.waits.store(true, Ordering::SeqCst);
    let (making, out) = (hub.clone(), File::create(&archive).unwrap());
    let making = tokio::spawn(async move { make(&making, out).await });
    soon("the first file", store.reached.notified()).await;
    let swept = hub.attachments().gc(&Caller::root()).await.unwrap();
    assert_eq!(swept.removed, 3);
    store.go.notify_one();
    let made = soon("the backup", making).await.unwrap();
    assert_eq!((made.files, made.lost_files), (3, 0), "{made:?}");
    for (hash, content) in hashes {
        assert_eq!(file_in(&archive, hash.as_str()).unwrap(), content.as_bytes());
    }
    hub.close().await;
}

#[both_engines]
async fn a_file_that_is_gone_from_the_trash_too_is_named(test: TestHub) {
    let store = TestBlobs::new();
    let hub = test.builder().blobs(store.clone()).open().await.unwrap();
    let (ann, _) = login(&hub, "ann").await;
    let hash = upload(&hub, &ann, "nobody needs it").await.unwrap();
    test.clock.advance(limits::ATTACHMENT_UNUSED + Duration::from_secs(1));
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("hub.tar.zst");
    store.waits.store(true, Ordering::SeqCst);
    let (making, out) = (hub.clone(), File::create(&archive).unwrap());
    let making = tokio::spawn(async move { make(&making, out).await });
    soon("the first file", store.reached.notified()).await;
    hub.attachments().gc(&Caller::root()).await.unwrap();
    test.clock.advance(limits::ATTACHMENT_UNUSED * 30);
    // Everything in the trash is old now.
    hub.attachments().gc(&Caller::root()).await.unwrap();
    store.go.notify_one();
    let made = soon("the backup", making).await.unwrap();
    assert_eq!((made.files, made.lost_files), (0, 1), "{made:?}");
    assert_eq!(made.lost_hashes, [hash.to_string()]);
    hub.close().await;
}
