//! Forgetting what machines reported long ago, when whoever runs the server says so.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::principals::PurgedEvents;

use super::event_store as store;
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::identity::principals::Principals;
use crate::ids::MachineEventId;
use crate::timestamp::Timestamp;

/// Events that are looked at in one transaction.
const BATCH: u32 = 1000;

#[boxed_futures]
impl Principals {
    /// Forgets the events that were stored before a moment. The messages that told of them stay, and so does the
    /// count of what each principal has reported. An `event_id` that is forgotten can be stored again. For the
    /// holder of the process.
    pub async fn purge_events(&self, caller: &Caller, before: Timestamp) -> Result<PurgedEvents> {
        caller.require_root()?;
        // First, so that nothing goes without a word.
        let entry = NewEntry::by(AuditEvent::MachineEventsPurged, caller).detail("before", before.to_string());
        self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await?;
        let (mut events, mut place) = (0, Some(MachineEventId(0)));
        while let Some(after) = place {
            let step = self
                .db
                .write((before, after), |tx, (before, after)| Box::pin(store::forget(tx, *before, *after, BATCH)));
            let (forgotten, next) = step.await?;
            events += forgotten;
            place = next;
        }
        Ok(PurgedEvents { events })
    }
}
