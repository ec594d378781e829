//! Making a backup: the snapshot, then the files, through one thread that writes the archive.

use std::io::{self, Read, Write};

use async_channel::{Receiver, Sender};
use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use svc_macros::boxed_futures;
use svc_model::attachments::ContentHash;

use super::Backups;
use super::key;
use super::listed::FileList;
use super::model::{BackupProgress, BackupSummary, NewBackup, ProgressSink};
use crate::clock::random_hex;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::store::backup::{
    ArchiveWriter, Header, Manifest, NewHeader, Part, SealedKey, TableShape, Taken, snapshot, texts_of,
};
use crate::store::db::Engine;
use crate::timestamp::Timestamp;

/// The table of the files.
const FILES: (&str, [&str; 2]) = ("attachments", ["hash", "size"]);
/// The beginning of the name of the list of files, in the data directory.
const LIST: &str = "backup.draft";
/// Steps that wait for the writer; each may have a part.
const WAITING: usize = 2;
/// Pieces of a file that wait for the writer.
const PIECES: usize = 4;

/// The next step of the writer.
enum Order {
    Begin(Header),
    Part(Part),
    File { hash: ContentHash, size: u64, pieces: Receiver<Bytes> },
    Lost(ContentHash),
    Key(SealedKey),
    Finish(Vec<(String, i64)>),
}

#[boxed_futures]
impl Backups {
    /// Makes a backup and writes it to `out`, on a thread that may block; `out` is flushed once, at the end. An
    /// output that does not end with the success of this call is no backup. Requires the admin socket.
    pub async fn create(
        &self,
        caller: &Caller,
        new: NewBackup,
        out: Box<dyn Write + Send>,
        progress: ProgressSink,
    ) -> Result<BackupSummary> {
        caller.require_root()?;
        let started_at = self.clock.now();
        let summary = self.make(new, out, progress).await?;
        self.note_taken(started_at, &summary).await;
        Ok(summary)
    }

    /// Makes a backup, and writes nothing down.
    pub(super) async fn make(
        &self,
        new: NewBackup,
        out: Box<dyn Write + Send>,
        progress: ProgressSink,
    ) -> Result<BackupSummary> {
        let (orders, received) = async_channel::bounded(WAITING);
        let writer = tokio::task::spawn_blocking(move || write(out, &received));
        let sent = self.send_all(&new, orders, progress).await;
        let written = writer.await.map_err(|error| Error::internal(format!("a backup panicked: {error}")))?;
        match (sent, written) {
            (Ok(()), Ok((header, manifest))) => Ok(BackupSummary::of(&header, &manifest)),
            // The writer ends early when it cannot write, and everything else follows from that.
            (_, Err(Stopped::Output(error))) => Err(unwritable(error)),
            (Err(error), Err(Stopped::NoOrders)) => Err(error),
            (Ok(()), Err(Stopped::NoOrders)) | (Err(_), Ok(_)) => Err(Error::internal("a backup ended in disorder")),
        }
    }

    async fn send_all(&self, new: &NewBackup, orders: Sender<Order>, progress: ProgressSink) -> Result<()> {
        let mut sending = Sending {
            orders,
            progress,
            so_far: BackupProgress::default(),
            created_at: self.clock.now(),
            hub_id: self.attachments.hub_id().to_owned(),
            engine: self.db.engine(),
            shapes: Vec::new(),
        };
        let list = self.data.join(format!("{LIST}.{}", random_hex(self.entropy.as_ref(), 8)));
        let mut files = FileList::new(list, limits::BACKUP_FILES_HELD);
        let (steps, taken) = async_channel::bounded(WAITING);
        let copying = self.db.snapshot(steps, |tx, to| Box::pin(snapshot::copy(tx, to)));
        // The receiver ends with its task, and the snapshot with the receiver.
        let passing = async {
            let passed = sending.pass_on(&taken, &mut files).await;
            taken.close();
            passed
        };
        let (copied, passed) = tokio::join!(copying, passing);
        let numbers = match (copied, passed) {
            (Ok(()), Ok(Some(numbers))) => numbers,
            (Err(error), Ok(_)) | (_, Err(error)) => return Err(error),
            (Ok(()), Ok(None)) => return Err(Error::internal("a snapshot ended early")),
        };
        sending.so_far.all_files = Some(files.count());
        let mut files = files.read().await?;
        while let Some((hash, size)) = files.next().await? {
            self.send_file(&mut sending, hash, size).await?;
        }
        if let Some(passphrase) = &new.passphrase {
            let sealed = key::seal(&self.key, passphrase, self.entropy.as_ref()).await?;
            sending.order(Order::Key(sealed)).await?;
        }
        sending.order(Order::Finish(numbers)).await
    }

    async fn send_file(&self, sending: &mut Sending, hash: ContentHash, size: u64) -> Result<()> {
        let content = self.attachments.content(&hash, size).await?;
        let Some(mut content) = content else {
            sending.so_far.files += 1;
            return sending.order(Order::Lost(hash)).await;
        };
        let (pieces, received) = async_channel::bounded(PIECES);
        sending.order(Order::File { hash, size, pieces: received }).await?;
        while let Some(piece) = content.try_next().await? {
            sending.so_far.bytes += piece.len() as u64;
            pieces.send(piece).await.map_err(|_| stopped())?;
        }
        sending.so_far.files += 1;
        (sending.progress)(sending.so_far);
        Ok(())
    }
}

/// The side that gives orders.
struct Sending {
    orders: Sender<Order>,
    progress: ProgressSink,
    so_far: BackupProgress,
    created_at: Timestamp,
    hub_id: String,
    engine: Engine,
    shapes: Vec<TableShape>,
}

impl Sending {
    /// Passes on the steps of a snapshot, and lists its files. Returns the last numbers of rows, with which it ends.
    async fn pass_on(&mut self, taken: &Receiver<Taken>, files: &mut FileList) -> Result<Option<Vec<(String, i64)>>> {
        while let Ok(step) = taken.recv().await {
            match step {
                Taken::Tables { shapes, schema } => {
                    self.shapes.clone_from(&shapes);
                    let (hub_id, engine, created_at) = (self.hub_id.clone(), self.engine, self.created_at);
                    let header = Header::new(NewHeader { schema, hub_id, engine, created_at, tables: shapes });
                    self.order(Order::Begin(header)).await?;
                }
                Taken::Part(part) => {
                    self.note_files(&part, files).await?;
                    self.so_far.bytes += part.bytes.len() as u64;
                    (self.progress)(self.so_far);
                    self.order(Order::Part(part)).await?;
                }
                Taken::Numbers(numbers) => return Ok(Some(numbers)),
            }
        }
        Ok(None)
    }

    async fn note_files(&self, part: &Part, files: &mut FileList) -> Result<()> {
        let (table, columns) = FILES;
        let Some(shape) = self.shapes.get(part.table).filter(|shape| shape.name == table) else { return Ok(()) };
        for [hash, size] in texts_of(shape, &part.bytes, columns)? {
            let size = size.parse().map_err(|_| Error::internal("an attachment has no size"))?;
            files.add(&hash, size).await?;
        }
        Ok(())
    }

    async fn order(&self, order: Order) -> Result<()> {
        self.orders.send(order).await.map_err(|_| stopped())
    }
}

fn stopped() -> Error {
    Error::internal("the writer of a backup has ended")
}

fn unwritable(error: io::Error) -> Error {
    let sentence = format!("The backup cannot be written ({error}): see that there is room, and try again.");
    Error::unavailable("backup_unwritable", sentence).with_source(error)
}

/// Why the writer ended before its end.
enum Stopped {
    Output(io::Error),
    /// The other side has failed.
    NoOrders,
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Carries out the orders, on a thread that may block.
fn write(out: Box<dyn Write + Send>, orders: &Receiver<Order>) -> Result<(Header, Manifest), Stopped> {
    let next = || orders.recv_blocking().map_err(|_| Stopped::NoOrders);
    let Order::Begin(header) = next()? else { return Err(Stopped::NoOrders) };
    let mut archive = ArchiveWriter::begin(out, &header)?;
    loop {
        match next()? {
            Order::Begin(_) => return Err(Stopped::NoOrders),
            Order::Part(part) => archive.part(&part)?,
            Order::File { hash, size, pieces } => {
                let mut content = Pieces { incoming: pieces, current: Bytes::new(), ended: false };
                let written = archive.file(&hash, size, &mut content);
                // A file that ends early is an error of the other side.
                written.map_err(|error| if content.ended { Stopped::NoOrders } else { Stopped::Output(error) })?;
            }
            Order::Lost(hash) => archive.lost(&hash),
            Order::Key(key) => archive.key(&key)?,
            Order::Finish(numbers) => {
                let (mut out, manifest) = archive.finish(numbers)?;
                out.flush()?;
                return Ok((header, manifest));
            }
        }
    }
}

/// The pieces of a file as a reader.
struct Pieces {
    incoming: Receiver<Bytes>,
    current: Bytes,
    ended: bool,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            let Ok(piece) = self.incoming.recv_blocking() else {
                self.ended = true;
                return Ok(0);
            };
            self.current = piece;
        }
        let count = buffer.len().min(self.current.len());
        self.current.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}
