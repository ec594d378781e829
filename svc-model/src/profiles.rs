//! Profiles of people and agents, and the directory of all of them.

use serde::{Deserialize, Serialize};

use crate::emoji::Emoji;
use crate::error::{Error, Result};
use crate::limits;
use crate::names::label;
use crate::object::object_or_none;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// Who may see when a person was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum PresenceAudience {
    /// All participants.
    Everyone,
    /// Nobody else.
    Nobody,
}

crate::text_enum! {
    PresenceAudience {
        Everyone => "everyone",
        Nobody => "nobody",
    }
}

/// Whether an agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum AgentState {
    /// It is neither paused nor quarantined.
    Active,
    /// It is paused.
    Paused,
    /// It is quarantined.
    Quarantined,
}

/// What somebody says about what they do at the moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Status {
    /// The text; it may be empty where there is an emoji.
    pub text: String,
    /// The emoji.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// When it ends; absent when it stays until it is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// The profile of a person or an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Profile {
    /// The handle.
    pub handle: String,
    /// The display name.
    pub display_name: String,
    /// `human` or `agent`.
    pub kind: ParticipantKind,
    /// For an agent, the handle of its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The path of the avatar, a picture of 128 by 128 pixels; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// When a person last used a login, or an agent a credential of its own, to the minute. Absent when that never
    /// happened, and for a person who shows it to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<Timestamp>,
    /// Who may see `last_seen_at`; only in the own profile of a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<PresenceAudience>,
    /// Whether an agent works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<AgentState>,
    /// The mean trust in an agent for `publish` and `approve`, 0 to 1; absent when no person has judged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<f64>,
}

/// A page of the directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct DirectoryPage {
    /// The profiles, by handle.
    pub profiles: Vec<Profile>,
    /// The cursor of the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The filter of the directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryFilter {
    /// Only participants whose handle or display name contains this, in any case.
    pub query: Option<String>,
    /// Only people, or only agents.
    pub kind: Option<ParticipantKind>,
    /// The cursor of the page before.
    pub cursor: Option<String>,
    /// The maximum number of profiles, 1 to 200; 50 when absent.
    pub limit: Option<i64>,
}

/// A new status. An empty one removes the status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewStatus {
    /// The text, one line of at most 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// An emoji.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// When it ends, in the future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

impl NewStatus {
    /// The status, without a value if it is empty.
    pub fn checked(&self, now: Timestamp) -> Result<Option<Status>> {
        let text = self.text.as_deref().unwrap_or_default().trim();
        let text = if text.is_empty() { String::new() } else { label("status.text", text, limits::STATUS_TEXT_MAX)? };
        let emoji = self.emoji.as_deref().filter(|emoji| !emoji.is_empty()).map(Emoji::parse).transpose();
        let emoji = emoji.map_err(|_| Error::invalid("status.emoji", "must be one emoji that the hub knows"))?;
        if self.until.is_some_and(|until| until <= now) {
            return Err(Error::invalid("status.until", "must be in the future"));
        }
        let is_empty = text.is_empty() && emoji.is_none();
        let status = Status { text, emoji: emoji.map(|emoji| emoji.to_string()), until: self.until };
        Ok((!is_empty).then_some(status))
    }
}

/// The request to change the own profile. A field that is absent stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ProfileChange {
    /// The new status as a whole; an empty object removes it.
    #[serde(default, deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub status: Option<NewStatus>,
    /// Who may see when the caller was last seen; for people only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<PresenceAudience>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str, emoji: Option<&str>, until: Option<i64>) -> Result<Option<Status>> {
        let until = until.map(Timestamp::from_micros);
        let new = NewStatus { text: Some(text.to_owned()), emoji: emoji.map(ToOwned::to_owned), until };
        new.checked(Timestamp::from_micros(100))
    }

    #[test]
    fn a_status_is_one_short_line_or_an_emoji_or_nothing() {
        let status = checked("  At lunch ", Some("🍕"), Some(200)).unwrap().unwrap();
        assert_eq!((status.text.as_str(), status.emoji.as_deref()), ("At lunch", Some("🍕")));
        assert_eq!(checked("", Some("🍕"), None).unwrap().unwrap().text, "");
        assert_eq!(checked(" ", Some(""), Some(200)).unwrap(), None);
        assert_eq!(NewStatus::default().checked(Timestamp::from_micros(0)).unwrap(), None);
        assert!(checked(&"é".repeat(limits::STATUS_TEXT_MAX), None, None).is_ok());
    }

    #[test]
    fn an_error_names_the_field() {
        for (refused, field) in [
            (checked(&"é".repeat(limits::STATUS_TEXT_MAX + 1), None, None), "status.text"),
            (checked("two\nlines", None, None), "status.text"),
            (checked("\u{8b}", None, None), "status.text"),
            (checked("turned \u{202e} around", None, None), "status.text"),
            (checked("", Some("x"), None), "status.emoji"),
            (checked("late", None, Some(100)), "status.until"),
        ] {
            assert_eq!(refused.unwrap_err().fields()[0].field, field);
        }
    }
}
