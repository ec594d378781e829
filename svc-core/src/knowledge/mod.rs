//! Documentation that the hub provides to agents.
//!
//! Depends on messaging and the modules below it.

pub(crate) mod onboarding;
