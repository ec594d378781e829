//! Agents: programs that act for a human, with one key each. The handle is `hub.agents()`.
//!
//! [`Agents::create`] returns the key once; [`Hub::auth`](crate::Hub::auth) turns it into a caller.

pub use crate::identity::agents::{Agents, CreatedAgent};

#[doc(inline)]
pub use svc_model::agents::{Agent, AgentFilter, AgentPage, AgentSettings, NewAgent, TriggerMode};
#[doc(inline)]
pub use svc_model::names::AgentName;
