//! The parts that every export has: the program that sends it, and attributes.

use svc_core::telemetry::Attribute;

use super::encoding::{Field, Fields, Write, WriteOne};

/// The name of the instrumentation.
const SCOPE: &str = "svc";

/// The program that sends: attributes by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resource(pub(super) Vec<(String, String)>);

impl Resource {
    /// Adds an attribute, unless the operator has set it.
    pub(super) fn with_default(mut self, name: &str, value: &str) -> Self {
        if !self.0.iter().any(|(set, _)| set == name) {
            self.0.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// A whole export: this program, this instrumentation, and `items` in their list. The messages of all signals
    /// have the same numbers.
    pub(super) fn export(
        &self,
        (of_resource, of_scope, list): (&'static str, &'static str, &'static str),
        (count, write): (usize, WriteOne<'_>),
    ) -> impl Fn(&mut dyn Fields) {
        move |fields| {
            fields.messages((1, of_resource), 1, &|_, fields| {
                fields.message((1, "resource"), &|fields| {
                    fields.messages((1, "attributes"), self.0.len(), &|index, fields| {
                        let (name, value) = &self.0[index];
                        pair(fields, name, &|fields| fields.text((1, "stringValue"), value));
                    });
                });
                fields.messages((2, of_scope), 1, &|_, fields| {
                    fields.message((1, "scope"), &|fields| {
                        fields.text((1, "name"), SCOPE);
                        fields.text((2, "version"), env!("CARGO_PKG_VERSION"));
                    });
                    fields.messages((2, list), count, write);
                });
            });
        }
    }
}

/// An attribute: a name and a value.
fn pair(fields: &mut dyn Fields, name: &str, value: Write<'_>) {
    fields.text((1, "key"), name);
    fields.message((2, "value"), value);
}

/// A list of attributes.
pub(super) fn attributes(fields: &mut dyn Fields, field: Field, all: &[(&str, Attribute)]) {
    fields.messages(field, all.len(), &|index, fields| {
        let (name, value) = &all[index];
        pair(fields, name, &|fields| match value {
            Attribute::Text(text) => fields.text((1, "stringValue"), text),
            Attribute::Integer(number) => fields.integer((3, "intValue"), *number),
            Attribute::Real(number) => fields.real((4, "doubleValue"), *number),
        });
    });
}
