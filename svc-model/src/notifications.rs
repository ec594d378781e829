//! Unread messages, read cursors, and the settings of notifications.

use serde::{Deserialize, Deserializer, Serialize};

use crate::conversations::{ConversationKind, LastMessage};
use crate::ids::MessageId;
use crate::object::object_or_none;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The number of unread messages in a channel or with a partner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Unread {
    /// The kind of conversation: channel or direct messages.
    pub kind: ConversationKind,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The number of unread messages of others.
    pub unread: i64,
    /// The number of unread messages in a channel that mention the caller; 0 for direct messages.
    pub mentions: i64,
    /// For an agent, the number of unread direct messages that only notify of a mention in a channel of which it is a
    /// member: the channel counts those too. 0 for a channel and for a person, whose mentions are no direct messages.
    pub mention_copies: i64,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The last message that the caller has read.
    pub last_read_message_id: Option<MessageId>,
    /// The messages that the caller is told of. With `nothing` the conversation is muted: a client shows no count.
    #[serde(default)]
    pub level: AttentionLevel,
}

impl Unread {
    /// How much of it waits for the reader: see [`waiting`].
    pub fn waiting(&self) -> i64 {
        waiting(self.kind, self.level, self.unread - self.mention_copies, self.mentions)
    }
}

/// How much of a conversation waits for a person: unread direct messages, or unread mentions in a channel; nothing of a
/// muted one. `unread` is without copies of mentions. Every count that a person sees from afar is a sum of these.
pub fn waiting(kind: ConversationKind, level: AttentionLevel, unread: i64, mentions: i64) -> i64 {
    match (level, kind) {
        (AttentionLevel::Nothing, _) => 0,
        (_, ConversationKind::Channel) => mentions,
        (_, ConversationKind::Dm) => unread.max(0),
    }
}

/// What is unread in all conversations together, without muted ones. Each message counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct UnreadTotals {
    /// The number of unread direct messages.
    pub direct: i64,
    /// The number of unread mentions.
    pub mentions: i64,
    /// Both together: what waits for the reader.
    pub total: i64,
}

impl UnreadTotals {
    /// The totals of these conversations.
    pub fn of(all: &[Unread]) -> Self {
        let sum = |kind: ConversationKind| -> i64 {
            all.iter().filter(|place| place.kind == kind).map(Unread::waiting).sum()
        };
        let (direct, mentions) = (sum(ConversationKind::Dm), sum(ConversationKind::Channel));
        Self { direct, mentions, total: direct + mentions }
    }
}

/// A message in a channel that mentions the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Mention {
    /// The message with the mention.
    pub message_id: MessageId,
    /// The name of its channel.
    pub channel: String,
    /// The handle of its author.
    pub from: String,
    /// The kind of its author.
    pub from_kind: ParticipantKind,
    /// The beginning of its text, at most 1,000 characters; a longer text ends with an ellipsis.
    pub text: String,
    /// When it was sent.
    pub created_at: Timestamp,
    /// Whether the caller has not read it yet. A mention in an archived channel is never unread.
    pub unread: bool,
}

/// A page of mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MentionPage {
    /// The mentions, newest first.
    pub mentions: Vec<Mention>,
    /// Whether there are older ones.
    pub has_more: bool,
}

/// The mentions to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MentionFilter {
    /// Only mentions in messages before this one.
    pub before: Option<MessageId>,
    /// Only unread ones.
    pub unread: bool,
    /// Page size.
    pub limit: Option<i64>,
}

/// The messages of a conversation that a user is told of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum AttentionLevel {
    /// Every message; the default for direct messages.
    All,
    /// Messages that mention the user; the default for channels.
    #[default]
    Mentions,
    /// None: the conversation is muted.
    Nothing,
}

crate::text_enum! { AttentionLevel { All => "all", Mentions => "mentions", Nothing => "nothing" } }

impl AttentionLevel {
    /// The level of a conversation for which the user has set none.
    pub fn default_of(kind: ConversationKind) -> Self {
        match kind {
            ConversationKind::Channel => Self::Mentions,
            ConversationKind::Dm => Self::All,
        }
    }
}

/// The occasions of which users are told by push messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// A direct message.
    DirectMessage,
    /// A mention in a channel.
    Mention,
    /// A message in a channel whose level is `all`.
    ChannelMessage,
    /// A decision that waits for the user.
    Approval,
    /// A failed run of an agent of the user.
    FailedRun,
    /// A budget that is nearly or wholly used.
    Budget,
    /// An agent in quarantine.
    Quarantine,
    /// A webhook that was disabled because of failures.
    WebhookDisabled,
}

crate::text_enum! { NotificationKind {
    DirectMessage => "direct_message", Mention => "mention", ChannelMessage => "channel_message",
    Approval => "approval", FailedRun => "failed_run", Budget => "budget", Quarantine => "quarantine",
    WebhookDisabled => "webhook_disabled"
} }

/// The kinds of notifications that are on.
#[expect(clippy::struct_excessive_bools, reason = "each kind is turned on or off by itself")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct NotificationKinds {
    /// Direct messages.
    pub direct_message: bool,
    /// Mentions in channels.
    pub mention: bool,
    /// Messages in channels whose level is `all`.
    pub channel_message: bool,
    /// Decisions that wait for the user.
    pub approval: bool,
    /// Failed runs of the user's agents.
    pub failed_run: bool,
    /// Budgets that are nearly or wholly used.
    pub budget: bool,
    /// Agents in quarantine.
    pub quarantine: bool,
    /// Webhooks that were disabled because of failures.
    pub webhook_disabled: bool,
}

impl Default for NotificationKinds {
    fn default() -> Self {
        Self {
            direct_message: true,
            mention: true,
            channel_message: true,
            approval: true,
            failed_run: true,
            budget: true,
            quarantine: true,
            webhook_disabled: true,
        }
    }
}

impl NotificationKinds {
    /// Whether this kind is on.
    pub fn is_on(&self, kind: NotificationKind) -> bool {
        match kind {
            NotificationKind::DirectMessage => self.direct_message,
            NotificationKind::Mention => self.mention,
            NotificationKind::ChannelMessage => self.channel_message,
            NotificationKind::Approval => self.approval,
            NotificationKind::FailedRun => self.failed_run,
            NotificationKind::Budget => self.budget,
            NotificationKind::Quarantine => self.quarantine,
            NotificationKind::WebhookDisabled => self.webhook_disabled,
        }
    }
}

/// The time of a day in which nothing is pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// The beginning, such as `22:00`.
    pub start: String,
    /// The end, such as `07:00`; if it is before the beginning, the quiet hours pass midnight.
    pub end: String,
    /// The time zone in which both are, such as `Europe/Berlin`.
    pub time_zone: String,
}

/// The level of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct ConversationLevel {
    /// The kind of conversation: channel or direct messages.
    pub kind: ConversationKind,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The messages that the user is told of.
    pub level: AttentionLevel,
}

/// The notification settings of a user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct NotificationSettings {
    /// The kinds that are pushed.
    pub kinds: NotificationKinds,
    /// The time in which nothing is pushed.
    pub quiet_hours: Option<QuietHours>,
    /// The conversations whose level is not the default.
    pub conversations: Vec<ConversationLevel>,
}

/// A change of some kinds. Absent ones stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields, default)]
pub struct KindChanges {
    /// Direct messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct_message: Option<bool>,
    /// Mentions in channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mention: Option<bool>,
    /// Messages in channels whose level is `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel_message: Option<bool>,
    /// Decisions that wait for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<bool>,
    /// Failed runs of the user's agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_run: Option<bool>,
    /// Budgets that are nearly or wholly used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<bool>,
    /// Agents in quarantine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<bool>,
    /// Webhooks that were disabled because of failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_disabled: Option<bool>,
}

impl KindChanges {
    /// Applies the changes.
    pub fn apply(&self, kinds: &mut NotificationKinds) {
        for (value, change) in [
            (&mut kinds.direct_message, self.direct_message),
            (&mut kinds.mention, self.mention),
            (&mut kinds.channel_message, self.channel_message),
            (&mut kinds.approval, self.approval),
            (&mut kinds.failed_run, self.failed_run),
            (&mut kinds.budget, self.budget),
            (&mut kinds.quarantine, self.quarantine),
            (&mut kinds.webhook_disabled, self.webhook_disabled),
        ] {
            *value = change.unwrap_or(*value);
        }
    }
}

/// A participant with whom the caller exchanged direct messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Partner {
    /// Its handle.
    pub name: String,
    /// Its display name.
    pub display_name: String,
    /// Its kind.
    pub kind: ParticipantKind,
    /// The beginning of the newest message, at most 120 characters on one line.
    pub preview: String,
    /// The newest message.
    pub last_message_id: MessageId,
    /// When the newest message was sent.
    pub last_message_at: Timestamp,
    /// The newest unread message of this partner, while there is one.
    #[serde(default)]
    pub last_unread: Option<LastMessage>,
    /// The number of unread messages of this partner.
    pub unread: i64,
    /// For an agent, the number of unread messages that only notify of a mention in a channel of which it is a member:
    /// the channel counts those too. 0 for a person.
    pub mention_copies: i64,
}

/// The request to mark a conversation as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The kind of conversation: channel or direct messages.
    pub kind: ConversationKind,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The last message that was read; everything up to now when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_message_id: Option<MessageId>,
}

/// A change of the notification settings. Absent parts stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields, default)]
pub struct SettingsChange {
    /// The kinds to turn on or off.
    #[serde(deserialize_with = "object_or_none", skip_serializing_if = "Option::is_none")]
    pub kinds: Option<KindChanges>,
    /// The time in which nothing is pushed. `null` or an empty object removes it.
    #[serde(deserialize_with = "null_is_empty", skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<QuietHoursChange>,
    /// Levels of conversations, at most 100. The default level removes an entry; other conversations stay as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversations: Option<Vec<ConversationLevel>>,
}

/// New quiet hours: all three fields, or none to remove them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields, default)]
pub struct QuietHoursChange {
    /// The beginning, such as `22:00`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The end, such as `07:00`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The time zone, such as `Europe/Berlin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Reads a field that is there; `null` is an empty object.
fn null_is_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<QuietHoursChange>, D::Error> {
    object_or_none(deserializer).map(|change: Option<QuietHoursChange>| Some(change.unwrap_or_default()))
}
