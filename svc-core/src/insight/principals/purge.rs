//! Purging old machine events, for operators.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::principals::PurgedEvents;

use super::store;
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::identity::principals::Principals;
use crate::ids::MachineEventId;
use crate::timestamp::Timestamp;

/// Events processed in one transaction.
const BATCH: u32 = 1000;

#[boxed_futures]
impl Principals {
    /// Removes events that were stored before a time. Their messages stay, and so do the event
    /// counts of the principals. A removed `event_id` can be stored again. Requires the admin
    /// socket.
    pub async fn purge_events(&self, caller: &Caller, before: Timestamp) -> Result<PurgedEvents> {
        caller.require_root()?;
        // Recorded first, so that nothing is removed without an audit entry.
        let entry = NewEntry::by(AuditEvent::MachineEventsPurged, caller).detail("before", before.to_string());
        self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await?;
        let (mut events, mut cursor) = (0, Some(MachineEventId(0)));
        while let Some(after) = cursor {
            let step = self
                .db
                .write((before, after), |tx, (before, after)| Box::pin(store::forget(tx, *before, *after, BATCH)));
            let (forgotten, next) = step.await?;
            events += forgotten;
            cursor = next;
        }
        Ok(PurgedEvents { events })
    }
}
