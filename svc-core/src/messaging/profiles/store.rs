//! The SQL of profiles.

use svc_model::participants::ParticipantKind;
use svc_model::profiles::{PresenceAudience, Status};

use crate::error::{Error, Result};
use crate::ids::ParticipantId;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A participant with its profile, before what the caller may not see is left out.
    pub(super) struct ProfileRow {
        pub(super) id: ParticipantId,
        pub(super) handle: String,
        pub(super) display_name: String,
        pub(super) kind: ParticipantKind,
        pub(super) owner: Option<String>,
        pub(super) seen_at: Option<Timestamp>,
        pub(super) paused_at: Option<Timestamp>,
        pub(super) quarantined_at: Option<Timestamp>,
        pub(super) status_text: Option<String>,
        pub(super) status_emoji: Option<String>,
        pub(super) status_until: Option<Timestamp>,
        pub(super) presence: Option<PresenceAudience>,
        /// The hash of the avatar.
        pub(super) avatar: Option<String>,
        /// The mean of those trust scores of an agent that everybody may see, in millionths.
        pub(super) trust: Option<u32>,
    }
}

impl ProfileRow {
    /// Whether this is the stored status.
    pub(super) fn says(&self, status: Option<&Status>) -> bool {
        self.status_text.as_deref().unwrap_or_default() == status.map(|status| status.text.as_str()).unwrap_or_default()
            && self.status_emoji.as_deref() == status.and_then(|status| status.emoji.as_deref())
            && self.status_until == status.and_then(|status| status.until)
    }

    /// Who may see when a person was last seen.
    pub(super) fn audience(&self) -> PresenceAudience {
        self.presence.unwrap_or(PresenceAudience::Everyone)
    }
}

// The other action types come from messages that not everybody can see: see `Trust::of`.
macro_rules! select_profiles {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.handle, p.display_name, p.kind, o.handle AS owner, p.seen_at, a.paused_at,
                    a.quarantined_at, f.status_text, f.status_emoji, f.status_until, f.presence, v.hash AS avatar,
                    (SELECT CAST(sum(t.score) AS BIGINT) / count(*)
                       FROM trust_scores t
                      WHERE t.agent_id = p.id AND t.action_type IN ('publish', 'approve')) AS trust
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
               LEFT JOIN participants o ON o.id = a.owner_id
               LEFT JOIN profiles f ON f.participant_id = p.id
               LEFT JOIN avatars v ON v.participant_id = p.id
              WHERE p.deleted_at IS NULL AND p.kind <> 'system' ",
            $rest
        )
    };
}

const LIST: &str = select_profiles!(
    "AND ($1 = '' OR p.kind = $1)
     AND ($2 = '' OR p.handle_key LIKE $2 ESCAPE '\\' OR lower(p.display_name) LIKE $2 ESCAPE '\\')
     AND p.handle_key > $3
   ORDER BY p.handle_key LIMIT $4"
);
const BY_HANDLE: &str = select_profiles!("AND p.handle_key = $1");
const BY_ID: &str = select_profiles!("AND p.id = $1");
/// Several participants may have one picture.
const AVATAR: &str = "
    SELECT mime_type, content
      FROM avatars
     WHERE participant_id = (SELECT min(v.participant_id) FROM avatars v WHERE v.hash = $1)";
const AVATAR_OF: &str = "SELECT hash FROM avatars WHERE participant_id = $1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("profiles.by_handle", BY_HANDLE),
    ("profiles.by_id", BY_ID),
    ("profiles.avatar", AVATAR),
    ("profiles.avatar_of", AVATAR_OF),
];

/// The participants of a kind that match a `LIKE` pattern, after a lowercase handle. An empty text allows all.
pub(super) async fn list(tx: &mut Tx, kind: &str, pattern: &str, after: &str, limit: i64) -> Result<Vec<ProfileRow>> {
    tx.query(LIST).bind(kind).bind(pattern).bind(after).bind(limit).fetch_all().await
}

/// The participant with this lowercase handle.
pub(super) async fn by_handle(tx: &mut Tx, handle_key: &str) -> Result<Option<ProfileRow>> {
    tx.query(BY_HANDLE).bind(handle_key).fetch_optional().await
}

pub(super) async fn by_id(tx: &mut Tx, id: ParticipantId) -> Result<Option<ProfileRow>> {
    tx.query(BY_ID).bind(id).fetch_optional().await
}

/// Locks a participant for this transaction, so that what it says about itself is not written after it was deleted.
pub(super) async fn hold(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let text = "UPDATE participants SET display_name = display_name WHERE id = $1 AND deleted_at IS NULL";
    let held = tx.query(text).bind(id).execute().await?;
    if held == 1 { Ok(()) } else { Err(Error::not_found("participant")) }
}

/// Creates the row of a profile, if there is none.
pub(super) async fn ensure(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO profiles (participant_id, status_text, presence, updated_at)
         VALUES ($1, '', $2, $3)
         ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(PresenceAudience::Everyone)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn set_status(tx: &mut Tx, id: ParticipantId, status: Option<&Status>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE profiles
            SET status_text = $2, status_emoji = $3, status_until = $4, updated_at = $5
          WHERE participant_id = $1",
    )
    .bind(id)
    .bind(status.map(|status| status.text.as_str()).unwrap_or_default())
    .bind(status.and_then(|status| status.emoji.as_deref()))
    .bind(status.and_then(|status| status.until))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn set_presence(tx: &mut Tx, id: ParticipantId, presence: PresenceAudience) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE profiles SET presence = $2, updated_at = $3 WHERE participant_id = $1")
        .bind(id)
        .bind(presence)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Replaces the avatar of a participant. Returns whether it is another one.
pub(super) async fn set_avatar(
    tx: &mut Tx,
    id: ParticipantId,
    hash: &str,
    mime_type: &str,
    content: &[u8],
) -> Result<bool> {
    let before: Option<(String,)> = tx.query(AVATAR_OF).bind(id).fetch_optional().await?;
    if before.is_some_and(|(before,)| before == hash) {
        return Ok(false);
    }
    let now = tx.now();
    tx.query(
        "INSERT INTO avatars (participant_id, hash, mime_type, content, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (participant_id) DO UPDATE
            SET hash = excluded.hash, mime_type = excluded.mime_type, content = excluded.content,
                created_at = excluded.created_at",
    )
    .bind(id)
    .bind(hash)
    .bind(mime_type)
    .bind(content)
    .bind(now)
    .execute()
    .await?;
    Ok(true)
}

/// Removes the avatar of a participant. Returns whether there was one.
pub(super) async fn remove_avatar(tx: &mut Tx, id: ParticipantId) -> Result<bool> {
    Ok(tx.query("DELETE FROM avatars WHERE participant_id = $1").bind(id).execute().await? > 0)
}

/// The type and the content of the avatar with this hash.
pub(super) async fn avatar(tx: &mut Tx, hash: &str) -> Result<Option<(String, Vec<u8>)>> {
    tx.query(AVATAR).bind(hash).fetch_optional().await
}

/// Removes what a participant has said about itself, after it was marked as deleted.
pub(crate) async fn remove_all_of(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    tx.query("DELETE FROM profiles WHERE participant_id = $1").bind(id).execute().await?;
    remove_avatar(tx, id).await?;
    Ok(())
}
