//! The SQL of participants.

use svc_model::events::{EventBody, ProfileChanged};
use svc_model::participants::{Participant, ParticipantKind, REACTIVE_HANDLE};

use super::naming;
use crate::error::Result;
use crate::ids::ParticipantId;
use crate::page::Page;
use crate::store::db::{Db, Tx};

/// Finds another participant whose handle resembles a name. The expression is that of the index.
const LOOKS_LIKE: &str = "
    SELECT handle FROM participants
     WHERE replace(replace(replace(replace(replace(replace(handle_key, '-', ''), '_', ''), '0', 'o'), '1', 'l'),
                           'rn', 'm'), 'vv', 'w') IN ($1, $2)
       AND handle_key <> $3
     LIMIT 1";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("participants.looks_like", LOOKS_LIKE)];

/// The handle of another participant that resembles one of these shapes.
pub(super) async fn looks_like(tx: &mut Tx, shapes: [&str; 2], own_key: &str) -> Result<Option<String>> {
    let found = tx.query(LOOKS_LIKE).bind(shapes[0]).bind(shapes[1]).bind(own_key).fetch_optional().await?;
    Ok(found.map(|(handle,)| handle))
}

macro_rules! listed {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            "
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
               LEFT JOIN participants o ON o.id = a.owner_id
              WHERE p.deleted_at IS NULL AND p.kind <> 'system'
                AND ($1 = '' OR p.kind = $1)
                AND ($2 = '' OR p.handle_key LIKE $2 ESCAPE '\\' OR lower(p.display_name) LIKE $2 ESCAPE '\\')",
            $rest
        )
    };
}

const LIST: &str = listed!(
    "p.handle, p.kind, p.display_name, o.handle AS owner",
    " AND ($3 = '' OR p.handle_key > $3) ORDER BY p.handle_key LIMIT $4 OFFSET $5"
);

const COUNT: &str = listed!("count(*)", "");

/// The participants of a kind that match a `LIKE` pattern, after a lowercase handle. An empty text allows all.
pub(super) async fn list(tx: &mut Tx, kind: &str, pattern: &str, after: &str, page: Page) -> Result<Vec<Participant>> {
    let query = tx.query(LIST).bind(kind).bind(pattern).bind(after);
    query.bind(page.limit()).bind(page.offset()).fetch_all().await
}

/// The number of participants of a kind that match a pattern; see [`list`].
pub(super) async fn count(tx: &mut Tx, kind: &str, pattern: &str) -> Result<i64> {
    tx.query(COUNT).bind(kind).bind(pattern).fetch_value().await
}

/// A participant to be inserted.
pub(crate) struct NewParticipant<'a> {
    pub(crate) kind: ParticipantKind,
    pub(crate) handle: &'a str,
    pub(crate) display_name: &'a str,
}

/// Inserts a participant; `None` when the handle is taken.
pub(crate) async fn insert(tx: &mut Tx, new: NewParticipant<'_>) -> Result<Option<ParticipantId>> {
    if new.handle.eq_ignore_ascii_case(REACTIVE_HANDLE) {
        return Ok(None);
    }
    if new.kind != ParticipantKind::System {
        naming::check(tx, new.handle, new.display_name).await?;
    }
    let now = tx.now();
    let inserted = tx
        .query(
            "INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING
             RETURNING id",
        )
        .bind(new.kind)
        .bind(new.handle)
        .bind(new.handle.to_ascii_lowercase())
        .bind(new.display_name)
        .bind(now)
        .fetch_optional()
        .await?;
    Ok(inserted.map(|(id,)| id))
}

/// Changes the display name. An unchanged name is kept, even if newer rules would reject it.
pub(crate) async fn set_display_name(tx: &mut Tx, id: ParticipantId, display_name: &str) -> Result<()> {
    let found: Option<(String, String)> =
        tx.query("SELECT handle, display_name FROM participants WHERE id = $1").bind(id).fetch_optional().await?;
    if let Some((handle, shown)) = found {
        if shown == display_name {
            return Ok(());
        }
        naming::check(tx, &handle, display_name).await?;
    }
    tx.query("UPDATE participants SET display_name = $2 WHERE id = $1").bind(id).bind(display_name).execute().await?;
    profile_changed(tx, id).await
}

/// Records that the profile of a participant changed.
pub(crate) async fn profile_changed(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let handle: String = tx.query("SELECT handle FROM participants WHERE id = $1").bind(id).fetch_value().await?;
    tx.record(EventBody::ProfileChanged(ProfileChanged { participant_id: id, handle })).await?;
    Ok(())
}

/// Records that a participant was seen now.
pub(crate) async fn note_seen(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE participants SET seen_at = $2
          WHERE id = $1 AND deleted_at IS NULL AND (seen_at IS NULL OR seen_at < $2)",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Marks a participant as deleted, and forgets when it was seen. Its handle stays reserved.
pub(crate) async fn mark_deleted(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE participants SET deleted_at = $2, seen_at = NULL WHERE id = $1 AND deleted_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Whether the first start has initialized the store.
pub(crate) async fn is_filled(db: &Db) -> Result<bool> {
    db.read((), |tx, ()| Box::pin(has_system(tx))).await
}

async fn has_system(tx: &mut Tx) -> Result<bool> {
    let found: i64 = tx.query("SELECT count(*) FROM participants WHERE kind = 'system'").fetch_value().await?;
    Ok(found > 0)
}

/// Whether a handle is taken, or was used before.
pub(crate) async fn is_taken(tx: &mut Tx, handle: &str) -> Result<bool> {
    let query = tx.query("SELECT count(*) FROM participants WHERE handle_key = $1").bind(handle.to_ascii_lowercase());
    let found: i64 = query.fetch_value().await?;
    Ok(found > 0)
}
