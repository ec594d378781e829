//! The readers: a few threads, each with a read-only connection, that never wait for the writer.

use std::sync::Arc;
use std::thread;

use super::InUse;
use super::connection::Session;
use super::deadline::Deadline;
use super::job::Job;
use crate::clock::Clock;
use crate::db::condition::Condition;
use crate::db::error::DbError;
use crate::db::tx::{Connection, Tx};
use crate::limits;

/// Starts a thread that takes units of work from the queue until it is closed.
pub(super) fn start(
    name: String,
    session: Session,
    clock: Arc<dyn Clock>,
    queue: async_channel::Receiver<Box<dyn Job>>,
    in_use: InUse,
    condition: Arc<Condition>,
) -> std::io::Result<()> {
    let deadline = Deadline::watch(&session.raw).map_err(std::io::Error::other)?;
    let mut tx = Tx::new(Connection::Sqlite(session), clock, condition);
    thread::Builder::new().name(name).spawn(move || {
        while let Ok(mut job) = queue.recv_blocking() {
            if !job.is_abandoned() {
                let outcome = read(&mut tx, &deadline, job.as_mut());
                job.answer(outcome);
            }
        }
        drop(tx);
        drop(in_use);
    })?;
    Ok(())
}

/// One snapshot for everything that the unit of work reads.
fn read(tx: &mut Tx, deadline: &Deadline, job: &mut dyn Job) -> Result<(), DbError> {
    tx.condition.check_read()?;
    tx.sqlite().run("BEGIN")?;
    deadline.begin(limits::READ_DEADLINE);
    job.attempt(tx);
    deadline.lift();
    tx.sqlite().run("ROLLBACK")
}
