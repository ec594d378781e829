//! Automation: what the hub does by itself when something happens in conversations.

pub(crate) mod cluster;
pub(crate) mod governance;
pub(crate) mod harness;
mod occurrence;
pub(crate) mod runs;
pub(crate) mod webhooks;
