//! Reading traces.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::traces::{TraceFilter, TracePage, TraceStats};

use super::export::TraceExport;
use super::filter::{Place, Reach};
use super::store;
use super::writer::Traces;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::page::checked_limit;

#[boxed_futures]
impl Traces {
    /// The caller's traces, newest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: TraceFilter) -> Result<TracePage> {
        let reach = checked(caller, &filter)?;
        let (limit, end) = (checked_limit(filter.limit)?, Place::end_of(&filter)?);
        if filter.cursor.is_none() {
            self.settle().await;
        }
        // One more than asked for tells whether there is a next page.
        let mut traces = self
            .db
            .read((reach, filter, end, limit + 1), |tx, (reach, filter, end, limit)| {
                Box::pin(store::list(tx, reach, filter, *end, *limit))
            })
            .await?;
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = traces.len() > wanted;
        traces.truncate(wanted);
        let last = traces.last().filter(|_| goes_on);
        let next_cursor = last.map(|last| Place { at: last.created_at, id: last.id }.to_cursor());
        Ok(TracePage { traces, next_cursor })
    }

    /// How often the caller's traces tell of each action.
    pub async fn stats(&self, caller: &Caller, filter: TraceFilter) -> Result<TraceStats> {
        let reach = checked(caller, &filter)?;
        self.settle().await;
        let actions =
            self.db.read((reach, filter), |tx, (reach, filter)| Box::pin(store::stats(tx, reach, filter))).await?;
        let total = actions.iter().map(|action| action.count).sum();
        let errors = actions.iter().map(|action| action.errors).sum();
        Ok(TraceStats { total, errors, actions })
    }

    /// All of the caller's traces, oldest first, a page at a time.
    pub async fn export(&self, caller: &Caller, filter: TraceFilter) -> Result<TraceExport> {
        let reach = checked(caller, &filter)?;
        self.settle().await;
        Ok(TraceExport::new(self.db.clone(), reach, filter, self.clock.now()))
    }
}

fn checked(caller: &Caller, filter: &TraceFilter) -> Result<Reach> {
    caller.require(Permission::Read)?;
    // They tell of everything that was done, not of what was done in some channels.
    caller.require_direct()?;
    filter.check()?;
    Ok(Reach::of(caller))
}
