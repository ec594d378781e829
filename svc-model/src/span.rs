//! The time spans of statistics and quotas.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A time span up to now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
pub enum Span {
    /// The last hour, in buckets of five minutes.
    #[serde(rename = "1h")]
    #[cfg_attr(feature = "openapi", oai(rename = "1h"))]
    Hour,
    /// The last four hours, in buckets of five minutes.
    #[serde(rename = "4h")]
    #[cfg_attr(feature = "openapi", oai(rename = "4h"))]
    FourHours,
    /// The last 24 hours, in buckets of an hour.
    #[serde(rename = "24h")]
    #[cfg_attr(feature = "openapi", oai(rename = "24h"))]
    Day,
    /// The last seven days, in buckets of a day.
    #[serde(rename = "7d")]
    #[cfg_attr(feature = "openapi", oai(rename = "7d"))]
    Week,
    /// The last thirty days, in buckets of a day.
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
    /// Parses a span as clients write it.
    pub fn parse(text: &str) -> Result<Self> {
        [Self::Hour, Self::FourHours, Self::Day, Self::Week, Self::Month]
            .into_iter()
            .find(|span| span.as_str() == text)
            .ok_or_else(|| Error::invalid("span", "must be 1h, 4h, 24h, 7d or 30d"))
    }
}
