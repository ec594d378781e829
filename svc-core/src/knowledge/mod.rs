//! Knowledge: goals of owners and their agents, the wiki, and the documentation that the hub provides to agents.
//!
//! Depends on insight, automation, messaging and the modules below them.

pub(crate) mod goals;
pub(crate) mod onboarding;
pub(crate) mod secret_requests;
pub(crate) mod wiki;
