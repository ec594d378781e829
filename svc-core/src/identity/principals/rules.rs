//! Validation rules of the fields of machines' requests.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};
use svc_model::principals::Scope;

use super::machine::{self, Machine};
use super::service::Principals;
use crate::clock::hex;
use crate::error::{Error, FieldError, Result};
use crate::text::holds_nul;

impl Principals {
    /// The error for a request with invalid fields: that the machine is not authorized, if so, and the
    /// invalid fields otherwise. The nonce is not consumed, because nothing is done.
    pub(crate) async fn faulty<T>(&self, machine: &Machine, scope: Scope, fault: Error) -> Result<T> {
        let allowed = self
            .db
            .read((machine.clone(), scope), |tx, (machine, scope)| Box::pin(machine::require(tx, machine, *scope)))
            .await;
        self.answer(machine, allowed.and(Err(fault))).await
    }
}

/// Invalid fields, collected so that all are reported at once.
#[derive(Default)]
pub(crate) struct Faults(Vec<FieldError>);

impl Faults {
    pub(crate) fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(FieldError { field: field.into(), message: message.into() });
    }

    pub(crate) fn check(&mut self, field: impl Into<String>, fault: Option<String>) {
        if let Some(message) = fault {
            self.add(field, message);
        }
    }

    /// Returns the value if there was no fault.
    pub(crate) fn or<T>(self, value: T) -> Result<T> {
        if self.0.is_empty() { Ok(value) } else { Err(Error::invalid_fields(self.0)) }
    }
}

/// Whether a text is a word of lower case letters, digits and these marks, beginning with a letter or a
/// digit.
pub(crate) fn is_word(text: &str, longest: usize, marks: &[u8]) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=longest).contains(&text.len())
        && text.bytes().next().is_some_and(plain)
        && text.bytes().all(|byte| plain(byte) || marks.contains(&byte))
}

/// The fault of a JSON value that may have at most this number of bytes.
pub(crate) fn json_fault(value: &Value, longest: usize) -> Option<String> {
    if holds_nul(value) {
        return Some("must not contain the NUL character".to_owned());
    }
    (value.to_string().len() > longest).then(|| format!("must be at most {longest} bytes as JSON"))
}

/// The fault of a JSON value that must be an object. See [`json_fault`].
pub(crate) fn object_fault(value: &Value, longest: usize) -> Option<String> {
    if value.is_object() { json_fault(value, longest) } else { Some("must be a JSON object".to_owned()) }
}

/// The SHA-256 of a JSON value in hexadecimal digits. The names of an object are sorted, so that equal
/// content has the same hash however it was written.
pub(crate) fn fingerprint(value: &Value) -> String {
    let mut text = String::new();
    write_in_order(value, &mut text);
    hex(&Sha256::digest(text.as_bytes()))
}

/// Serializes a JSON value without spaces and with sorted names, in whatever order the value has them.
fn write_in_order(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (number, item) in items.iter().enumerate() {
                text.push_str(if number == 0 { "" } else { "," });
                write_in_order(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => write_fields(fields.iter(), text),
        plain => text.push_str(&plain.to_string()),
    }
}

fn write_fields<'v>(fields: impl Iterator<Item = (&'v String, &'v Value)>, text: &mut String) {
    let fields: BTreeMap<_, _> = fields.collect();
    text.push('{');
    for (number, (name, value)) in fields.into_iter().enumerate() {
        text.push_str(if number == 0 { "" } else { "," });
        text.push_str(&Value::from(name.as_str()).to_string());
        text.push(':');
        write_in_order(value, text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_begin_with_a_letter_or_a_digit_and_are_bounded() {
        for good in ["a", "0", "door-1.front_left", &"a".repeat(63)] {
            assert!(is_word(good, 63, b"._-"), "{good}");
        }
        for bad in ["", "-a", ".a", "A", "a b", "a\n", "ä", "a:b", "a/b", &"a".repeat(64)] {
            assert!(!is_word(bad, 63, b"._-"), "{bad:?}");
        }
    }

    #[test]
    fn fingerprints_ignore_only_the_order_of_names() {
        let read = |text: &str| fingerprint(&serde_json::from_str(text).unwrap());
        assert_eq!(read(r#"{"a": 1, "b": {"c": 2, "d": 3}}"#), read(r#"{"b":{"d":3,"c":2},"a":1}"#));
        assert_ne!(read(r#"{"a": 1}"#), read(r#"{"a": "1"}"#));
        assert_ne!(read("[1, 2]"), read("[2, 1]"));
    }

    #[test]
    fn names_are_sorted() {
        let fields = ["b", "\"", "a"].map(|name| (name.to_owned(), json!([1.5, { "d": null, "c": "\n" }])));
        let mut text = String::new();
        write_fields(fields.iter().map(|(name, value)| (name, value)), &mut text);
        let inner = r#"[1.5,{"c":"\n","d":null}]"#;
        assert_eq!(text, format!(r#"{{"\"":{inner},"a":{inner},"b":{inner}}}"#));
        let mut text = String::new();
        write_in_order(&json!({ "a": [], "b": {} }), &mut text);
        assert_eq!(text, r#"{"a":[],"b":{}}"#);
    }

    #[test]
    fn nul_is_found_anywhere() {
        for value in [json!("a\0"), json!({ "a": ["\0"] }), json!({ "a\0": 1 })] {
            assert!(json_fault(&value, 100).is_some(), "{value}");
        }
        assert_eq!(json_fault(&json!("\\u0000"), 100), None);
        assert_eq!(json_fault(&json!("aa"), 4), None);
        assert!(json_fault(&json!("aaa"), 4).is_some());
        assert!(object_fault(&json!([]), 100).is_some());
    }
}
