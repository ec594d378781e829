//! The SQL of notification settings and of the levels of conversations.

use svc_model::conversations::ConversationKind;
use svc_model::notifications::{AttentionLevel, ConversationLevel, NotificationKinds};

use crate::column::Json;
use crate::error::Result;
use crate::ids::{ChannelId, ParticipantId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::Tx;

/// The channel or the partner whose level is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Channel(ChannelId),
    Partner(ParticipantId),
}

crate::row! {
    /// The settings of a user, without those of conversations.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct SettingsRow {
        pub(crate) kinds: Json<NotificationKinds>,
        pub(crate) quiet_start: Option<u32>,
        pub(crate) quiet_end: Option<u32>,
        pub(crate) time_zone: Option<String>,
    }
}

impl Default for SettingsRow {
    fn default() -> Self {
        Self { kinds: Json(NotificationKinds::default()), quiet_start: None, quiet_end: None, time_zone: None }
    }
}

/// The settings of a user; the defaults when there are none.
pub(crate) async fn settings(tx: &mut Tx, user: UserId) -> Result<SettingsRow> {
    let found = tx
        .query("SELECT kinds, quiet_start, quiet_end, time_zone FROM notification_settings WHERE user_id = $1")
        .bind(user)
        .fetch_optional()
        .await?;
    Ok(found.unwrap_or_default())
}

/// Creates the row of a user if there is none, and locks it for this transaction.
pub(crate) async fn hold_settings(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query(
        "INSERT INTO notification_settings (user_id, kinds, tests, tests_since) VALUES ($1, $2, 0, 0)
         ON CONFLICT (user_id) DO UPDATE SET tests = notification_settings.tests",
    )
    .bind(user)
    .bind(Json(NotificationKinds::default()))
    .execute()
    .await?;
    Ok(())
}

pub(in crate::messaging::notifications) async fn save(tx: &mut Tx, user: UserId, row: &SettingsRow) -> Result<()> {
    tx.query(
        "UPDATE notification_settings SET kinds = $2, quiet_start = $3, quiet_end = $4, time_zone = $5
          WHERE user_id = $1",
    )
    .bind(user)
    .bind(row.kinds.clone())
    .bind(row.quiet_start)
    .bind(row.quiet_end)
    .bind(row.time_zone.as_deref())
    .execute()
    .await?;
    Ok(())
}

pub(super) const LEVELS: &str = concat!(
    "SELECT TRUE, c.name, l.level
       FROM attention_levels l
       JOIN channels c ON c.id = l.channel_id
      WHERE l.user_id = $2 AND c.archived_at IS NULL AND ",
    visible_channel!(),
    " UNION ALL
     SELECT FALSE, p.handle, l.level
       FROM attention_levels l
       JOIN participants p ON p.id = l.partner_id
      WHERE l.user_id = $2
      ORDER BY 1 DESC, 2"
);

/// The conversations whose level is not the default, as far as the user can see them.
pub(crate) async fn levels(tx: &mut Tx, viewer: &Viewer) -> Result<Vec<ConversationLevel>> {
    let rows: Vec<(bool, String, AttentionLevel)> = viewer.bind(tx.query(LEVELS)).fetch_all().await?;
    let entry = |(is_channel, name, level)| {
        let kind = if is_channel { ConversationKind::Channel } else { ConversationKind::Dm };
        ConversationLevel { kind, name, level }
    };
    Ok(rows.into_iter().map(entry).collect())
}

pub(in crate::messaging::notifications) async fn count_levels(tx: &mut Tx, user: UserId) -> Result<u32> {
    tx.query("SELECT count(*) FROM attention_levels WHERE user_id = $1").bind(user).fetch_value().await
}

/// The level of a conversation for a user.
pub(crate) async fn level(tx: &mut Tx, user: UserId, place: Place) -> Result<AttentionLevel> {
    let (query, id, kind) = match place {
        Place::Channel(id) => (
            "SELECT level FROM attention_levels WHERE user_id = $1 AND channel_id = $2",
            id.0,
            ConversationKind::Channel,
        ),
        Place::Partner(id) => {
            ("SELECT level FROM attention_levels WHERE user_id = $1 AND partner_id = $2", id.0, ConversationKind::Dm)
        }
    };
    let found: Option<(AttentionLevel,)> = tx.query(query).bind(user).bind(id).fetch_optional().await?;
    Ok(found.map_or(AttentionLevel::default_of(kind), |(level,)| level))
}

/// Sets the level of a conversation; `None` removes it.
pub(in crate::messaging::notifications) async fn set_level(
    tx: &mut Tx,
    user: UserId,
    place: Place,
    level: Option<AttentionLevel>,
) -> Result<()> {
    let (remove, id) = match place {
        Place::Channel(id) => ("DELETE FROM attention_levels WHERE user_id = $1 AND channel_id = $2", id.0),
        Place::Partner(id) => ("DELETE FROM attention_levels WHERE user_id = $1 AND partner_id = $2", id.0),
    };
    tx.query(remove).bind(user).bind(id).execute().await?;
    let Some(level) = level else { return Ok(()) };
    let add = match place {
        Place::Channel(_) => "INSERT INTO attention_levels (user_id, channel_id, level) VALUES ($1, $2, $3)",
        Place::Partner(_) => "INSERT INTO attention_levels (user_id, partner_id, level) VALUES ($1, $2, $3)",
    };
    tx.query(add).bind(user).bind(id).bind(level).execute().await?;
    Ok(())
}

/// Removes all settings of a user.
pub(crate) async fn remove_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM attention_levels WHERE user_id = $1").bind(user).execute().await?;
    tx.query("DELETE FROM notification_settings WHERE user_id = $1").bind(user).execute().await?;
    super::mentions::remove_all_of(tx, user).await
}
