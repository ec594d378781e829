//! The rows of the table for messages that are kept: pinned and saved ones.

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
];
