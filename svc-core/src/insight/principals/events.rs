//! Ingesting machine events: each event once, all events of a request or none, with the
//! announcements in channels.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use svc_macros::boxed_futures;
use svc_model::events::{EventBody, MachineReported};
use svc_model::principals::{IngestStatus, Ingested, IngestedEvent, NewMachineEvent, Scope};

use super::batch::{self, Draft, NO_CHANNEL};
use super::{notice, store};
use crate::error::Result;
use crate::identity::principals::machine::{Machine, admit};
use crate::identity::principals::rules::Faults;
use crate::identity::principals::{Principals, history};
use crate::ids::MessageId;
use crate::messaging::{channels, messages};
use crate::store::db::Tx;

#[boxed_futures]
impl Principals {
    /// Stores the events that a machine reports: all of them, or none if there is an error. An
    /// event whose id the principal has used before is not stored again.
    pub async fn ingest(&self, machine: &Machine, events: Vec<NewMachineEvent>) -> Result<Ingested> {
        let drafts = match batch::checked(events) {
            Ok(drafts) => drafts,
            Err(fault) => return self.faulty(machine, Scope::EventsIngest, fault).await,
        };
        let work =
            self.db.write((machine.clone(), drafts), |tx, (machine, drafts)| Box::pin(ingest(tx, machine, drafts)));
        self.answer(machine, work.await).await
    }
}

async fn ingest(tx: &mut Tx, machine: &Machine, drafts: &[Draft]) -> Result<Ingested> {
    admit(tx, machine, Scope::EventsIngest).await?;
    let principal_id = machine.principal_id();
    history::hold(tx, principal_id).await?;
    let ids: BTreeSet<_> = drafts.iter().map(|draft| draft.event_id.as_str()).collect();
    let mut stored = store::stored(tx, principal_id, &ids).await?;
    let fresh = fresh(drafts, &stored);
    let messages = announce_in_channels(tx, principal_id, &fresh).await?;
    if fresh.is_empty() {
        return Ok(answer(drafts, &fresh, &stored));
    }
    let new: Vec<_> = fresh.iter().map(|(number, draft)| (*draft, messages.get(number).copied())).collect();
    let mut ids = store::insert(tx, machine, &new).await?;
    for (draft, message_id) in new {
        let Some((event_id, id)) = ids.remove_entry(&draft.event_id) else { continue };
        let row = store::StoredEvent { id, event_id, sha256: draft.sha256.clone(), message_id };
        stored.insert(draft.event_id.clone(), row);
    }
    if let Some(last) = fresh.last().and_then(|(_, draft)| stored.get(&draft.event_id)) {
        let accepted = i64::try_from(fresh.len()).unwrap_or(i64::MAX);
        history::count(tx, principal_id, accepted).await?;
        let reported = MachineReported { principal_id: principal_id.to_owned(), events: accepted, last_id: last.id };
        tx.record(EventBody::MachineReported(reported)).await?;
    }
    Ok(answer(drafts, &fresh, &stored))
}

/// The new events, each id once, with their indexes in the request.
fn fresh<'d>(drafts: &'d [Draft], stored: &HashMap<String, store::StoredEvent>) -> Vec<(usize, &'d Draft)> {
    let mut seen = BTreeSet::new();
    let is_new = |draft: &Draft| !stored.contains_key(&draft.event_id);
    drafts.iter().enumerate().filter(|(_, draft)| is_new(draft) && seen.insert(draft.event_id.as_str())).collect()
}

/// Announces events in the channels that they name. Returns the message of each event. A channel
/// that cannot be used is an error of the event that names it.
async fn announce_in_channels(
    tx: &mut Tx,
    principal_id: &str,
    fresh: &[(usize, &Draft)],
) -> Result<BTreeMap<usize, MessageId>> {
    // In order of names, so that concurrent requests lock the channels in the same order.
    let names: BTreeSet<_> = fresh.iter().filter_map(|(_, draft)| draft.channel.as_deref()).collect();
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let system = messages::system(tx).await?;
    let mut open_channels = BTreeMap::new();
    for name in names {
        if let Some(channel) = channels::open_to_all(tx, &system, name).await? {
            open_channels.insert(name, channel);
        }
    }
    let mut faults = Faults::default();
    let mut routed = Vec::new();
    for (number, draft) in fresh {
        let Some(name) = draft.channel.as_deref() else { continue };
        match open_channels.get(name) {
            Some(channel) => routed.push((*number, *draft, channel)),
            None => faults.add(batch::field(*number, "channel"), NO_CHANNEL),
        }
    }
    let routed = faults.or(routed)?;
    let mut announced = BTreeMap::new();
    for (number, draft, channel) in routed {
        let (statement, metadata) = (notice::statement(principal_id, draft), notice::metadata(principal_id, draft));
        announced.insert(number, messages::announce(tx, &system, channel, &statement, metadata).await?);
    }
    Ok(announced)
}

fn answer(drafts: &[Draft], fresh: &[(usize, &Draft)], stored: &HashMap<String, store::StoredEvent>) -> Ingested {
    let new: BTreeSet<_> = fresh.iter().map(|(number, _)| *number).collect();
    let events: Vec<_> = drafts
        .iter()
        .enumerate()
        .filter_map(|(number, draft)| {
            let row = stored.get(&draft.event_id)?;
            let status = if new.contains(&number) { IngestStatus::Stored } else { IngestStatus::Duplicate };
            Some(IngestedEvent {
                event_id: draft.event_id.clone(),
                id: row.id,
                status,
                differs: (row.sha256 != draft.sha256).then_some(true),
                message_id: row.message_id,
            })
        })
        .collect();
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    Ingested { accepted: count(fresh.len()), duplicates: count(events.len() - fresh.len()), events }
}
