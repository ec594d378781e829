//! The notification settings of a user: kinds, quiet hours and levels of conversations.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::ConversationKind;
use svc_model::events::{AttentionChanged, EventBody};
use svc_model::notifications::{AttentionLevel, ConversationLevel, NotificationSettings, SettingsChange};

use super::quiet;
use super::service::Notifications;
use super::store::{self, Place};
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::UserId;
use crate::limits;
use crate::messaging::channels;
use crate::messaging::messages::timeline::partner;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

#[boxed_futures]
impl Notifications {
    /// The notification settings of the human who calls.
    pub async fn settings(&self, caller: &Caller) -> Result<NotificationSettings> {
        caller.require(Permission::Read)?;
        let user = human(caller)?;
        self.db.read((user, Viewer::of(caller)), |tx, (user, viewer)| Box::pin(shown(tx, *user, viewer))).await
    }

    /// Changes the notification settings of the human who calls: all that is named, or nothing.
    pub async fn change_settings(&self, caller: &Caller, change: SettingsChange) -> Result<NotificationSettings> {
        caller.require(Permission::Write)?;
        let user = human(caller)?;
        if change.conversations.as_ref().is_some_and(|levels| levels.len() > limits::LEVELS_PER_CHANGE) {
            let message = format!("must have at most {} entries", limits::LEVELS_PER_CHANGE);
            return Err(Error::invalid("conversations", message));
        }
        self.db
            .write((user, caller.clone(), change), |tx, (user, caller, change)| {
                Box::pin(async move { apply(tx, *user, caller, change).await })
            })
            .await
    }
}

async fn apply(tx: &mut Tx, user: UserId, caller: &Caller, change: &SettingsChange) -> Result<NotificationSettings> {
    let viewer = Viewer::of(caller);
    store::hold_settings(tx, user).await?;
    let before = shown(tx, user, &viewer).await?;
    let mut row = store::settings(tx, user).await?;
    if let Some(kinds) = &change.kinds {
        kinds.apply(&mut row.kinds.0);
    }
    if let Some(quiet_hours) = &change.quiet_hours {
        quiet::apply(quiet_hours, &mut row)?;
    }
    store::save(tx, user, &row).await?;
    for (index, entry) in change.conversations.iter().flatten().enumerate() {
        let place = place(tx, caller, &viewer, index, entry).await?;
        let is_default = entry.level == AttentionLevel::default_of(entry.kind);
        store::set_level(tx, user, place, (!is_default).then_some(entry.level)).await?;
    }
    if change.conversations.is_some() && store::count_levels(tx, user).await? > limits::LEVELS_MAX {
        let message = format!(
            "At most {} conversations can have a level of their own. Reset some to the default first.",
            limits::LEVELS_MAX
        );
        return Err(Error::conflict("too_many_levels", message));
    }
    let after = shown(tx, user, &viewer).await?;
    if after != before {
        tx.record(EventBody::AttentionChanged(AttentionChanged { owner_id: user })).await?;
    }
    Ok(after)
}

/// The conversation of an entry. The error names the entry.
async fn place(
    tx: &mut Tx,
    caller: &Caller,
    viewer: &Viewer,
    index: usize,
    entry: &ConversationLevel,
) -> Result<Place> {
    let field = || format!("conversations[{index}].name");
    match entry.kind {
        ConversationKind::Channel => {
            let key = channels::allowed(caller, &entry.name).map_err(|error| named(error, &field()))?;
            let id = store::channel_id(tx, viewer, &key).await?;
            id.map(Place::Channel).ok_or_else(|| Error::invalid(field(), "is not the name of a channel that you see"))
        }
        ConversationKind::Dm => {
            let found = partner(tx, &entry.name).await;
            found.map(|partner| Place::Partner(partner.id)).map_err(|error| named(error, &field()))
        }
    }
}

/// An error about the name of a conversation, with the field of the request.
fn named(error: Error, field: &str) -> Error {
    match error.code() {
        "not_found" | "validation_failed" => Error::invalid(field, "is not the name of a conversation that you see"),
        _ => error,
    }
}

async fn shown(tx: &mut Tx, user: UserId, viewer: &Viewer) -> Result<NotificationSettings> {
    let row = store::settings(tx, user).await?;
    let conversations = store::levels(tx, viewer).await?;
    Ok(NotificationSettings { quiet_hours: quiet::shown(&row), kinds: row.kinds.0, conversations })
}

/// The human who calls; agents and the admin socket are not notified.
fn human(caller: &Caller) -> Result<UserId> {
    match caller.actor() {
        Actor::User(user) => {
            caller.require_direct()?;
            Ok(user.id)
        }
        Actor::Agent(_) | Actor::Root => Err(Error::new(
            crate::error::ErrorKind::Forbidden,
            "human_required",
            "Only a human has notification settings: log in, or use a key of your own.",
        )),
    }
}
