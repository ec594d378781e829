//! Conversations and their contents: messages, files, reactions, emoji, tasks, profiles and search.
//!
//! Depends on the store and identity modules.

pub(crate) mod attachments;
pub(crate) mod channels;
pub(crate) mod dead_letters;
pub(crate) mod emoji;
pub(crate) mod messages;
pub(crate) mod notifications;
pub(crate) mod pins;
pub(crate) mod profiles;
pub(crate) mod quotas;
pub(crate) mod reactions;
pub(crate) mod saved;
pub(crate) mod scheduled;
pub(crate) mod search;
pub(crate) mod tasks;
pub(crate) mod templates;
pub(crate) mod trust;
