//! Notifications: what is unread, how far a participant has read, and the settings of a human. The handle is `hub.notifications()`.

pub use crate::messaging::notifications::Notifications;

#[doc(inline)]
pub use svc_model::notifications::{
    AttentionLevel, ConversationLevel, KindChanges, Mark, Mention, MentionFilter, MentionPage, NotificationKind,
    NotificationKinds, NotificationSettings, Partner, QuietHours, QuietHoursChange, SettingsChange, Unread,
    UnreadTotals, waiting,
};
