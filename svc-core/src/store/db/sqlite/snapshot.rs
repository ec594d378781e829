//! A long read on a connection and a thread of its own, so that neither readers nor the writer wait for it.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::connection::{self, Role, Session};
use super::failure::{UniqueIndexes, failure};
use super::job::Queued;
use super::{Sqlite, closed, no_thread};
use crate::clock::Clock;
use crate::error::Result;
use crate::store::db::condition::Condition;
use crate::store::db::error::DbError;
use crate::store::db::tx::{Connection, Tx};

impl Sqlite {
    /// Starts a thread for the job, which answers when it has ended. Returns `true`.
    pub(super) fn snapshot(&self, mut job: Queued) -> Result<bool> {
        let in_use = self.in_use.upgrade().ok_or_else(closed)?;
        let (path, clock, condition) = (self.path.clone(), self.clock.clone(), self.condition.clone());
        let run = move || {
            let outcome = read(&path, clock, condition, &mut job);
            job.answer(outcome);
            drop(in_use);
        };
        thread::Builder::new().name("svc-snapshot".into()).spawn(run).map_err(no_thread)?;
        Ok(true)
    }
}

fn read(path: &Path, clock: Arc<dyn Clock>, condition: Arc<Condition>, job: &mut Queued) -> Result<(), DbError> {
    condition.check_read()?;
    let raw = connection::open(path, Role::Reader)?;
    let unique_indexes = Arc::new(UniqueIndexes::read(&raw).map_err(|error| failure(&error))?);
    let mut tx = Tx::new(Connection::Sqlite(Session { raw, unique_indexes }), clock, condition);
    tx.sqlite().run("BEGIN")?;
    job.attempt(&mut tx);
    tx.sqlite().run("ROLLBACK")
}
