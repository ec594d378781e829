//! Conversations and what is in them: messages, files, reactions, tasks, and finding them again.
//!
//! Stands on the store and on identity.

pub(crate) mod attachments;
pub(crate) mod channels;
pub(crate) mod dead_letters;
pub(crate) mod messages;
pub(crate) mod notifications;
pub(crate) mod quotas;
pub(crate) mod reactions;
pub(crate) mod search;
pub(crate) mod tasks;
pub(crate) mod trust;
