//! Changing a channel: texts, visibility, workflow settings and owner.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::{Channel, ChannelUpdate};

use super::model::MILLION;
use super::service::Channels;
use super::store::{self, LockedChannel};
use super::{GENERAL, access, announce, members};
use crate::error::{Error, FieldError, Result};
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::idempotency::Once;
use crate::{limits, spans};

/// The texts of a channel.
pub(super) struct Texts {
    pub(super) description: Option<String>,
    pub(super) topic: Option<String>,
}

impl Texts {
    /// The trimmed texts; their errors are added to `faults`.
    pub(super) fn checked(self, faults: &mut Vec<FieldError>) -> Self {
        let sane = |text: &str, longest: usize, lines: bool| {
            let breaks = |character: char| character.is_control() && !(lines && "\n\r\t".contains(character));
            text.chars().count() <= longest && !text.contains(breaks)
        };
        let description = self.description.map(|text| text.trim().to_owned());
        let topic = self.topic.map(|text| text.trim().to_owned());
        for (field, text, longest, lines) in
            [("description", &description, limits::DESCRIPTION_MAX, true), ("topic", &topic, limits::TOPIC_MAX, false)]
        {
            if text.as_ref().is_some_and(|text| !sane(text, longest, lines)) {
                let message = format!("must have at most {longest} characters that can be printed");
                faults.push(FieldError { field: field.into(), message });
            }
        }
        Self { description, topic }
    }
}

/// A change whose fields pass every check that needs no store access.
pub(super) struct Change {
    pub(super) texts: Texts,
    pub(super) public: Option<bool>,
    pub(super) owner: Option<String>,
    pub(super) workflow_enabled: Option<bool>,
    pub(super) auto_approve: Option<bool>,
    pub(super) remind_after: Option<i64>,
    pub(super) escalate_after: Option<i64>,
    pub(super) publish_threshold: Option<i64>,
    pub(super) approve_threshold: Option<i64>,
}

impl Change {
    /// Checks all fields and reports every error at once.
    fn checked(update: ChannelUpdate) -> Result<Self> {
        let mut faults = Vec::new();
        let texts = Texts { description: update.description, topic: update.topic }.checked(&mut faults);
        let settings = update.settings;
        let change = Self {
            texts,
            public: update.public,
            owner: update.owner,
            workflow_enabled: settings.workflow_enabled,
            auto_approve: settings.auto_approve,
            remind_after: seconds("stalemate_remind_after", settings.stalemate_remind_after, &mut faults),
            escalate_after: seconds("stalemate_escalate_after", settings.stalemate_escalate_after, &mut faults),
            publish_threshold: millionths("publish_threshold", settings.publish_threshold, &mut faults),
            approve_threshold: millionths("approve_threshold", settings.approve_threshold, &mut faults),
        };
        if faults.is_empty() { Ok(change) } else { Err(Error::invalid_fields(faults)) }
    }
}

fn seconds(field: &str, text: Option<String>, faults: &mut Vec<FieldError>) -> Option<i64> {
    let text = text?;
    match spans::field_or_off(field, &text) {
        Ok(span) if span <= limits::STALEMATE_MAX => i64::try_from(span.as_secs()).ok(),
        Ok(_) => {
            let message = format!("must be at most {}", spans::print(limits::STALEMATE_MAX));
            faults.push(FieldError { field: field.into(), message });
            None
        }
        Err(error) => {
            faults.extend(error.fields().to_vec());
            None
        }
    }
}

fn millionths(field: &str, share: Option<f64>, faults: &mut Vec<FieldError>) -> Option<i64> {
    let share = share?;
    if !(0.0..=1.0).contains(&share) {
        faults.push(FieldError { field: field.into(), message: "must be 0 to 1".into() });
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is at most a million")]
    Some((share * MILLION).round() as i64)
}

#[boxed_futures]
impl Channels {
    /// Updates the given fields of a channel. Requires its owner.
    pub async fn update(&self, caller: &Caller, name: &str, update: ChannelUpdate) -> Result<Channel> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        let once = caller.idempotency("channels.update", &(&key, &update))?;
        let nothing = update == ChannelUpdate::default();
        let change = Change::checked(update)?;
        self.db
            .write_once(once, (caller.clone(), key, change, nothing), |tx, (caller, key, change, nothing)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    channel.require_owner(caller)?;
                    channel.require_open()?;
                    if !nothing {
                        apply(tx, caller, &channel, change).await?;
                    }
                    store::get(tx, &Viewer::of(caller), key).await
                })
            })
            .await
            .map(Once::into_value)
    }
}

async fn apply(tx: &mut Tx, caller: &Caller, channel: &LockedChannel, change: &Change) -> Result<()> {
    if channel.name == GENERAL && change.public == Some(false) {
        return Err(Error::conflict("general_channel", "The channel general must stay public."));
    }
    let owner = match &change.owner {
        None => None,
        Some(handle) => Some(new_owner(tx, channel, handle).await?),
    };
    store::update(tx, channel.id, change, owner).await?;
    let mut channel_ref = channel.channel_ref();
    channel_ref.public = change.public.unwrap_or(channel.public);
    announce::updated(tx, &channel_ref, announce::actor(caller)).await
}

async fn new_owner(tx: &mut Tx, channel: &LockedChannel, handle: &str) -> Result<ParticipantId> {
    let member = members::find(tx, channel.id, handle).await?;
    Ok(member.ok_or_else(|| Error::invalid("owner", "must be a member of the channel: invite the new owner first"))?.id)
}

#[cfg(test)]
mod tests {
    use svc_model::channels::ChannelSettings;

    use super::*;

    fn faults(update: ChannelUpdate) -> Vec<String> {
        let Err(error) = Change::checked(update) else { return Vec::new() };
        error.fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let settings = ChannelSettings {
            stalemate_remind_after: Some("soon".into()),
            stalemate_escalate_after: Some("366d".into()),
            publish_threshold: Some(1.01),
            approve_threshold: Some(f64::NAN),
            ..ChannelSettings::default()
        };
        let update = ChannelUpdate { topic: Some("two\nlines".into()), settings, ..ChannelUpdate::default() };
        let expected =
            ["topic", "stalemate_remind_after", "stalemate_escalate_after", "publish_threshold", "approve_threshold"];
        assert_eq!(faults(update), expected);
    }

    #[test]
    fn zero_turns_off_and_shares_are_kept_exactly() {
        let settings = ChannelSettings {
            stalemate_remind_after: Some("0".into()),
            stalemate_escalate_after: Some("3d".into()),
            publish_threshold: Some(0.7),
            approve_threshold: Some(1.0),
            ..ChannelSettings::default()
        };
        let change = Change::checked(ChannelUpdate { settings, ..ChannelUpdate::default() }).unwrap();
        assert_eq!((change.remind_after, change.escalate_after), (Some(0), Some(259_200)));
        assert_eq!((change.publish_threshold, change.approve_threshold), (Some(700_000), Some(1_000_000)));
    }

    #[test]
    fn a_description_may_have_lines_and_a_topic_may_not() {
        let text = |description: &str, topic: &str| ChannelUpdate {
            description: Some(description.into()),
            topic: Some(topic.into()),
            ..ChannelUpdate::default()
        };
        assert!(faults(text("two\nlines", "one line")).is_empty());
        assert_eq!(faults(text("a\0b", "a\tb")), ["description", "topic"]);
        let long = "ü".repeat(limits::TOPIC_MAX);
        assert!(faults(text("", &long)).is_empty());
        assert_eq!(faults(text("", &format!("{long}x"))), ["topic"]);
    }
}
