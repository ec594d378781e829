//! The rows of emoji, profiles, the directory and mentions; see [`table`](super::table).

use super::table::{Asker, Names, Needs};

/// As in [`TABLE`](super::table::TABLE).
type Row = (&'static str, &'static str, Needs, Names, u16);
/// As in [`EXCEPTIONS`](super::table::EXCEPTIONS).
type Exception = (&'static str, &'static str, Asker, u16, &'static str);

pub(super) const TABLE: &[Row] = &[
    ("GET", "/api/notifications/totals", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/mentions", Needs::Read, Names::Nothing, 200),
    ("PUT", "/api/agents/{name}/avatar", Needs::Manage, Names::Owned, 200),
    ("DELETE", "/api/agents/{name}/avatar", Needs::Manage, Names::Owned, 200),
    ("GET", "/api/directory", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/profiles/{handle}", Needs::Read, Names::Nothing, 200),
    ("PATCH", "/api/profile", Needs::Write, Names::Nothing, 200),
    ("PUT", "/api/profile/avatar", Needs::Write, Names::Nothing, 200),
    ("DELETE", "/api/profile/avatar", Needs::Write, Names::Nothing, 200),
    // The hash is that of a file of a message.
    ("GET", "/api/avatars/{hash}", Needs::Read, Names::Nothing, 404),
    ("PUT", "/api/messages/{id}/emoji/{emoji}", Needs::Write, Names::Owned, 200),
    ("DELETE", "/api/messages/{id}/emoji/{emoji}", Needs::Write, Names::Owned, 200),
];

/// None of these is open to a key that is limited to channels, nor is a direct message.
pub(super) const EXCEPTIONS: &[Exception] = &[
    ("POST", "/api/messages/{id}/claim", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/messages/{id}/claim", Asker::OwnAgent, 403, "not_addressee"),
    ("GET", "/api/directory", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/profiles/{handle}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PATCH", "/api/profile", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/profile/avatar", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/profile/avatar", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/avatars/{hash}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PUT", "/api/messages/{id}/emoji/{emoji}", Asker::ChannelLimitedKey, 404, "not_found"),
    ("DELETE", "/api/messages/{id}/emoji/{emoji}", Asker::ChannelLimitedKey, 404, "not_found"),
];
