//! The SQL of the event log.

use super::model::{Event, NewEvent};
use crate::error::Result;
use crate::ids::EventSeq;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

const READ_AFTER: &str = "
    SELECT seq, kind, payload, created_at
      FROM events
     WHERE seq > $1 AND seq <= $2
     ORDER BY seq
     LIMIT $3";

const PLACES_AFTER: &str = "
    SELECT seq
      FROM events
     WHERE seq > $1
     ORDER BY seq
     LIMIT $2";

const OLDEST: &str = "
    SELECT seq, created_at
      FROM events
     ORDER BY seq
     LIMIT $1";

const NEXT_IN: &str = "
    SELECT seq, created_at
      FROM events
     WHERE seq > $1 AND seq <= $2
     ORDER BY seq
     LIMIT 1";

const AT: &str = "
    SELECT seq, kind, payload, created_at
      FROM events
     WHERE seq > $1 AND seq <= $2 AND kind = $3 AND created_at = $4
     ORDER BY seq";

const SWEEP: &str = "
    DELETE FROM events
     WHERE seq <= $1";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("events.read_after", READ_AFTER),
    ("events.places_after", PLACES_AFTER),
    ("events.oldest", OLDEST),
    ("events.next_in", NEXT_IN),
    ("events.at", AT),
    ("events.sweep", SWEEP),
];

pub(super) async fn insert(tx: &mut Tx, event: &NewEvent) -> Result<EventSeq> {
    let now = tx.now();
    tx.query(
        "INSERT INTO events (kind, payload, created_at)
         VALUES ($1, $2, $3)",
    )
    .bind(event.kind.as_ref())
    .bind(&*event.payload)
    .bind(now)
    .insert("seq")
    .await
}

pub(super) async fn read_after(tx: &mut Tx, after: EventSeq, through: EventSeq, limit: u32) -> Result<Vec<Event>> {
    tx.query(READ_AFTER).bind(after).bind(through).bind(limit).fetch_all().await
}

/// Reads only the positions of events, for a follower without receivers.
pub(super) async fn positions_after(tx: &mut Tx, after: EventSeq, limit: u32) -> Result<Vec<EventSeq>> {
    let positions: Vec<(EventSeq,)> = tx.query(PLACES_AFTER).bind(after).bind(limit).fetch_all().await?;
    Ok(positions.into_iter().map(|(seq,)| seq).collect())
}

/// The newest assigned position, 0 in an empty log.
pub(super) async fn newest(tx: &mut Tx) -> Result<EventSeq> {
    tx.query(
        "SELECT coalesce(max(seq), (SELECT swept_through FROM event_log WHERE id = 1))
           FROM events",
    )
    .fetch_value()
    .await
}

/// The position before the first event that happened at or after a time.
pub(super) async fn before(tx: &mut Tx, time: Timestamp) -> Result<EventSeq> {
    // Times grow with positions, except for the moments in which a clock is set back.
    let (mut low, mut high) = (swept_through(tx).await?.0, newest(tx).await?.0);
    while low < high {
        let middle = low + (high - low) / 2;
        let next = tx.query(NEXT_IN).bind(EventSeq(middle)).bind(EventSeq(high));
        match next.fetch_optional::<(EventSeq, Timestamp)>().await? {
            Some((seq, at)) if at < time => low = seq.0,
            Some(_) | None => high = middle,
        }
    }
    Ok(EventSeq(low))
}

/// The events of a kind that were written at exactly this time.
pub(super) async fn at(tx: &mut Tx, kind: &str, time: Timestamp) -> Result<Vec<Event>> {
    let low = before(tx, time.minus(limits::EVENT_CLOCK_SKEW)).await?;
    let high = before(tx, time.plus(limits::EVENT_CLOCK_SKEW)).await?;
    tx.query(AT).bind(low).bind(high).bind(kind).bind(time).fetch_all().await
}

/// Replaces the payload of an event.
pub(super) async fn rewrite(tx: &mut Tx, seq: EventSeq, event: &NewEvent) -> Result<()> {
    tx.query("UPDATE events SET payload = $2 WHERE seq = $1").bind(seq).bind(&*event.payload).execute().await?;
    Ok(())
}

/// The last swept position.
pub(super) async fn swept_through(tx: &mut Tx) -> Result<EventSeq> {
    tx.query("SELECT swept_through FROM event_log WHERE id = 1").fetch_value().await
}

/// The oldest events, as `(position, time)`.
pub(super) async fn oldest(tx: &mut Tx, limit: u32) -> Result<Vec<(EventSeq, Timestamp)>> {
    tx.query(OLDEST).bind(limit).fetch_all().await
}

/// Removes all events up to a position.
pub(super) async fn sweep(tx: &mut Tx, through: EventSeq) -> Result<u64> {
    tx.query(
        "UPDATE event_log
            SET swept_through = $1
          WHERE id = 1 AND swept_through < $1",
    )
    .bind(through)
    .execute()
    .await?;
    tx.query(SWEEP).bind(through).execute().await
}

/// The position of a named reader, if it has read before.
pub(super) async fn find_cursor(tx: &mut Tx, name: &str) -> Result<Option<EventSeq>> {
    let found = tx.query("SELECT seq FROM event_cursors WHERE name = $1").bind(name).fetch_optional::<(EventSeq,)>();
    Ok(found.await?.map(|(seq,)| seq))
}

/// Locks a named reader's position for this transaction; concurrent readers of that name wait.
pub(super) async fn lock_cursor(tx: &mut Tx, name: &str) -> Result<EventSeq> {
    let now = tx.now();
    tx.query(
        "INSERT INTO event_cursors (name, seq, updated_at)
         VALUES ($1, 0, $2)
         ON CONFLICT (name) DO UPDATE SET updated_at = $2
         RETURNING seq",
    )
    .bind(name)
    .bind(now)
    .fetch_value()
    .await
}

pub(super) async fn move_cursor(tx: &mut Tx, name: &str, seq: EventSeq) -> Result<()> {
    tx.query("UPDATE event_cursors SET seq = $2 WHERE name = $1").bind(name).bind(seq).execute().await?;
    Ok(())
}

pub(super) async fn remove_cursor(tx: &mut Tx, name: &str) -> Result<()> {
    tx.query("DELETE FROM event_cursors WHERE name = $1").bind(name).execute().await?;
    Ok(())
}

/// The position that all named readers have passed, among those that advanced since a time.
pub(super) async fn slowest_cursor(tx: &mut Tx, since: Timestamp) -> Result<Option<EventSeq>> {
    tx.query("SELECT min(seq) FROM event_cursors WHERE updated_at >= $1").bind(since).fetch_value().await
}
