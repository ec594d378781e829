//! Automation: what the hub does by itself when something happens in conversations.

pub(crate) mod webhooks;
