//! Backups of a large hub: what they cost those who write meanwhile, their memory, time and size; then a move to
//! PostgreSQL and back, after which everything is as it was.
//!
//! [`MESSAGES`] and [`GIBIBYTES`] name the variables that change the size of the hub.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use svc_core::api_keys::NewApiKey;
use svc_core::auth::Permission;
use svc_core::backups::{self, BackupSummary, NewBackup, Passphrase, RestorePlan};
use svc_core::search::SearchFilter;
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::digests::{Digests, digests};
use crate::fill::{self, word};
use crate::postgres::Cluster;
use crate::report::{Bar, Report, Row};
use crate::send::Talk;
use crate::traces::resident;

/// The variable with the number of messages; [`crate::LARGE`] without it.
const MESSAGES: &str = "SVC_BENCH_BACKUP_MESSAGES";
/// The variable with the size of all files in GiB; [`FILES`] without it.
const GIBIBYTES: &str = "SVC_BENCH_BACKUP_GIB";
const FILES: u64 = 10;
const GIB: u64 = 1024 * 1024 * 1024;
const MIB: u64 = 1024 * 1024;
/// The files are there twice: in a hub, and in an archive.
const COPIES: u64 = 2;
/// Room for everything but the files.
const RESERVE: u64 = 8 * GIB;
/// Uploads at once.
const UPLOADS: usize = 8;
const SENDERS: usize = 16;
/// Time after which caches are full, and time of a measurement without a backup.
const WARM: Duration = Duration::from_secs(10);
const WITHOUT: Duration = Duration::from_secs(30);
/// A send that takes longer than this in microseconds was blocked.
const BLOCKED: u64 = 50_000;
/// The time limit of a search, so that a cold cache does not cut it short.
const PATIENCE: Duration = Duration::from_mins(5);
/// Growth of the memory that is allowed, in KiB.
const GROWTH: f64 = 32.0 * 1024.0;

/// The rows and notes of backups.
pub(crate) async fn measure(report: &mut Report) {
    let size = Size::wanted();
    let data = TempDir::new().expect("a temporary directory");
    let mut config = HubConfig::at(data.path());
    (config.quota_file_bytes, config.quota_messages) = (None, None);
    config.search_deadline = PATIENCE;
    let hub = Hub::open(config).await.expect("a new hub opens");
    let human = fill::fill(&hub, size.messages).await.human;
    let files = size.files(&hub, report).await;
    upload(&hub, &human, files).await;
    let key = key(&hub, &human).await;
    let what = format!("{} messages and {:.1} GiB of files", size.messages, gibibytes(files * MIB));
    under_load(&hub, data.path(), &what, report).await;
    moves(hub, data, &key, report).await;
}

/// The size of the hub.
struct Size {
    messages: i64,
    /// The size of all files in MiB, which is their number.
    mebibytes: u64,
}

impl Size {
    fn wanted() -> Self {
        let set = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a whole number"));
        let messages = set(MESSAGES).map(|number| i64::try_from(number).expect("not that many"));
        let mebibytes = set(GIBIBYTES).unwrap_or(FILES) * GIB / MIB;
        Self { messages: messages.unwrap_or(crate::LARGE), mebibytes }
    }

    /// The number of files for which the disk has room.
    async fn files(&self, hub: &Hub, report: &mut Report) -> u64 {
        let free = hub.free_disk().await.expect("the system tells");
        let room = free.saturating_sub(RESERVE) / COPIES / MIB;
        if room < self.mebibytes {
            let (room, wanted) = (gibibytes(room * MIB), gibibytes(self.mebibytes * MIB));
            report.notes.push(format!("the disk has room for {room:.1} GiB of files instead of {wanted:.1}"));
        }
        room.min(self.mebibytes)
    }
}

/// Uploads this many files of 1 MiB.
async fn upload(hub: &Hub, caller: &Caller, files: u64) {
    let uploads = stream::iter(0..files).for_each_concurrent(UPLOADS, |number| async move {
        let content = noise(number);
        let uploaded = hub.attachments().upload(caller, &format!("{number}.pdf"), content.as_slice()).await;
        uploaded.expect("the file is accepted");
    });
    uploads.await;
}

/// The file with this number. It cannot be compressed, and its type allows any bytes.
fn noise(number: u64) -> Vec<u8> {
    let size = usize::try_from(MIB).expect("it fits into memory");
    let mut content = Vec::with_capacity(size + 8);
    content.extend_from_slice(b"%PDF-1.7\n");
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while content.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        content.extend_from_slice(&state.to_le_bytes());
    }
    content.truncate(size);
    content
}

/// A key that reads as this human, before and after a move.
async fn key(hub: &Hub, human: &Caller) -> String {
    let new = NewApiKey {
        name: "moved".to_owned(),
        agent: None,
        permissions: vec![Permission::Read],
        allowed_channels: None,
        expires_at: None,
        mcp_profile: None,
    };
    hub.api_keys().create(human, new).await.expect("the name is free").key
}

/// Sends at full speed, without a backup and during one.
async fn under_load(hub: &Hub, data: &Path, what: &str, report: &mut Report) {
    let workers = hub.start_workers();
    let talk = Arc::new(Talk::prepare(hub).await);
    let senders = Senders::start(&talk);
    tokio::time::sleep(WARM).await;
    let (before, memory_before) = senders.phase(tokio::time::sleep(WITHOUT)).await;
    let archive = data.join("under-load.tar.zst");
    let begun = Instant::now();
    let making = back_up(hub, &archive, NewBackup::without_key());
    let (during, memory) = senders.phase(making).await;
    let took = begun.elapsed().as_secs_f64();
    let (after, _) = senders.phase(tokio::time::sleep(WITHOUT)).await;
    senders.stop().await;
    talk.indexed().await;
    workers.stop().await;

    // The machine may have become slower for another reason.
    let without = f64::midpoint(before.per_second, after.per_second);
    let longest = before.longest.max(after.longest);
    let name = format!("durable sends, {SENDERS} senders, during a backup of {what} ÷ without one");
    report.rows.push(Row::new(&name, during.per_second, without, Bar::AtLeast(0.90)));
    let name = "longest wait of a send during a backup, beyond that without one ÷ 50 ms";
    let allowed = Duration::from_micros(BLOCKED).as_secs_f64() * 1e6;
    report.rows.push(Row::micros(name, (during.longest - longest).max(0.0), allowed, Bar::AtMost(1.0)));
    let name = format!("memory growth, backup of {what} ÷ 32 MiB");
    report.rows.push(Row::kibibytes(&name, (memory - memory_before).max(0.0), GROWTH, Bar::AtMost(1.0)));
    let size = tokio::fs::metadata(&archive).await.expect("the archive is there").len();
    report.notes.push(format!("the backup under load took {took:.0} s, its archive has {:.2} GiB", gibibytes(size)));
    for (phase, name) in [(&before, "before"), (&during, "during"), (&after, "after")] {
        let Phase { per_second, longest, sent, blocked } = phase;
        let longest = longest / 1e3;
        report.notes.push(format!(
            "{name} the backup: {per_second:.0} sends/s, the longest {longest:.0} ms, {blocked} of {sent} over 50 ms"
        ));
    }
    tokio::fs::remove_file(&archive).await.expect("the archive is there");
}

/// Figures of a period.
struct Phase {
    per_second: f64,
    /// The longest send in microseconds.
    longest: f64,
    sent: usize,
    blocked: usize,
}

/// Counts sends without taking memory for them.
#[derive(Default)]
struct Meter {
    sent: AtomicUsize,
    blocked: AtomicUsize,
    longest: AtomicU64,
}

impl Meter {
    fn note(&self, waited: Duration) {
        let micros = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
        self.sent.fetch_add(1, Ordering::Relaxed);
        self.longest.fetch_max(micros, Ordering::Relaxed);
        if micros > BLOCKED {
            self.blocked.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn reset(&self) -> (usize, usize, Duration) {
        let sent = self.sent.swap(0, Ordering::Relaxed);
        let blocked = self.blocked.swap(0, Ordering::Relaxed);
        (sent, blocked, Duration::from_micros(self.longest.swap(0, Ordering::Relaxed)))
    }
}

/// Tasks that send one message after the other.
struct Senders {
    meter: Arc<Meter>,
    running: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Senders {
    fn start(talk: &Arc<Talk>) -> Self {
        let (meter, running) = (Arc::<Meter>::default(), Arc::new(AtomicBool::new(true)));
        let next = Arc::new(AtomicUsize::new(0));
        let send = |_| {
            let (talk, meter, running, next) = (talk.clone(), meter.clone(), running.clone(), next.clone());
            tokio::spawn(async move {
                while running.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    talk.send(next.fetch_add(1, Ordering::Relaxed)).await;
                    meter.note(begun.elapsed());
                }
            })
        };
        let tasks = (0..SENDERS).map(send).collect();
        Self { meter, running, tasks }
    }

    /// Figures of the time in which a future runs, and the most memory of the process meanwhile, in KiB.
    async fn phase<T>(&self, work: impl Future<Output = T>) -> (Phase, f64) {
        let mut timer = tokio::time::interval(Duration::from_millis(100));
        let mut most = 0.0_f64;
        tokio::pin!(work);
        self.meter.reset();
        let begun = Instant::now();
        loop {
            tokio::select! {
                _ = &mut work => break,
                _ = timer.tick() => most = most.max(resident().await),
            }
        }
        let (sent, blocked, longest) = self.meter.reset();
        let phase = Phase {
            per_second: crate::rate(sent, begun.elapsed()),
            longest: longest.as_secs_f64() * 1e6,
            sent,
            blocked,
        };
        (phase, most)
    }

    async fn stop(self) {
        self.running.store(false, Ordering::Relaxed);
        for task in self.tasks {
            task.await.expect("the task ends");
        }
    }
}

async fn back_up(hub: &Hub, path: &Path, new: NewBackup) -> BackupSummary {
    let file = tokio::fs::File::create(path).await.expect("there is room").into_std().await;
    let root = Caller::root();
    let made = hub.backups().create(&root, new, Box::new(file), Arc::new(|_| {}));
    made.await.expect("the backup is made")
}

fn passphrase() -> Passphrase {
    Passphrase::new("eight owls in a barn").expect("it is long enough")
}

/// Unread counts and a search of a person.
#[derive(Debug, PartialEq)]
struct Facts {
    unread: Vec<String>,
    found: Vec<i64>,
    total: i64,
}

impl Facts {
    async fn of(hub: &Hub, key: &str) -> Self {
        let caller = hub.auth().bearer(key).await.expect("the key is valid");
        let unread = hub.notifications().unread(&caller).await.expect("the query succeeds");
        let mut unread: Vec<_> =
            unread.iter().map(|unread| serde_json::to_string(unread).expect("it is JSON")).collect();
        unread.sort();
        // Words that a few messages have together.
        let q = Some(format!("{} {}", word(40), word(1_700)));
        let filter = SearchFilter { q, sort: Some("newest".into()), limit: Some(50), ..SearchFilter::default() };
        let page = hub.search().messages(&caller, filter).await.expect("the search succeeds");
        assert!(!page.partial, "the search had time enough");
        Self { unread, found: page.messages.iter().map(|hit| hit.message.id.0).collect(), total: page.total }
    }
}

/// A place that the hub is moved to.
struct Restored {
    archive: PathBuf,
    digests: Digests,
    facts: Facts,
    took: f64,
}

/// Restores an archive and backs up the result before anything happens to it.
async fn restored(archive: &Path, config: HubConfig, key: &str, next: PathBuf) -> Restored {
    let mut plan = RestorePlan::of(archive);
    plan.passphrase = Some(passphrase());
    let begun = Instant::now();
    backups::restore(&config, plan, Arc::new(|_| {})).await.expect("the archive is restored");
    let took = begun.elapsed().as_secs_f64();
    let hub = Hub::open(config).await.expect("the restored hub opens");
    tokio::fs::remove_file(archive).await.expect("the archive is there");
    back_up(&hub, &next, NewBackup::with_key(passphrase())).await;
    let facts = Facts::of(&hub, key).await;
    hub.close().await;
    Restored { digests: digests(&next).await, archive: next, facts, took }
}

/// Moves the hub to PostgreSQL and back to SQLite; everything must be as it was.
async fn moves(hub: Hub, data: TempDir, key: &str, report: &mut Report) {
    let cluster = match Cluster::start("") {
        Ok(cluster) => cluster,
        Err(reason) => {
            report.notes.push(format!("skipped: a move to PostgreSQL and back: {reason}"));
            hub.close().await;
            return;
        }
    };
    let archives = TempDir::new().expect("a temporary directory");
    let facts = Facts::of(&hub, key).await;
    let first = archives.path().join("first.tar.zst");
    let begun = Instant::now();
    back_up(&hub, &first, NewBackup::with_key(passphrase())).await;
    report.notes.push(format!("a backup without load took {:.0} s", begun.elapsed().as_secs_f64()));
    hub.close().await;
    drop(data);
    let expected = digests(&first).await;

    let at = |place: &TempDir| HubConfig { search_deadline: PATIENCE, ..HubConfig::at(place.path()) };
    let there = TempDir::new().expect("a temporary directory");
    let url = cluster.empty_database().await;
    let config = at(&there).with_store(&url).expect("a valid address");
    let on_postgres = restored(&first, config, key, archives.path().join("second.tar.zst")).await;
    drop(there);
    let back = TempDir::new().expect("a temporary directory");
    let on_sqlite = restored(&on_postgres.archive, at(&back), key, archives.path().join("third.tar.zst")).await;
    for (moved, place) in [(&on_postgres, "PostgreSQL"), (&on_sqlite, "SQLite")] {
        assert_eq!(moved.digests, expected, "the tables on {place} are those of before");
        assert_eq!(moved.facts, facts, "unread counts and search on {place} are those of before");
    }
    report.notes.push(format!(
        "restored into PostgreSQL in {:.0} s and back into SQLite in {:.0} s: {} tables are equal, and so are unread \
         counts ({}) and a search ({} hits)",
        on_postgres.took,
        on_sqlite.took,
        expected.len(),
        facts.unread.len(),
        facts.found.len(),
    ));
}

#[expect(clippy::cast_precision_loss, reason = "sizes of a benchmark are far below 2^52")]
fn gibibytes(bytes: u64) -> f64 {
    bytes as f64 / GIB as f64
}
