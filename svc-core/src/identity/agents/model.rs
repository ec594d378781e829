//! Which agents a caller can reach.

use crate::ids::{AgentId, UserId};

/// The agents that a caller can access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All agents.
    All,
    /// The agents of one user.
    Of(UserId),
    /// A single agent.
    Only(AgentId),
}
