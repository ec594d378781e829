//! The SQL of secrets.

use svc_model::participants::ParticipantKind;
use svc_model::secrets::{Secret, SecretScope};

use crate::error::{Error, Result};
use crate::ids::{AgentId, ParticipantId, SecretId, UserId};
use crate::page::Page;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Locks the holder of a secret. Returns whether it still exists.
pub(super) async fn lock(tx: &mut Tx, participant: ParticipantId) -> Result<bool> {
    let held = tx
        .query("UPDATE participants SET deleted_at = deleted_at WHERE id = $1 AND deleted_at IS NULL")
        .bind(participant)
        .execute()
        .await?;
    Ok(held == 1)
}

/// Removes all secrets of a participant that is about to be deleted.
pub(crate) async fn remove_all_of(tx: &mut Tx, participant: ParticipantId) -> Result<u64> {
    // Waits for a secret that is being set concurrently, so that none is left behind.
    lock(tx, participant).await?;
    tx.query("DELETE FROM secrets WHERE participant_id = $1").bind(participant).execute().await
}

/// Stores a value, replacing the previous one.
pub(super) async fn put(
    tx: &mut Tx,
    participant: ParticipantId,
    name: &str,
    sealed: &[u8],
) -> Result<(SecretId, Timestamp)> {
    let now = tx.now();
    tx.query(
        "INSERT INTO secrets (participant_id, name, sealed, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (participant_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at
         RETURNING id, created_at",
    )
    .bind(participant)
    .bind(name)
    .bind(sealed)
    .bind(now)
    .bind(now)
    .fetch_one()
    .await
}

/// Removes a secret. Returns whether it existed.
pub(super) async fn remove(tx: &mut Tx, participant: ParticipantId, name: &str) -> Result<bool> {
    let removed = tx
        .query("DELETE FROM secrets WHERE participant_id = $1 AND name = $2")
        .bind(participant)
        .bind(name)
        .execute()
        .await?;
    Ok(removed == 1)
}

crate::row! {
    struct SecretRow {
        id: SecretId,
        kind: ParticipantKind,
        handle: String,
        name: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl TryFrom<SecretRow> for Secret {
    type Error = Error;

    fn try_from(row: SecretRow) -> Result<Self> {
        let SecretRow { id, kind, handle, name, created_at, updated_at } = row;
        let scope = match kind {
            ParticipantKind::Human => SecretScope::User(handle.parse()?),
            ParticipantKind::Agent => SecretScope::Agent(handle.parse()?),
            ParticipantKind::System => return Err(Error::internal("a secret belongs to the system")),
        };
        Ok(Self { id, scope, name, created_at, updated_at })
    }
}

/// Lists the secrets of an owner and of its agents, or of all; `of` narrows it to one participant.
pub(super) async fn list(
    tx: &mut Tx,
    owner: Option<UserId>,
    of: Option<ParticipantId>,
    page: Page,
) -> Result<Vec<Secret>> {
    let rows: Vec<SecretRow> = tx
        .query(
            "SELECT s.id, p.kind, p.handle, s.name, s.created_at, s.updated_at
               FROM secrets s
               JOIN participants p ON p.id = s.participant_id
               LEFT JOIN agents a ON a.id = s.participant_id
              WHERE ($1 IS NULL OR s.participant_id = $1 OR a.owner_id = $1)
                AND ($2 IS NULL OR s.participant_id = $2)
              ORDER BY p.kind DESC, p.handle_key, s.name
              LIMIT $3 OFFSET $4",
        )
        .bind(owner)
        .bind(of)
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all()
        .await?;
    rows.into_iter().map(Secret::try_from).collect()
}

/// Counts the rows of such a list.
/// Whether there are webhooks, whose secrets are sealed with the same key.
pub(super) async fn has_webhooks(tx: &mut Tx) -> Result<bool> {
    let found = tx.query("SELECT id FROM webhooks WHERE deleted_at IS NULL LIMIT 1").fetch_optional::<(i64,)>();
    Ok(found.await?.is_some())
}

pub(super) async fn count(tx: &mut Tx, owner: Option<UserId>, of: Option<ParticipantId>) -> Result<i64> {
    tx.query(
        "SELECT count(*)
           FROM secrets s
           LEFT JOIN agents a ON a.id = s.participant_id
          WHERE ($1 IS NULL OR s.participant_id = $1 OR a.owner_id = $1)
            AND ($2 IS NULL OR s.participant_id = $2)",
    )
    .bind(owner)
    .bind(of)
    .fetch_value()
    .await
}

crate::row! {
    /// A sealed value.
    pub(super) struct SealedSecret {
        pub(super) participant_id: ParticipantId,
        pub(super) name: String,
        pub(super) sealed: Vec<u8>,
    }
}

/// The secrets of an agent's owner, then the agent's own.
pub(super) async fn for_run(tx: &mut Tx, agent: AgentId) -> Result<Vec<SealedSecret>> {
    let active: Option<(UserId,)> = tx
        .query(
            "SELECT a.owner_id
               FROM agents a
               JOIN participants p ON p.id = a.id
              WHERE a.id = $1 AND p.deleted_at IS NULL",
        )
        .bind(agent)
        .fetch_optional()
        .await?;
    let (owner,) = active.ok_or_else(|| Error::not_found("agent"))?;
    tx.query(
        "SELECT participant_id, name, sealed
           FROM secrets
          WHERE participant_id IN ($1, $2)
          ORDER BY CASE participant_id WHEN $1 THEN 0 ELSE 1 END, name",
    )
    .bind(owner)
    .bind(agent)
    .fetch_all()
    .await
}

/// Locks the known text of the store's key; stores ours when there was none.
pub(super) async fn lock_key(tx: &mut Tx, ours: &[u8]) -> Result<Vec<u8>> {
    tx.query(
        "INSERT INTO sealing_key (id, sealed)
         VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET sealed = sealing_key.sealed
         RETURNING sealed",
    )
    .bind(ours)
    .fetch_value()
    .await
}

pub(super) async fn replace_key(tx: &mut Tx, ours: &[u8]) -> Result<()> {
    tx.query("UPDATE sealing_key SET sealed = $1 WHERE id = 1").bind(ours).execute().await?;
    Ok(())
}
