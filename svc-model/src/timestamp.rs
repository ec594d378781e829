//! Timestamps: microseconds in the store, and one printed form everywhere.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::column::{Column, Kind, Mismatch, Value};
use crate::error::{Error, Result};

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
///
/// It prints as RFC 3339 in UTC with milliseconds, `2026-11-15T02:00:00.000Z`, on every surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The years 0001 to 9999, the range of the printed form.
const EARLIEST: i64 = -62_135_596_800_000_000;
const LATEST: i64 = 253_402_207_199_999_999;

impl Timestamp {
    /// Converts microseconds since the epoch, clamped to the printable years.
    pub fn from_micros(micros: i64) -> Self {
        Self(micros.clamp(EARLIEST, LATEST))
    }

    /// Microseconds since the epoch.
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// This time, later by `duration`.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self::from_micros(self.0.saturating_add(micros(duration)))
    }

    /// This time, earlier by `duration`.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self::from_micros(self.0.saturating_sub(micros(duration)))
    }

    /// The duration since `earlier`; zero when `earlier` is not before this time.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(moment: jiff::Timestamp) -> Self {
        Self::from_micros(moment.as_microsecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Milliseconds are truncated, not rounded: a printed time is never after the real one.
        let moment = jiff::Timestamp::from_millisecond(self.0.div_euclid(1000)).map_err(|_| fmt::Error)?;
        write!(formatter, "{moment:.3}")
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        text.parse::<jiff::Timestamp>()
            .map(Self::from)
            .map_err(|_| Error::invalid("timestamp", "must look like 2026-11-15T02:00:00.000Z"))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Column for Timestamp {
    const KIND: Kind = Kind::Integer;

    fn into_value(self) -> Value {
        Value::Integer(self.0)
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        i64::from_value(value).map(Self::from_micros)
    }
}

#[cfg(feature = "openapi")]
mod openapi {
    use std::borrow::Cow;

    use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
    use poem_openapi::types::{ParseError, ParseFromJSON, ParseFromParameter, ParseResult, ToJSON, Type};
    use serde_json::Value as Json;

    use super::Timestamp;

    impl Type for Timestamp {
        const IS_REQUIRED: bool = true;
        type RawValueType = Self;
        type RawElementValueType = Self;

        fn name() -> Cow<'static, str> {
            "string_date-time".into()
        }

        fn schema_ref() -> MetaSchemaRef {
            MetaSchemaRef::Inline(Box::new(MetaSchema {
                example: Some(Json::from("2026-11-15T02:00:00.000Z")),
                ..MetaSchema::new_with_format("string", "date-time")
            }))
        }

        fn as_raw_value(&self) -> Option<&Self> {
            Some(self)
        }

        fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
            Box::new(std::iter::once(self))
        }
    }

    impl ToJSON for Timestamp {
        fn to_json(&self) -> Option<Json> {
            Some(Json::String(self.to_string()))
        }
    }

    impl ParseFromJSON for Timestamp {
        fn parse_from_json(value: Option<Json>) -> ParseResult<Self> {
            match value.unwrap_or_default() {
                Json::String(text) => text.parse().map_err(ParseError::custom),
                other => Err(ParseError::expected_type(other)),
            }
        }
    }

    impl ParseFromParameter for Timestamp {
        fn parse_from_parameter(text: &str) -> ParseResult<Self> {
            text.parse().map_err(ParseError::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_utc_with_milliseconds() {
        let moment = Timestamp::from_micros(1_763_172_000_123_999);
        assert_eq!(moment.to_string(), "2025-11-15T02:00:00.123Z");
        assert_eq!(serde_json::to_string(&moment).unwrap(), "\"2025-11-15T02:00:00.123Z\"");
    }

    #[test]
    fn times_before_the_epoch_are_truncated_downwards() {
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn range_limits_print_and_parse() {
        for micros in [i64::MIN, i64::MAX] {
            let moment = Timestamp::from_micros(micros);
            let printed = moment.to_string();
            assert_eq!(printed.parse::<Timestamp>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn invalid_text_is_rejected() {
        for text in ["", "2026-02-30T00:00:00Z", "yesterday", "2026-11-15"] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }
}
