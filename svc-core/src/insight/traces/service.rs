//! Reading traces.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::traces::{TraceFilter, TracePage, TraceStats};

use super::export::TraceExport;
use super::filter::{TracePosition, TraceScope};
use super::store;
use super::writer::Traces;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::page::checked_limit;

#[boxed_futures]
impl Traces {
    /// The caller's traces, newest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: TraceFilter) -> Result<TracePage> {
        let scope = checked(caller, &filter)?;
        let (limit, end) = (checked_limit(filter.limit)?, TracePosition::end_of(&filter)?);
        if filter.cursor.is_none() {
            self.settle().await;
        }
        // One row more than the limit shows whether there is a next page.
        let mut traces = self
            .db
            .read((scope, filter, end, limit + 1), |tx, (scope, filter, end, limit)| {
                Box::pin(store::list(tx, scope, filter, *end, *limit))
            })
            .await?;
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = traces.len() > wanted;
        traces.truncate(wanted);
        let last = traces.last().filter(|_| goes_on);
        let next_cursor = last.map(|last| TracePosition { at: last.created_at, id: last.id }.to_cursor());
        Ok(TracePage { traces, next_cursor })
    }

    /// The number of the caller's traces for each action.
    pub async fn stats(&self, caller: &Caller, filter: TraceFilter) -> Result<TraceStats> {
        let scope = checked(caller, &filter)?;
        self.settle().await;
        let actions =
            self.db.read((scope, filter), |tx, (scope, filter)| Box::pin(store::stats(tx, scope, filter))).await?;
        let total = actions.iter().map(|action| action.count).sum();
        let errors = actions.iter().map(|action| action.errors).sum();
        Ok(TraceStats { total, errors, actions })
    }

    /// All of the caller's traces, oldest first, page by page.
    pub async fn export(&self, caller: &Caller, filter: TraceFilter) -> Result<TraceExport> {
        let scope = checked(caller, &filter)?;
        self.settle().await;
        Ok(TraceExport::new(self.db.clone(), scope, filter, self.clock.now()))
    }
}

fn checked(caller: &Caller, filter: &TraceFilter) -> Result<TraceScope> {
    caller.require(Permission::Read)?;
    // Traces cover all actions, not only those in some channels.
    caller.require_direct()?;
    filter.check()?;
    Ok(TraceScope::of(caller))
}
