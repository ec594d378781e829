//! Aggregating events into counts.

use std::collections::BTreeMap;

use svc_model::events::{Audience, EventBody};

use super::buckets::Grain;
use super::store;
use crate::error::Result;
use crate::store::events::{Event, EventLog};
use crate::timestamp::Timestamp;

/// The name under which the log position is stored.
const READER: &str = "analytics";
/// Events counted in one transaction.
pub(super) const BATCH: u32 = 1000;

/// The key of a count; 0 stands for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) sender: i64,
    pub(super) grain: Grain,
    pub(super) bucket: Timestamp,
    pub(super) channel: i64,
    pub(super) recipient: i64,
}

/// Counts the next events of the log. Returns whether all have been counted.
pub(super) async fn count_next(events: &EventLog) -> Result<bool> {
    let counted = events
        .consume(READER, BATCH, |tx, events| {
            Box::pin(async move {
                let counts = counts(events);
                for (sender, messages) in totals(&counts) {
                    store::add_total(tx, sender, messages).await?;
                }
                for (key, messages) in counts {
                    store::add(tx, key, messages).await?;
                }
                Ok(())
            })
        })
        .await?;
    Ok(counted < BATCH as usize)
}

/// Counts all events up to now.
pub(super) async fn catch_up(events: &EventLog) -> Result<()> {
    while !count_next(events).await? {}
    Ok(())
}

fn counts(events: &[Event]) -> BTreeMap<Key, i64> {
    let mut counts = BTreeMap::new();
    for event in events {
        let sent = match event.body() {
            Ok(EventBody::MessageCreated(sent)) if sent.mention_of.is_none() => sent,
            Ok(_) => continue,
            Err(error) => {
                // An embedding program may write any payload; it must not stop the counting.
                tracing::warn!(seq = event.seq.0, error = error.log_line(), "an event cannot be counted");
                continue;
            }
        };
        let Audience { sender_id: Some(sender), channel_id, recipient_id, .. } = sent.audience else { continue };
        for grain in Grain::ALL {
            let key = Key {
                sender: sender.0,
                grain,
                bucket: grain.start(sent.created_at),
                channel: channel_id.map_or(0, |id| id.0),
                recipient: recipient_id.map_or(0, |id| id.0),
            };
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

/// The number of messages of each sender; the daily counts contain each message once.
fn totals(counts: &BTreeMap<Key, i64>) -> BTreeMap<i64, i64> {
    let mut totals = BTreeMap::new();
    for (key, messages) in counts.iter().filter(|(key, _)| key.grain == Grain::Day) {
        *totals.entry(key.sender).or_default() += messages;
    }
    totals
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::EventSeq;

    fn event(kind: &str, counted: &serde_json::Value) -> Event {
        let mut payload = json!({
            "message_id": 1, "conversation_id": 1, "from": "ann", "from_kind": "human", "preview": "", "priority": 5,
            "created_at": "2026-01-01T00:00:00Z",
        });
        payload.as_object_mut().unwrap().extend(counted.as_object().unwrap().clone());
        Event {
            seq: EventSeq(1),
            kind: kind.to_owned(),
            payload: serde_json::value::to_raw_value(&payload).unwrap(),
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn each_message_counts_once_per_bucket_length() {
        let direct = json!({ "sender_id": 1, "recipient_id": 2, "created_at": "2026-01-01T10:07:00Z", "id": 5 });
        let said =
            json!({ "sender_id": 1, "channel_id": 3, "recipient_id": null, "created_at": "2026-01-01T10:58:00Z" });
        let told = json!({ "sender_id": 1, "recipient_id": 2, "created_at": "2026-01-01T10:58:00Z", "mention_of": 9 });
        let not_told = json!({ "sender_id": 1, "channel_id": 3, "mention_of": null });
        let counts = counts(&[
            event("message.created", &direct),
            event("message.created", &direct),
            event("message.created", &said),
            event("message.created", &told),
            event("message.created", &not_told),
            event("message.created", &json!({ "sender": "somebody" })),
            event("message.read", &direct),
        ]);
        let of = |grain: Grain| -> Vec<_> {
            let keys = counts.iter().filter(|(key, _)| key.grain == grain);
            keys.map(|(key, count)| (key.bucket.to_string()[11..16].to_owned(), key.channel, key.recipient, *count))
                .collect()
        };
        let row = |time: &str, channel, recipient, count| (time.to_owned(), channel, recipient, count);
        assert_eq!(of(Grain::Minutes), [row("00:00", 3, 0, 1), row("10:05", 0, 2, 2), row("10:55", 3, 0, 1)]);
        assert_eq!(of(Grain::Hour), [row("00:00", 3, 0, 1), row("10:00", 0, 2, 2), row("10:00", 3, 0, 1)]);
        assert_eq!(of(Grain::Day), [row("00:00", 0, 2, 2), row("00:00", 3, 0, 2)]);
        assert_eq!(totals(&counts), BTreeMap::from([(1, 4)]));
    }
}
