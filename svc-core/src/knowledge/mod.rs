//! What agents are told about the hub.
//!
//! Stands on messaging and below.

pub(crate) mod onboarding;
