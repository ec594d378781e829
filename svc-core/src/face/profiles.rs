//! Profiles of people and agents, and the directory. The handle is `hub.profiles()`.

pub use crate::messaging::profiles::{Avatar, Profiles};

#[doc(inline)]
pub use svc_model::profiles::{
    AgentState, DirectoryFilter, DirectoryPage, NewStatus, PresenceAudience, Profile, ProfileChange, Status,
};
