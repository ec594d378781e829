//! A lossless JSON tree of a registry document, which keeps repeated properties.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use svc_model::principals::{FaultCode, Faults};

use crate::limits;

/// A JSON value. Numbers are not distinguished, because a registry has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    /// All properties, in the order of the document.
    Object(Vec<(String, Node)>),
}

/// A location in a document; prints as a JSON pointer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path<'a> {
    Root,
    Property(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Property(parent, name) => {
                write!(formatter, "{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(parent, index) => write!(formatter, "{parent}/{index}"),
        }
    }
}

/// Parses the bytes of a document. A text that is not JSON is a single fault.
pub(super) fn parse(bytes: &[u8]) -> Result<Node, Faults> {
    if bytes.len() > limits::REGISTRY_MAX {
        let most = limits::REGISTRY_MAX / 1024;
        return Err(Faults::whole(FaultCode::TooLarge, format!("must be at most {most} KiB")));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        let message = "must begin with its first brace, and not with a byte order mark";
        return Err(Faults::whole(FaultCode::ByteOrderMark, message));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("must be UTF-8, which it is not at byte {}", error.valid_up_to());
        Faults::whole(FaultCode::NotUtf8, message)
    })?;
    serde_json::from_str(text).map_err(|error| {
        let reason = error.to_string();
        if reason.starts_with("recursion limit exceeded") {
            return Faults::whole(FaultCode::TooDeep, "must not be nested deeper than a registry is");
        }
        Faults::whole(FaultCode::NotJson, format!("must be JSON, which it is not: {reason}"))
    })
}

impl Node {
    /// The type of the value.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// Finds all repeated properties, at any depth.
    pub(super) fn find_duplicates(&self, path: Path<'_>, faults: &mut Faults) {
        match self {
            Self::Object(properties) => {
                let mut seen = std::collections::HashSet::with_capacity(properties.len());
                for (name, value) in properties {
                    let place = Path::Property(&path, name);
                    if !seen.insert(name) {
                        faults.add(place, FaultCode::DuplicateProperty, "must not be repeated in its object");
                    }
                    value.find_duplicates(place, faults);
                }
            }
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.find_duplicates(Path::Item(&path, index), faults);
                }
            }
            _ => {}
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut properties: A) -> Result<Node, A::Error> {
        let mut object = Vec::new();
        while let Some(property) = properties.next_entry()? {
            object.push(property);
        }
        Ok(Node::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(bytes: &[u8]) -> (FaultCode, String) {
        let faults = parse(bytes).unwrap_err();
        assert_eq!((faults.total(), faults.schema), (1, false), "{faults}");
        let fault = faults.faults.into_iter().next().unwrap();
        assert_eq!(fault.pointer, "");
        (fault.code, fault.message)
    }

    #[test]
    fn invalid_json_is_located() {
        let (code, message) = fault(b"{\n  \"version\": svc\n}");
        assert_eq!(code, FaultCode::NotJson);
        assert!(message.contains("line 2 column 14"), "{message}");
        for bytes in [&b""[..], b"{", b"{} {}", b"{\"a\": 01}", b"'a'", b"\"\x00\"", b"{\"a\": 1,}", b"[1e999]"] {
            assert_eq!(fault(bytes).0, FaultCode::NotJson, "{bytes:?}");
        }
    }

    #[test]
    fn kinds_of_invalid_text_are_distinguished() {
        assert_eq!(fault(b"\xef\xbb\xbf{}").0, FaultCode::ByteOrderMark);
        let (code, message) = fault(b"{\"a\": \"\xff\"}");
        assert_eq!(code, FaultCode::NotUtf8);
        assert!(message.contains("byte 7"), "{message}");
        assert_eq!(fault("{\"a\": 1}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice()).0, {
            FaultCode::NotJson
        });
    }

    #[test]
    fn a_document_is_bounded_in_size_and_depth() {
        assert_eq!(fault(&vec![b' '; 10 * 1024 * 1024]).0, FaultCode::TooLarge);
        assert_eq!(fault(&vec![b'['; limits::REGISTRY_MAX]).0, FaultCode::TooDeep);
        let mut largest = b"{}".to_vec();
        largest.resize(limits::REGISTRY_MAX, b' ');
        assert!(parse(&largest).is_ok());
    }

    #[test]
    fn pointers_are_escaped_and_duplicates_found_at_any_depth() {
        let node = parse(br#"{"a/b": [{"x~y": 1, "x~y": 2}], "c": 1, "\u0063": {"d": 1}}"#).unwrap();
        let mut faults = Faults::default();
        node.find_duplicates(Path::Root, &mut faults);
        let pointers: Vec<_> = faults.faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/a~1b/0/x~0y", "/c"]);
        assert!(!faults.schema);
    }
}
