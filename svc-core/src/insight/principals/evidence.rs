//! Reading machine events, oldest first. Events stay until an operator purges them; their messages
//! and traces are removed after their own retention periods.
//!
//! A key with `evidence:read` reads the events of all principals: reading is a scope of its own.

use std::collections::BTreeSet;

use svc_macros::boxed_futures;
use svc_model::principals::{Evidence, EvidenceFilter, EvidencePage, Scope};
use svc_model::traces::Trace;

use super::store::{self, EventRow};
use crate::error::Result;
use crate::identity::principals::machine::{Machine, admit, require};
use crate::identity::principals::rules::Faults;
use crate::identity::principals::{Principals, dialect};
use crate::ids::MachineEventId;
use crate::limits;
use crate::store::db::Tx;

/// The range of events to read.
#[derive(Debug, Clone)]
struct Window {
    filter: EvidenceFilter,
    after: MachineEventId,
    limit: u32,
    /// The last event to read: no event with a smaller id is still to come.
    until: MachineEventId,
}

impl Window {
    fn checked(filter: EvidenceFilter) -> Result<Self> {
        let mut faults = Faults::default();
        let after = filter.cursor.as_deref().map_or(Some(MachineEventId(0)), from_cursor);
        if after.is_none() {
            faults.add("cursor", "must be the next_cursor of an earlier page");
        }
        let limit = filter.limit.map_or(Some(limits::EVIDENCE_PAGE_DEFAULT), checked_limit);
        if limit.is_none() {
            faults.add("limit", format!("must be 1 to {}", limits::EVIDENCE_PAGE_MAX));
        }
        for (field, value) in [("principal", &filter.principal), ("type", &filter.kind)] {
            if value.as_ref().is_some_and(|value| value.contains('\0')) {
                faults.add(field, "must not contain the NUL character");
            }
        }
        let (after, limit) = (after.unwrap_or(MachineEventId(0)), limit.unwrap_or(limits::EVIDENCE_PAGE_DEFAULT));
        faults.or(Self { filter, after, limit, until: MachineEventId(0) })
    }
}

fn checked_limit(limit: i64) -> Option<u32> {
    u32::try_from(limit).ok().filter(|limit| (1..=limits::EVIDENCE_PAGE_MAX).contains(limit))
}

fn to_cursor(id: MachineEventId) -> String {
    format!("e{id}")
}

fn from_cursor(text: &str) -> Option<MachineEventId> {
    let digits = text.strip_prefix('e')?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).map(MachineEventId)
}

#[boxed_futures]
impl Principals {
    /// A page of machine events after the cursor, oldest first.
    pub async fn evidence(&self, machine: &Machine, filter: EvidenceFilter) -> Result<EvidencePage> {
        let window = match Window::checked(filter) {
            Ok(window) => window,
            Err(fault) => return self.faulty(machine, Scope::EvidenceRead, fault).await,
        };
        // Only the nonce is written, so that the write does not wait for the read.
        let admitted = self.db.write(machine.clone(), |tx, machine| {
            Box::pin(async move {
                admit(tx, machine, Scope::EvidenceRead).await?;
                dialect::settled(tx).await
            })
        });
        let page = match admitted.await {
            Ok(until) => {
                let window = Window { until, ..window };
                self.db
                    .read((machine.clone(), window), |tx, (machine, window)| Box::pin(read(tx, machine, window)))
                    .await
            }
            Err(error) => Err(error),
        };
        self.answer(machine, page).await
    }
}

async fn read(tx: &mut Tx, machine: &Machine, window: &Window) -> Result<EvidencePage> {
    // Another registry may have become active since the nonce was stored.
    require(tx, machine, Scope::EvidenceRead).await?;
    let (rows, has_more) = rows(tx, window).await?;
    let next_cursor = to_cursor(rows.last().map_or(window.after, |row| row.id));
    let signatures: BTreeSet<_> = rows.iter().filter_map(|row| row.signature_id.as_deref()).collect();
    let traces = store::traces(tx, &signatures).await?;
    let items = rows
        .into_iter()
        .map(|row| {
            let traces = row.signature_id.as_ref().and_then(|id| traces.get(id)).cloned().unwrap_or_default();
            shown(row, traces)
        })
        .collect();
    Ok(EvidencePage { items, next_cursor, has_more })
}

/// The events of a page, fetched in steps until the count or size limit is reached, and whether
/// there are more.
async fn rows(tx: &mut Tx, window: &Window) -> Result<(Vec<EventRow>, bool)> {
    let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
    let (mut rows, mut bytes, mut after) = (Vec::new(), 0, window.after);
    loop {
        let step = store::after(tx, &window.filter, after, limits::EVIDENCE_STEP).await?;
        let is_last = step.len() < usize::try_from(limits::EVIDENCE_STEP).unwrap_or(usize::MAX);
        for row in step {
            // A later read from here also finds events in between, once they are committed.
            if row.id > window.until {
                return Ok((rows, false));
            }
            bytes += row.data.to_string().len();
            if rows.len() == limit || (!rows.is_empty() && bytes > limits::EVIDENCE_PAGE_BYTES) {
                return Ok((rows, true));
            }
            after = row.id;
            rows.push(row);
        }
        if is_last {
            return Ok((rows, false));
        }
    }
}

fn shown(row: EventRow, traces: Vec<Trace>) -> Evidence {
    Evidence {
        id: row.id,
        principal_id: row.principal_id,
        kid: row.kid,
        event_id: row.event_id,
        kind: row.kind,
        occurred_at: row.occurred_at,
        received_at: row.received_at,
        data: row.data,
        channel: row.channel,
        message_id: row.message_id,
        request_id: row.request_id,
        traces,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_cursors_are_parsed() {
        for id in [0, 7, i64::MAX] {
            assert_eq!(from_cursor(&to_cursor(MachineEventId(id))), Some(MachineEventId(id)));
        }
        for bad in ["", "e", "7", "e-7", "e+7", "e 7", "e7 ", "f7", "e99999999999999999999"] {
            assert_eq!(from_cursor(bad), None, "{bad}");
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let filter = EvidenceFilter {
            cursor: Some("x".into()),
            limit: Some(501),
            principal: Some("\0".into()),
            kind: Some("\0".into()),
        };
        let fault = Window::checked(filter).unwrap_err();
        let fields: Vec<_> = fault.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["cursor", "limit", "principal", "type"]);
    }
}
