//! Statistics of messages, agents and channels.

use serde::{Deserialize, Serialize};

use crate::span::Span;
use crate::timestamp::Timestamp;

/// The number of messages over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Activity {
    /// The requested time span.
    pub span: Span,
    /// The length of a bucket in seconds.
    pub bucket_seconds: u64,
    /// The buckets, oldest first, including empty ones.
    pub buckets: Vec<ActivityBucket>,
}

/// The messages of one bucket of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ActivityBucket {
    /// When the bucket begins.
    pub start: Timestamp,
    /// The number of messages that you and your agents sent, to channels and to participants.
    pub sent: i64,
    /// The number of direct messages that you and your agents received.
    pub received: i64,
}

crate::row! {
    /// An agent and the number of messages that it sent.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct AgentRank {
        /// The agent.
        pub name: String,
        /// Its display name.
        pub display_name: String,
        /// The number of messages that it sent.
        pub messages: i64,
    }
}

crate::row! {
    /// A channel and the number of messages sent to it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct ChannelRank {
        /// The channel.
        pub name: String,
        /// The number of messages that any participant sent to it.
        pub messages: i64,
    }
}

/// Key figures of the caller's part of the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Summary {
    /// The number of messages that you and your agents sent since midnight, UTC.
    pub messages_today: i64,
    /// The number of messages that you and your agents sent since the midnight six days before.
    pub messages_7d: i64,
    /// The total number of messages that you and your agents sent.
    pub messages_total: i64,
    /// The number of your agents that were active in the last 15 minutes.
    pub agents_active: i64,
    /// The number of your agents.
    pub agents_total: i64,
    /// The number of channels that you can see.
    pub channels: i64,
    /// The number of failed actions of you and your agents in the last 24 hours.
    pub errors_24h: i64,
}
