//! Strict parsing of header fields.

use std::collections::HashSet;
use std::convert::Infallible;

use http::{HeaderMap, HeaderValue};
use sfv::visitor::{DictionaryVisitor, EntryVisitor, InnerListVisitor, ItemVisitor, ParameterVisitor};
use sfv::{BareItemFromInput, Dictionary, KeyRef, Parser};

use svc_model::signature::field_value;

use crate::limits;

/// Whether a field exceeds the limit: anybody may send it, so parsing it must be cheap.
pub(super) fn is_too_long(headers: &HeaderMap, name: &str) -> bool {
    headers.get_all(name).iter().map(HeaderValue::len).sum::<usize>() > limits::SIGNATURE_FIELD_MAX
}

/// Parses a dictionary field; `None` if it is malformed, too long, or repeats a member or a parameter. The
/// standard lets the last one count, but an intermediary may have taken the first.
pub(super) fn dictionary(headers: &HeaderMap, name: &str) -> Option<Dictionary> {
    if is_too_long(headers, name) {
        return None;
    }
    let text = field_value(headers, name)?;
    let distinct = Parser::new(&text).parse_dictionary_with_visitor(Names::default()).ok()?;
    if distinct { Parser::new(&text).parse_dictionary().ok() } else { None }
}

/// Checks that all names differ: those of the members, and those of the parameters of each.
#[derive(Default)]
struct Names<'de> {
    seen: HashSet<&'de str>,
    repeated: bool,
}

/// Detects a repeated parameter of a member, or of an item in its list.
struct Member<'n>(&'n mut bool);

/// The parameters of one item.
struct Parameters<'n, 'de> {
    seen: HashSet<&'de str>,
    repeated: &'n mut bool,
}

impl<'de> DictionaryVisitor<'de> for Names<'de> {
    type Out = bool;
    type Error = Infallible;

    fn entry(&mut self, key: &'de KeyRef) -> Result<impl EntryVisitor<'de>, Self::Error> {
        self.repeated |= !self.seen.insert(key.as_str());
        Ok(Member(&mut self.repeated))
    }

    fn finish(self) -> Result<Self::Out, Self::Error> {
        Ok(!self.repeated)
    }
}

impl<'de> EntryVisitor<'de> for Member<'_> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'de>, Self::Error> {
        Ok(self)
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'de>, Self::Error> {
        Ok(self)
    }
}

impl<'de> InnerListVisitor<'de> for Member<'_> {
    type Error = Infallible;

    fn item(&mut self) -> Result<impl ItemVisitor<'de>, Self::Error> {
        Ok(Member(self.0))
    }

    fn finish(self) -> Result<impl ParameterVisitor<'de>, Self::Error> {
        Ok(Parameters { seen: HashSet::new(), repeated: self.0 })
    }
}

impl<'de> ItemVisitor<'de> for Member<'_> {
    type Out = ();
    type Error = Infallible;

    fn bare_item(self, _: BareItemFromInput<'de>) -> Result<impl ParameterVisitor<'de, Out = Self::Out>, Self::Error> {
        Ok(Parameters { seen: HashSet::new(), repeated: self.0 })
    }
}

impl<'de> ParameterVisitor<'de> for Parameters<'_, 'de> {
    type Out = ();
    type Error = Infallible;

    fn parameter(&mut self, key: &'de KeyRef, _: BareItemFromInput<'de>) -> Result<(), Self::Error> {
        *self.repeated |= !self.seen.insert(key.as_str());
        Ok(())
    }

    fn finish(self) -> Result<Self::Out, Self::Error> {
        Ok(())
    }
}
