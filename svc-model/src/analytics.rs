//! What analytics answers.

use serde::{Deserialize, Serialize};

use crate::span::Span;
use crate::timestamp::Timestamp;

/// Messages over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Activity {
    /// The time that was asked for.
    pub span: Span,
    /// How long a bucket is.
    pub bucket_seconds: u64,
    /// The buckets, oldest first, those in which nothing happened too.
    pub buckets: Vec<ActivityBucket>,
}

/// The messages of one bucket of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ActivityBucket {
    /// When it begins.
    pub start: Timestamp,
    /// Messages that you and your agents sent, to channels and to others.
    pub sent: i64,
    /// Direct messages that you and your agents got.
    pub received: i64,
}

crate::row! {
    /// An agent and what it sent.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct AgentRank {
        /// The agent.
        pub name: String,
        /// Its name for people to read.
        pub display_name: String,
        /// How many messages it sent.
        pub messages: i64,
    }
}

crate::row! {
    /// A channel and what was sent to it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct ChannelRank {
        /// The channel.
        pub name: String,
        /// How many messages were sent to it, by anybody.
        pub messages: i64,
    }
}

/// How things are, in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Summary {
    /// Messages that you and your agents sent since midnight, UTC.
    pub messages_today: i64,
    /// The same since the midnight six days before.
    pub messages_7d: i64,
    /// The same since ever.
    pub messages_total: i64,
    /// Your agents that did something in the last 15 minutes.
    pub agents_active: i64,
    /// Your agents.
    pub agents_total: i64,
    /// Channels that you can see.
    pub channels: i64,
    /// What you and your agents did in the last 24 hours and failed at.
    pub errors_24h: i64,
}
