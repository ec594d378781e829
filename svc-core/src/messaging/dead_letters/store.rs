//! The SQL of dead letters.

use svc_model::dead_letters::{DeadLetterFilter, DeadLetterKind};
use svc_model::messages::MessageStatus;

use crate::error::{Error, Result};
use crate::ids::{DeadLetterId, DeliveryId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::messaging::messages::lifecycle::{Transition, next};
use crate::store::db::{Query, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A dead letter row, before its message is added.
    #[derive(Debug, Clone)]
    pub(super) struct Row {
        pub(super) id: DeadLetterId,
        pub(super) kind: DeadLetterKind,
        pub(super) participant: String,
        pub(super) gone_at: Option<Timestamp>,
        pub(super) message_id: Option<MessageId>,
        pub(super) delivery_id: Option<DeliveryId>,
        pub(super) reason: String,
        pub(super) attempts: i64,
        pub(super) created_at: Timestamp,
        pub(super) acknowledged_at: Option<Timestamp>,
        pub(super) retried_at: Option<Timestamp>,
    }
}

/// The owner id that selects the dead letters of all owners.
pub(super) const ALL_OWNERS: UserId = UserId(0);

/// A letter of a deleted webhook is invisible until the sweep removes it.
macro_rules! not_deleted {
    () => {
        " AND (d.delivery_id IS NULL
               OR EXISTS (SELECT 1
                            FROM webhook_deliveries x
                            JOIN webhooks w ON w.id = x.webhook_id
                           WHERE x.id = d.delivery_id AND w.deleted_at IS NULL))"
    };
}

macro_rules! select_letters {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT d.id, d.kind, p.handle AS participant, p.deleted_at AS gone_at, d.message_id, d.delivery_id,
                    d.reason, d.attempts, d.created_at, d.acknowledged_at, d.retried_at
               FROM dead_letters d
               JOIN participants p ON p.id = d.participant_id ",
            $($rest),+
        )
    };
}

/// `$1` is the owner, `$2` the kind, `$3` 0 for all, 1 for acknowledged ones, 2 for the others; `$4` and `$5` are the
/// first time and the end.
macro_rules! filtered {
    ($owner:literal) => {
        concat!(
            "WHERE ",
            $owner,
            " AND ($2 = 'all' OR d.kind = $2)
              AND ($3 = 0 OR (d.acknowledged_at IS NOT NULL) = ($3 = 1))
              AND d.created_at >= $4 AND d.created_at < $5",
            not_deleted!()
        )
    };
}

const LIST: &str = select_letters!(filtered!("d.owner_id = $1"), " ORDER BY d.id DESC LIMIT $6 OFFSET $7");
const LIST_ALL: &str = select_letters!(filtered!("$1 = 0"), " ORDER BY d.id DESC LIMIT $6 OFFSET $7");
const COUNT: &str = concat!("SELECT count(*) FROM dead_letters d ", filtered!("d.owner_id = $1"));
const COUNT_ALL: &str = concat!("SELECT count(*) FROM dead_letters d ", filtered!("$1 = 0"));
const FIND: &str = select_letters!("WHERE d.id = $1 AND ($2 = 0 OR d.owner_id = $2)", not_deleted!());
/// Recently deleted agents with pending messages. `CROSS JOIN` makes SQLite start with the deleted
/// participants, of which there are few.
const DELETED_WITH_PENDING: &str = "
    SELECT a.id, a.owner_id
      FROM participants p
     CROSS JOIN agents a
     WHERE a.id = p.id AND p.deleted_at >= $1 AND p.deleted_at IS NOT NULL
       AND EXISTS (SELECT 1 FROM messages m
                    WHERE m.recipient_id = p.id AND m.recipient_id IS NOT NULL AND m.status = 'pending')
     ORDER BY a.id";
const OLD: &str = "SELECT id FROM dead_letters WHERE created_at < $1 ORDER BY created_at LIMIT $2";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("dead_letters.list", LIST),
    ("dead_letters.count", COUNT),
    ("dead_letters.find", FIND),
    ("dead_letters.old", OLD),
    ("dead_letters.waited_for", DELETED_WITH_PENDING),
];

pub(super) async fn list(tx: &mut Tx, owner: UserId, filter: &DeadLetterFilter) -> Result<Vec<Row>> {
    let text = if owner == ALL_OWNERS { LIST_ALL } else { LIST };
    let page = filter.page;
    bind_filter(tx.query(text), owner, filter).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(super) async fn count(tx: &mut Tx, owner: UserId, filter: &DeadLetterFilter) -> Result<i64> {
    let text = if owner == ALL_OWNERS { COUNT_ALL } else { COUNT };
    bind_filter(tx.query(text), owner, filter).fetch_value().await
}

fn bind_filter<'t>(query: Query<'t>, owner: UserId, filter: &DeadLetterFilter) -> Query<'t> {
    let acknowledged: u32 = match filter.acknowledged {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    };
    query
        .bind(owner)
        .bind(filter.kind.map_or("all", DeadLetterKind::as_str))
        .bind(acknowledged)
        .bind(filter.since.unwrap_or(Timestamp::from_micros(i64::MIN)))
        .bind(filter.until.unwrap_or(Timestamp::from_micros(i64::MAX)))
}

/// A dead letter of this owner; one of another owner is not found.
pub(super) async fn find(tx: &mut Tx, owner: UserId, id: DeadLetterId) -> Result<Row> {
    let found = tx.query(FIND).bind(id).bind(owner).fetch_optional();
    found.await?.ok_or_else(|| Error::not_found("dead letter"))
}

/// Locks a dead letter for this transaction.
pub(super) async fn hold(tx: &mut Tx, id: DeadLetterId) -> Result<()> {
    tx.query("UPDATE dead_letters SET attempts = attempts WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

pub(super) async fn insert(
    tx: &mut Tx,
    owner: UserId,
    participant: ParticipantId,
    message: MessageId,
    reason: &str,
    attempts: i64,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO dead_letters (kind, owner_id, participant_id, message_id, reason, attempts, created_at)
         VALUES ('message', $1, $2, $3, $4, $5, $6)",
    )
    .bind(owner)
    .bind(participant)
    .bind(message)
    .bind(reason)
    .bind(attempts)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn insert_delivery(
    tx: &mut Tx,
    owner: UserId,
    agent: ParticipantId,
    delivery: DeliveryId,
    reason: &str,
    attempts: i64,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO dead_letters (kind, owner_id, participant_id, delivery_id, reason, attempts, created_at)
         VALUES ('webhook', $1, $2, $3, $4, $5, $6)",
    )
    .bind(owner)
    .bind(agent)
    .bind(delivery)
    .bind(reason)
    .bind(attempts)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Records that the dead letters of a delivery were retried.
pub(super) async fn note_redelivery(tx: &mut Tx, delivery: DeliveryId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE dead_letters SET retried_at = $2
          WHERE delivery_id = $1 AND delivery_id IS NOT NULL AND retried_at IS NULL",
    )
    .bind(delivery)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Fails all pending and claimed messages of a participant. Returns their number.
pub(super) async fn fail_all(tx: &mut Tx, participant: ParticipantId, reason: &str) -> Result<u64> {
    let now = tx.now();
    let mut ended = 0;
    // One status after the other, so that each uses the index of its status.
    for status in [MessageStatus::Pending, MessageStatus::Processing] {
        let failed = next(status, Transition::Abandoned)?;
        ended += tx
            .query(format!(
                "UPDATE messages
                    SET status = $4, claim_token = NULL, claimed_by = NULL, lease_expires_at = NULL,
                        finished_at = $2, failure = $3, updated_at = $2
                  WHERE recipient_id = $1 AND recipient_id IS NOT NULL AND status = '{status}'"
            ))
            .bind(participant)
            .bind(now)
            .bind(reason)
            .bind(failed)
            .execute()
            .await?;
    }
    Ok(ended)
}

pub(super) async fn deleted_with_pending(tx: &mut Tx) -> Result<Vec<(ParticipantId, UserId)>> {
    let lately = tx.now().minus(limits::LATE_ARRIVAL);
    tx.query(DELETED_WITH_PENDING).bind(lately).fetch_all().await
}

/// Inserts a dead letter for each message that this transaction has failed.
pub(super) async fn insert_all(tx: &mut Tx, participant: ParticipantId, reason: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO dead_letters (kind, owner_id, participant_id, message_id, reason, attempts, created_at)
         SELECT 'message', m.recipient_owner_id, m.recipient_id, m.id, m.failure, m.attempts, m.finished_at
           FROM messages m
          WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL AND m.recipient_owner_id IS NOT NULL
            AND m.status = 'failed' AND m.finished_at = $2 AND m.failure = $3
            AND NOT EXISTS (SELECT 1 FROM dead_letters d WHERE d.message_id = m.id AND d.created_at = $2)
          ORDER BY m.id",
    )
    .bind(participant)
    .bind(now)
    .bind(reason)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn acknowledge(tx: &mut Tx, id: DeadLetterId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE dead_letters SET acknowledged_at = $2 WHERE id = $1 AND acknowledged_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn note_retry(tx: &mut Tx, id: DeadLetterId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE dead_letters SET retried_at = $2 WHERE id = $1").bind(id).bind(now).execute().await?;
    Ok(())
}

/// Removes dead letters created before this time. Returns their number.
pub(super) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(format!("DELETE FROM dead_letters WHERE id IN ({OLD})")).bind(before).bind(limit).execute().await
}
