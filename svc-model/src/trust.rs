//! What trust looks like from outside.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize, Serializer};

use crate::participants::ParticipantKind;
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

/// Whose somebody is, seen from a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnerRelation {
    /// The caller's owner, another agent of theirs, the caller itself, or the hub.
    Same,
    /// Somebody else.
    Other,
}

/// How far somebody is trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// A person.
    Human,
    /// An agent, or the hub, which is trusted fully: 0 to 1.
    Score(f64),
}

impl Standing {
    /// The lesser of two, of which a person's is the greatest.
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

/// What a caller is told about somebody who speaks to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Acquaintance {
    /// What they are.
    pub kind: ParticipantKind,
    /// Whose they are.
    pub owner: OwnerRelation,
    /// How far they are trusted to publish.
    pub trust: Standing,
}
