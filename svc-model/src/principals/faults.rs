//! Faults of a registry document: every one at once, each with the JSON pointer to its place.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// What kind of fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum FaultCode {
    /// The document is larger than any registry may be; nothing else was looked at.
    TooLarge,
    /// It begins with a byte order mark.
    ByteOrderMark,
    /// It is not UTF-8.
    NotUtf8,
    /// It is not JSON.
    NotJson,
    /// It is nested deeper than is looked at.
    TooDeep,
    /// A property stands twice in one object.
    DuplicateProperty,
    /// A value has the wrong type.
    WrongType,
    /// A property that is required is not there.
    MissingProperty,
    /// A property that there is not.
    UnknownProperty,
    /// The version is not the one that is read.
    WrongVersion,
    /// A word that is none of those allowed.
    UnknownWord,
    /// A text that does not have its form.
    WrongForm,
    /// A list with too few items.
    TooFew,
    /// A list with too many items.
    TooMany,
    /// A list in which an item stands twice.
    RepeatedItem,
    /// A principal that stands twice.
    DuplicatePrincipal,
    /// A key id that stands twice in the registry.
    DuplicateKid,
    /// A public key that is not the one way in which these bytes, or this point, are written.
    NonCanonicalKey,
    /// A public key that is not a point of the curve.
    NotAPoint,
    /// A public key of small order, for which anybody can make signatures.
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
    /// Whether the published schema refuses such a document too. It says nothing about what is no JSON
    /// value, and the rest is what a schema cannot say.
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

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Fault {
    /// Where, as a JSON pointer (RFC 6901); empty for the whole document.
    pub pointer: String,
    /// What kind of fault it is.
    pub code: FaultCode,
    /// What it has to be instead.
    pub message: String,
}

/// Everything that is wrong with a document, in the order of the document, as far as it is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The first of them.
    pub faults: Vec<Fault>,
    /// How many more there are.
    pub more: usize,
    /// Whether the published schema refuses the document too.
    pub schema: bool,
}

impl Faults {
    /// One fault of the whole document.
    pub fn whole(code: FaultCode, message: impl Into<String>) -> Self {
        let mut faults = Self::default();
        faults.add("", code, message);
        faults
    }

    /// One more fault, at a JSON pointer.
    pub fn add(&mut self, pointer: impl fmt::Display, code: FaultCode, message: impl Into<String>) {
        self.schema |= code.is_of_schema();
        if self.faults.len() < limits::REGISTRY_FAULTS_MAX {
            self.faults.push(Fault { pointer: pointer.to_string(), code, message: message.into() });
        } else {
            self.more += 1;
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many there are, listed or not.
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
