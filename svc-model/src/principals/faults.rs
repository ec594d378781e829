//! Faults of a registry document: all of them at once, each with a JSON pointer.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultCode {
    /// The document is too large; nothing else was checked.
    TooLarge,
    /// It begins with a byte order mark.
    ByteOrderMark,
    /// It is not UTF-8.
    NotUtf8,
    /// It is not JSON.
    NotJson,
    /// It is nested too deeply.
    TooDeep,
    /// An object repeats a property.
    DuplicateProperty,
    /// A value has the wrong type.
    WrongType,
    /// A required property is missing.
    MissingProperty,
    /// A property is unknown.
    UnknownProperty,
    /// The version is not supported.
    WrongVersion,
    /// A word is none of the allowed ones.
    UnknownWord,
    /// A text does not match its format.
    WrongForm,
    /// A list has too few items.
    TooFew,
    /// A list has too many items.
    TooMany,
    /// A list repeats an item.
    RepeatedItem,
    /// A principal is listed twice.
    DuplicatePrincipal,
    /// A key id is used twice in the registry.
    DuplicateKid,
    /// A public key is not in the canonical encoding of its bytes or of its point.
    NonCanonicalKey,
    /// A public key is not a point of the curve.
    NotAPoint,
    /// A public key has a small order, so that anybody can make signatures for it.
    WeakKey,
}

crate::text_enum! {
    FaultCode {
        TooLarge => "too_large",
        ByteOrderMark => "byte_order_mark",
        NotUtf8 => "not_utf8",
        NotJson => "not_json",
        TooDeep => "too_deep",
        DuplicateProperty => "duplicate_property",
        WrongType => "wrong_type",
        MissingProperty => "missing_property",
        UnknownProperty => "unknown_property",
        WrongVersion => "wrong_version",
        UnknownWord => "unknown_word",
        WrongForm => "wrong_form",
        TooFew => "too_few",
        TooMany => "too_many",
        RepeatedItem => "repeated_item",
        DuplicatePrincipal => "duplicate_principal",
        DuplicateKid => "duplicate_kid",
        NonCanonicalKey => "non_canonical_key",
        NotAPoint => "not_a_point",
        WeakKey => "weak_key",
    }
}

impl FaultCode {
    /// Whether the published schema rejects such a document too. The schema says nothing about texts that are
    /// not JSON, and it cannot express the other rules.
    pub fn is_of_schema(self) -> bool {
        use FaultCode as Code;
        matches!(
            self,
            Code::WrongType
                | Code::MissingProperty
                | Code::UnknownProperty
                | Code::WrongVersion
                | Code::UnknownWord
                | Code::WrongForm
                | Code::TooFew
                | Code::TooMany
                | Code::RepeatedItem
        )
    }
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Fault {
    /// Its location as a JSON pointer (RFC 6901); empty for the whole document.
    pub pointer: String,
    /// The kind of the fault.
    pub code: FaultCode,
    /// The rule that the value breaks.
    pub message: String,
}

/// The faults of a document, in the order of the document, up to a limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The listed faults.
    pub faults: Vec<Fault>,
    /// The number of faults that are not listed.
    pub more: usize,
    /// Whether the published schema rejects the document too.
    pub schema: bool,
}

impl Faults {
    /// A single fault of the whole document.
    pub fn whole(code: FaultCode, message: impl Into<String>) -> Self {
        let mut faults = Self::default();
        faults.add("", code, message);
        faults
    }

    /// Adds a fault at a JSON pointer.
    pub fn add(&mut self, pointer: impl fmt::Display, code: FaultCode, message: impl Into<String>) {
        self.schema |= code.is_of_schema();
        if self.faults.len() < limits::REGISTRY_FAULTS_MAX {
            self.faults.push(Fault { pointer: pointer.to_string(), code, message: message.into() });
        } else {
            self.more += 1;
        }
    }

    /// Whether there is no fault.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The total number of faults, listed or not.
    pub fn total(&self) -> usize {
        self.faults.len() + self.more
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.faults.first() else {
            return formatter.write_str("The registry has no fault.");
        };
        let place = if first.pointer.is_empty() { "the document" } else { &first.pointer };
        match self.total() {
            1 => write!(formatter, "The registry has a fault: {place} {}.", first.message),
            total => write!(formatter, "The registry has {total} faults, the first: {place} {}.", first.message),
        }
    }
}

impl std::error::Error for Faults {}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        Error::new(ErrorKind::Invalid, "registry_invalid", format!("{faults} Nothing was changed."))
            .with_detail("faults", json!(faults.faults))
            .with_detail("more_faults", faults.more)
    }
}
