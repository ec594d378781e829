//! Which agents a caller can reach.

use crate::ids::{AgentId, UserId};

/// Whose agents a caller reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Everybody's.
    All,
    /// One human's.
    Of(UserId),
    /// One agent itself.
    Only(AgentId),
}
