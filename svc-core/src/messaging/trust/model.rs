//! What trust looks like from outside.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// The trust in an agent for one kind of action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TrustScore {
    /// What the agent does: `publish` where its messages do not say.
    pub action_type: String,
    /// 0 to 1.
    pub score: f64,
    /// How many judgements of humans stand behind it.
    pub adjustments: i64,
    /// When it last moved.
    pub updated_at: Timestamp,
}

/// The trust in an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct AgentTrust {
    /// The agent.
    pub agent: String,
    /// By the kind of action; none where nobody has judged it, which counts as 0.5.
    pub scores: Vec<TrustScore>,
}
