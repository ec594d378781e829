//! Conversion between Rust values and database columns, the same for both engines.
//!
//! A null value has the [`Kind`] of its column, because PostgreSQL requires every parameter to be typed.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The column types that the store uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 64-bit integers: ids, counts, microseconds.
    Integer,
    /// Floating-point numbers: scores.
    Real,
    /// Text, and enums as text.
    Text,
    /// Bytes: hashes, sealed secrets.
    Bytes,
    /// True or false; 0 or 1 on SQLite.
    Boolean,
    /// A JSON document: text on SQLite, `jsonb` on PostgreSQL.
    Json,
}

/// A value that is read from or written to the store.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A null for a column of this kind.
    Null(Kind),
    /// See [`Kind::Integer`].
    Integer(i64),
    /// See [`Kind::Real`].
    Real(f64),
    /// See [`Kind::Text`].
    Text(String),
    /// See [`Kind::Bytes`].
    Bytes(Vec<u8>),
    /// See [`Kind::Boolean`].
    Boolean(bool),
    /// See [`Kind::Json`]; the text is valid JSON.
    Json(String),
}

impl Value {
    /// The type of the column that it fits.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null(kind) => *kind,
            Self::Integer(_) => Kind::Integer,
            Self::Real(_) => Kind::Real,
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Boolean(_) => Kind::Boolean,
            Self::Json(_) => Kind::Json,
        }
    }
}

/// A value that does not fit the Rust type it was read into.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct Mismatch {
    /// The value that the Rust type expects.
    pub expected: &'static str,
    /// The value that the store returned.
    pub found: String,
}

impl Mismatch {
    /// A mismatch that describes `found` without printing its content.
    pub fn new(expected: &'static str, found: &Value) -> Self {
        let found = match found {
            Value::Null(_) => "null",
            Value::Integer(_) => "an integer",
            Value::Real(_) => "a real number",
            Value::Text(_) => "text",
            Value::Bytes(_) => "bytes",
            Value::Boolean(_) => "a boolean",
            Value::Json(_) => "JSON",
        };
        Self { expected, found: found.into() }
    }
}

/// A Rust type that is stored in a single column.
pub trait Column: Sized {
    /// The type of the column.
    const KIND: Kind;

    /// Converts to a database value.
    fn into_value(self) -> Value;

    /// Converts from a database value.
    fn from_value(value: Value) -> Result<Self, Mismatch>;
}

/// A value for a placeholder of a statement: every [`Column`], and borrowed text and bytes.
pub trait Bind {
    /// The value to bind.
    fn into_bound(self) -> Value;
}

impl<T: Column> Bind for T {
    fn into_bound(self) -> Value {
        self.into_value()
    }
}

impl Bind for &str {
    fn into_bound(self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl Bind for Option<&str> {
    fn into_bound(self) -> Value {
        self.map_or(Value::Null(Kind::Text), Bind::into_bound)
    }
}

impl Bind for &[u8] {
    fn into_bound(self) -> Value {
        Value::Bytes(self.to_vec())
    }
}

impl Bind for Value {
    fn into_bound(self) -> Value {
        self
    }
}

impl Bind for &RawValue {
    fn into_bound(self) -> Value {
        Value::Json(self.get().to_owned())
    }
}

impl<T: Column> Column for Option<T> {
    const KIND: Kind = T::KIND;

    fn into_value(self) -> Value {
        self.map_or(Value::Null(T::KIND), T::into_value)
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Null(_) => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

macro_rules! columns {
    ($($type:ty, $kind:ident, $expected:literal, $($pattern:pat => $result:expr),+;)*) => {$(
        impl Column for $type {
            const KIND: Kind = Kind::$kind;

            fn into_value(self) -> Value {
                Value::$kind(self)
            }

            fn from_value(value: Value) -> Result<Self, Mismatch> {
                match value {
                    $($pattern => Ok($result),)+
                    other => Err(Mismatch::new($expected, &other)),
                }
            }
        }
    )*};
}

columns! {
    i64, Integer, "an integer", Value::Integer(integer) => integer;
    f64, Real, "a real number", Value::Real(real) => real;
    String, Text, "text", Value::Text(text) => text;
    Vec<u8>, Bytes, "bytes", Value::Bytes(bytes) => bytes;
    bool, Boolean, "a boolean",
        Value::Boolean(boolean) => boolean,
        Value::Integer(0) => false,
        Value::Integer(1) => true;
}

impl Column for u32 {
    const KIND: Kind = Kind::Integer;

    fn into_value(self) -> Value {
        Value::Integer(self.into())
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let integer = i64::from_value(value)?;
        Self::try_from(integer)
            .map_err(|_| Mismatch { expected: "an integer from 0 to 4294967295", found: "one outside it".into() })
    }
}

impl Column for Box<RawValue> {
    const KIND: Kind = Kind::Json;

    fn into_value(self) -> Value {
        Value::Json(Box::<str>::from(self).into_string())
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Json(text) | Value::Text(text) => {
                RawValue::from_string(text).map_err(|error| Mismatch { expected: "JSON", found: error.to_string() })
            }
            other => Err(Mismatch::new("JSON", &other)),
        }
    }
}

impl Column for serde_json::Value {
    const KIND: Kind = Kind::Json;

    fn into_value(self) -> Value {
        Value::Json(self.to_string())
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        Json::from_value(value).map(|Json(value)| value)
    }
}

/// A Rust value that is stored as a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize + DeserializeOwned> Column for Json<T> {
    const KIND: Kind = Kind::Json;

    fn into_value(self) -> Value {
        Value::Json(serde_json::to_string(&self.0).expect("lists and maps of text can be written as JSON"))
    }

    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Json(text) | Value::Text(text) => serde_json::from_str(&text)
                .map(Self)
                .map_err(|_| Mismatch { expected: "a document of this form", found: "another".into() }),
            other => Err(Mismatch::new("JSON", &other)),
        }
    }
}

/// Defines the stored and printed words of an enum: `text_enum! { State { Active => "active", … } }`.
#[macro_export]
macro_rules! text_enum {
    ($type:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// The word of this value in the store and on every surface.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl $crate::column::Column for $type {
            const KIND: $crate::column::Kind = $crate::column::Kind::Text;

            fn into_value(self) -> $crate::column::Value {
                $crate::column::Value::Text(self.as_str().to_owned())
            }

            fn from_value(value: $crate::column::Value) -> Result<Self, $crate::column::Mismatch> {
                match String::from_value(value)?.as_str() {
                    $($word => Ok(Self::$variant),)+
                    other => Err($crate::column::Mismatch {
                        expected: concat!("one of", $(" ", $word),+),
                        found: if other.is_empty() { "nothing".into() } else { "another word".into() },
                    }),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;

    #[test]
    fn nulls_carry_their_column_kind() {
        assert_eq!(None::<i64>.into_value(), Value::Null(Kind::Integer));
        assert_eq!(None::<&str>.into_bound(), Value::Null(Kind::Text));
    }

    #[test]
    fn enums_are_stored_as_words() {
        assert_eq!(Surface::Rest.into_value(), Value::Text("rest".into()));
        assert_eq!(Surface::from_value(Value::Text("hub".into())).unwrap(), Surface::Hub);
        assert!(Surface::from_value(Value::Text("mysql".into())).is_err());
    }

    #[test]
    fn a_mismatch_does_not_print_the_value() {
        let mismatch = i64::from_value(Value::Text("hunter2".into())).unwrap_err();
        assert!(!mismatch.to_string().contains("hunter2"));
    }
}
