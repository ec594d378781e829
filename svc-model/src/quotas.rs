//! How much somebody has used, and how much they may.

use serde::{Deserialize, Serialize};

use crate::span::Span;

/// What an owner with all their agents has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Usage {
    /// The files that they uploaded.
    pub files: FileUsage,
    /// The messages that they sent.
    pub messages: MessageUsage,
}

/// Files that are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct FileUsage {
    /// Bytes of the contents that they uploaded and that are still stored, each content once.
    pub used_bytes: u64,
    /// How many they may have; null is no limit.
    pub limit_bytes: Option<u64>,
}

/// Messages that were sent lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageUsage {
    /// How many were sent within the window, by full hours.
    pub used: u64,
    /// How many may be; null is no limit.
    pub limit: Option<u64>,
    /// The time up to now that counts: `24h`.
    pub window: Span,
}

/// What this process has refused because of a quota, since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuotaRefusals {
    /// Uploads.
    pub files: u64,
    /// Messages.
    pub messages: u64,
}
