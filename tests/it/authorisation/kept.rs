//! The rows of the table for messages that are kept: pinned, saved and scheduled ones, and templates.

use super::table::{Asker, Names, Needs};

/// The routes.
pub(super) const TABLE: &[(&str, &str, Needs, Names, u16)] = &[
    ("PUT", "/api/messages/{id}/pin", Needs::Write, Names::Owned, 200),
    ("DELETE", "/api/messages/{id}/pin", Needs::Write, Names::Owned, 204),
    ("GET", "/api/pins", Needs::Read, Names::Nothing, 200),
    ("PUT", "/api/messages/{id}/saved", Needs::Write, Names::Owned, 200),
    // Everybody removes from what they have saved themselves.
    ("DELETE", "/api/messages/{id}/saved", Needs::Write, Names::Nothing, 204),
    ("GET", "/api/saved", Needs::Read, Names::Nothing, 200),
    ("GET", "/api/scheduled-messages", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/scheduled-messages", Needs::Write, Names::Nothing, 201),
    ("GET", "/api/scheduled-messages/{id}", Needs::Read, Names::Owned, 200),
    // An agent of the owner wrote it: the owner may delete it, and the agent alone may change and send it.
    ("PATCH", "/api/scheduled-messages/{id}", Needs::Write, Names::Owned, 403),
    ("POST", "/api/scheduled-messages/{id}/send", Needs::Write, Names::Owned, 403),
    // The owner's agent has deleted it by then.
    ("DELETE", "/api/scheduled-messages/{id}", Needs::Write, Names::Owned, 404),
    ("GET", "/api/message-templates", Needs::Read, Names::Nothing, 200),
    ("POST", "/api/message-templates", Needs::Write, Names::Nothing, 201),
    ("PATCH", "/api/message-templates/{id}", Needs::Write, Names::Owned, 200),
    ("DELETE", "/api/message-templates/{id}", Needs::Write, Names::Owned, 204),
];

/// Where somebody is answered otherwise than the general rule says.
pub(super) const EXCEPTIONS: &[(&str, &str, Asker, u16, &str)] = &[
    ("PUT", "/api/messages/{id}/pin", Asker::ChannelLimitedKey, 404, "not_found"),
    ("DELETE", "/api/messages/{id}/pin", Asker::ChannelLimitedKey, 404, "not_found"),
    ("PUT", "/api/messages/{id}/saved", Asker::ChannelLimitedKey, 404, "not_found"),
    // Only humans save messages.
    ("PUT", "/api/messages/{id}/saved", Asker::OwnAgent, 403, "human_required"),
    ("PUT", "/api/messages/{id}/saved", Asker::OtherAgent, 403, "human_required"),
    ("DELETE", "/api/messages/{id}/saved", Asker::OwnAgent, 403, "human_required"),
    ("DELETE", "/api/messages/{id}/saved", Asker::OtherAgent, 403, "human_required"),
    ("GET", "/api/saved", Asker::OwnAgent, 403, "human_required"),
    ("GET", "/api/saved", Asker::OtherAgent, 403, "human_required"),
    ("PATCH", "/api/scheduled-messages/{id}", Asker::OwnAgent, 200, ""),
    ("POST", "/api/scheduled-messages/{id}/send", Asker::OwnAgent, 200, ""),
    ("DELETE", "/api/scheduled-messages/{id}", Asker::OwnAgent, 204, ""),
    // What is sent later may be a direct message.
    ("GET", "/api/scheduled-messages", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/scheduled-messages", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("GET", "/api/scheduled-messages/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PATCH", "/api/scheduled-messages/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/scheduled-messages/{id}/send", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/scheduled-messages/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    // Only humans have templates.
    ("GET", "/api/message-templates", Asker::OwnAgent, 403, "human_required"),
    ("GET", "/api/message-templates", Asker::OtherAgent, 403, "human_required"),
    ("POST", "/api/message-templates", Asker::OwnAgent, 403, "human_required"),
    ("POST", "/api/message-templates", Asker::OtherAgent, 403, "human_required"),
    ("PATCH", "/api/message-templates/{id}", Asker::OwnAgent, 403, "human_required"),
    ("PATCH", "/api/message-templates/{id}", Asker::OtherAgent, 403, "human_required"),
    ("DELETE", "/api/message-templates/{id}", Asker::OwnAgent, 403, "human_required"),
    ("DELETE", "/api/message-templates/{id}", Asker::OtherAgent, 403, "human_required"),
    // What they say may be of other channels.
    ("GET", "/api/message-templates", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("POST", "/api/message-templates", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("PATCH", "/api/message-templates/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
    ("DELETE", "/api/message-templates/{id}", Asker::ChannelLimitedKey, 403, "channel_not_allowed"),
];
