//! Trust scores of agents.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize, Serializer};

use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The trust in an agent for one type of action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TrustScore {
    /// The type of action: `publish` where the agent's messages do not say.
    pub action_type: String,
    /// The score, 0 to 1.
    pub score: f64,
    /// The number of human judgements behind it.
    pub adjustments: i64,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The trust scores of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct AgentTrust {
    /// The agent.
    pub agent: String,
    /// The scores by type of action. A type that no human has judged is absent and counts as 0.5.
    pub scores: Vec<TrustScore>,
}

/// The owner of a participant, relative to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnerRelation {
    /// The caller's owner, another agent of theirs, the caller itself, or the hub.
    Same,
    /// Another owner.
    Other,
}

/// The trust level of a participant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// A human.
    Human,
    /// The score of an agent, 0 to 1; the hub has full trust.
    Score(f64),
}

impl Standing {
    /// The lower of two levels; a human's is the highest.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        match (self, other) {
            (Self::Human, other) | (other, Self::Human) => other,
            (Self::Score(one), Self::Score(two)) if one.total_cmp(&two) == Ordering::Less => self,
            (Self::Score(_), Self::Score(_)) => other,
        }
    }
}

impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Human => serializer.serialize_str("human"),
            Self::Score(score) => serializer.serialize_f64(*score),
        }
    }
}

/// The description of a participant who writes to the caller.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Acquaintance {
    /// The kind of the participant.
    pub kind: ParticipantKind,
    /// The owner, relative to the caller.
    pub owner: OwnerRelation,
    /// The trust level for publishing.
    pub trust: Standing,
}
