//! Streaming all traces without holding them in memory.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::traces::{Trace, TraceFilter};

use super::filter::{TracePosition, TraceScope};
use super::store;
use crate::error::Result;
use crate::limits;
use crate::store::db::Db;
use crate::timestamp::Timestamp;

/// The resolution of timestamps.
const INSTANT: Duration = Duration::from_micros(1);

/// Yields traces oldest first, page by page, up to the time of its creation. Created by
/// [`Traces::export`](super::Traces::export).
pub struct TraceExport {
    db: Db,
    wanted: Arc<(TraceScope, TraceFilter)>,
    after: TracePosition,
    before: Timestamp,
    is_done: bool,
}

#[boxed_futures]
impl TraceExport {
    pub(super) fn new(db: Db, scope: TraceScope, filter: TraceFilter, now: Timestamp) -> Self {
        let present = now.plus(INSTANT);
        Self {
            db,
            after: TracePosition::start_of(filter.start()),
            before: filter.before.map_or(present, |before| before.min(present)),
            wanted: Arc::new((scope, filter)),
            is_done: false,
        }
    }

    /// The next page; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<Trace>>> {
        if self.is_done {
            return Ok(None);
        }
        let page = self
            .db
            .read((self.wanted.clone(), self.after, self.before), |tx, (wanted, after, before)| {
                Box::pin(store::page(tx, &wanted.0, &wanted.1, *after, *before))
            })
            .await?;
        self.is_done = page.len() < limits::TRACE_EXPORT_PAGE as usize;
        let Some(last) = page.last() else {
            return Ok(None);
        };
        self.after = TracePosition { at: last.created_at, id: last.id };
        Ok(Some(page))
    }
}
