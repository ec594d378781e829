//! Named readers with a stored position.

use std::sync::Arc;

use super::log::EventLog;
use super::model::Event;
use super::store;
use crate::error::Result;
use crate::ids::EventSeq;
use crate::store::db::{Tx, Work};

/// The outcome of one round of a named reader: how many events it was offered, how many it passed, and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Consumed<T> {
    /// The number of events that were offered.
    pub(crate) offered: usize,
    /// The number of events that were passed; the others are offered again.
    pub(crate) passed: usize,
    /// The result of the work; none when there was no event.
    pub(crate) result: Option<T>,
}

struct Consume<F> {
    name: &'static str,
    through: EventSeq,
    limit: u32,
    work: Arc<F>,
}

impl EventLog {
    /// Runs `work` on the next events of the named reader and advances its position, in one transaction: the
    /// writes of `work` happen exactly once, however often a process crashes and however many processes read
    /// under the same name. Returns the number of events.
    pub async fn consume<F>(&self, name: &'static str, limit: u32, work: F) -> Result<usize>
    where
        F: for<'t> Fn(&'t mut Tx, &'t [Event]) -> Work<'t, ()> + Send + Sync + 'static,
    {
        let work = Arc::new(work);
        let consumed = self.consume_some(name, limit, move |tx, events| {
            let work = work.clone();
            Box::pin(async move {
                work(tx, events).await?;
                Ok((events.len(), ()))
            })
        });
        Ok(consumed.await?.passed)
    }

    /// As [`EventLog::consume`], but the position moves only past the first events: `work` returns their number, with
    /// a result of its own.
    pub(crate) async fn consume_some<T, F>(&self, name: &'static str, limit: u32, work: F) -> Result<Consumed<T>>
    where
        T: Send + 'static,
        F: for<'t> Fn(&'t mut Tx, &'t [Event]) -> Work<'t, (usize, T)> + Send + Sync + 'static,
    {
        let through = self.follower()?.catch_up().await?;
        let position = self.db().read(name, |tx, name| Box::pin(store::find_cursor(tx, name))).await?;
        if position.is_some_and(|position| position >= through) {
            return Ok(Consumed { offered: 0, passed: 0, result: None });
        }
        let consume = Consume { name, through, limit, work: Arc::new(work) };
        self.db()
            .write(consume, |tx, consume| {
                Box::pin(async move {
                    let position = store::lock_cursor(tx, consume.name).await?;
                    let events = store::read_after(tx, position, consume.through, consume.limit).await?;
                    if events.is_empty() {
                        // The events in between have been swept or were never written.
                        if position < consume.through {
                            store::move_cursor(tx, consume.name, consume.through).await?;
                        }
                        return Ok(Consumed { offered: 0, passed: 0, result: None });
                    }
                    let (passed, result) = (consume.work)(tx, &events).await?;
                    if let Some(last) = passed.checked_sub(1).and_then(|last| events.get(last)) {
                        store::move_cursor(tx, consume.name, last.seq).await?;
                    }
                    Ok(Consumed { offered: events.len(), passed, result: Some(result) })
                })
            })
            .await
    }

    /// Moves the position of a named reader to the newest event without reading what is before it, if `nothing_to_do`
    /// still holds in the transaction that does so.
    pub(crate) async fn skip<F>(&self, name: &'static str, nothing_to_do: F) -> Result<()>
    where
        F: for<'t> Fn(&'t mut Tx) -> Work<'t, bool> + Send + Sync + 'static,
    {
        let through = self.follower()?.catch_up().await?;
        let position = self.db().read(name, |tx, name| Box::pin(store::find_cursor(tx, name))).await?;
        if position.is_some_and(|position| position >= through) {
            return Ok(());
        }
        self.db()
            .write((name, through, Arc::new(nothing_to_do)), |tx, (name, through, nothing_to_do)| {
                Box::pin(async move {
                    let position = store::lock_cursor(tx, name).await?;
                    if position < *through && nothing_to_do(tx).await? {
                        store::move_cursor(tx, name, *through).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}
