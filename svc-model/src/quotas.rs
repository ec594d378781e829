//! Quotas and their usage.

use serde::{Deserialize, Serialize};

use crate::governance::RunUsage;
use crate::span::Span;

/// The usage of an owner with all their agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Usage {
    /// Usage of the storage quota.
    pub files: FileUsage,
    /// Usage of the message quota.
    pub messages: MessageUsage,
    /// What the runs of agents cost; only when it is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<RunUsage>,
}

/// Usage of the storage quota.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct FileUsage {
    /// The size in bytes of their stored uploads, each content once.
    pub used_bytes: u64,
    /// The maximum size in bytes; `null` is unlimited.
    pub limit_bytes: Option<u64>,
}

/// Usage of the message quota.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageUsage {
    /// The number of messages sent within the window, in full hours.
    pub used: u64,
    /// The maximum number of messages; `null` is unlimited.
    pub limit: Option<u64>,
    /// The time window up to now: `24h`.
    pub window: Span,
}

/// Requests of this process that were rejected because of a quota, since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuotaRefusals {
    /// Rejected uploads.
    pub files: u64,
    /// Rejected messages.
    pub messages: u64,
}
