//! The spans of time that statistics and quotas are about.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The time up to now that a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
pub enum Span {
    /// The last hour, by five minutes.
    #[serde(rename = "1h")]
    #[cfg_attr(feature = "openapi", oai(rename = "1h"))]
    Hour,
    /// The last four hours, by five minutes.
    #[serde(rename = "4h")]
    #[cfg_attr(feature = "openapi", oai(rename = "4h"))]
    FourHours,
    /// The last 24 hours, by hour.
    #[serde(rename = "24h")]
    #[cfg_attr(feature = "openapi", oai(rename = "24h"))]
    Day,
    /// The last seven days, by day.
    #[serde(rename = "7d")]
    #[cfg_attr(feature = "openapi", oai(rename = "7d"))]
    Week,
    /// The last thirty days, by day.
    #[serde(rename = "30d")]
    #[cfg_attr(feature = "openapi", oai(rename = "30d"))]
    Month,
}

crate::text_enum! {
    Span {
        Hour => "1h",
        FourHours => "4h",
        Day => "24h",
        Week => "7d",
        Month => "30d",
    }
}

impl Span {
    /// Reads a span as callers write it.
    pub fn parse(text: &str) -> Result<Self> {
        [Self::Hour, Self::FourHours, Self::Day, Self::Week, Self::Month]
            .into_iter()
            .find(|span| span.as_str() == text)
            .ok_or_else(|| Error::invalid("span", "must be 1h, 4h, 24h, 7d or 30d"))
    }
}
