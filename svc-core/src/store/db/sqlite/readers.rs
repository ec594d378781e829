//! The readers: a few threads with read-only connections that never wait for the writer.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::InUse;
use super::connection::Session;
use super::deadline::{Deadline, Pace};
use super::job::Queued;
use crate::clock::Clock;
use crate::store::db::condition::Condition;
use crate::store::db::error::DbError;
use crate::store::db::tx::{Connection, Tx};

/// Starts a thread that runs queued units of work until the queue is closed. Each has this timeout.
pub(super) fn start(
    name: String,
    session: Session,
    (time, pace): (Duration, Pace),
    clock: Arc<dyn Clock>,
    queue: async_channel::Receiver<Queued>,
    in_use: InUse,
    condition: Arc<Condition>,
) -> std::io::Result<()> {
    let deadline = Deadline::watch(&session.raw, pace).map_err(std::io::Error::other)?;
    let mut tx = Tx::new(Connection::Sqlite(session), clock, condition);
    thread::Builder::new().name(name).spawn(move || {
        while let Ok(mut job) = queue.recv_blocking() {
            if !job.is_abandoned() {
                let outcome = read(&mut tx, &deadline, time, &mut job);
                job.answer(outcome);
            }
        }
        drop(tx);
        drop(in_use);
    })?;
    Ok(())
}

/// Runs a unit of work on one snapshot.
fn read(tx: &mut Tx, deadline: &Deadline, time: Duration, job: &mut Queued) -> Result<(), DbError> {
    tx.condition.check_read()?;
    tx.sqlite().run("BEGIN")?;
    deadline.begin(time);
    job.attempt(tx);
    deadline.lift();
    tx.sqlite().run("ROLLBACK")
}
