//! The two encodings of OTLP, from one description of each message: the wire format of Protocol Buffers, and JSON.
//!
//! A message is a function that writes its fields. A field has its number for the one encoding and its name for the
//! other. As in Protocol Buffers, fields that are not written have their default value.

use serde_json::{Map, Value, json};
use svc_core::clock::hex;

/// The encoding of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Protocol Buffers.
    Protobuf,
    /// JSON.
    Json,
}

/// A field: its number, and its name in JSON.
pub(super) type Field = (u32, &'static str);

/// A message, or one of a list, that writes its fields.
pub(super) type Write<'a> = &'a dyn Fn(&mut dyn Fields);

/// A list of messages: the fields of the one with this index.
pub(super) type WriteOne<'a> = &'a dyn Fn(usize, &mut dyn Fields);

/// Takes the fields of a message.
pub(super) trait Fields {
    /// Text.
    fn text(&mut self, field: Field, value: &str);
    /// The id of a trace or a span: bytes, and hexadecimal digits in JSON.
    fn id(&mut self, field: Field, value: &[u8]);
    /// A value of an enumeration, or a number of 32 bits.
    fn number(&mut self, field: Field, value: u32);
    /// Yes or no.
    fn flag(&mut self, field: Field, value: bool);
    /// A signed number of 64 bits, of variable length.
    fn integer(&mut self, field: Field, value: i64);
    /// A number of 64 bits, of fixed length.
    fn fixed(&mut self, field: Field, value: u64);
    /// A signed number of 64 bits, of fixed length.
    fn signed(&mut self, field: Field, value: i64);
    /// A floating-point number.
    fn real(&mut self, field: Field, value: f64);
    /// A list of numbers of 64 bits.
    fn fixed_list(&mut self, field: Field, values: &[u64]);
    /// A list of floating-point numbers.
    fn real_list(&mut self, field: Field, values: &[f64]);
    /// A message.
    fn message(&mut self, field: Field, write: Write<'_>);
    /// A list of messages.
    fn messages(&mut self, field: Field, count: usize, write: WriteOne<'_>);
}

impl Encoding {
    /// Encodes a message.
    pub(super) fn encode(self, write: Write<'_>) -> Vec<u8> {
        match self {
            Self::Protobuf => wire(write),
            Self::Json => Value::Object(object(write)).to_string().into_bytes(),
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Protobuf => "application/x-protobuf",
            Self::Json => "application/json",
        }
    }
}

/// Kinds of values in the wire format.
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const LENGTH: u32 = 2;

#[derive(Default)]
struct Wire(Vec<u8>);

fn wire(write: Write<'_>) -> Vec<u8> {
    let mut fields = Wire::default();
    write(&mut fields);
    fields.0
}

impl Wire {
    fn varint(&mut self, mut value: u64) {
        loop {
            let low = value.to_le_bytes()[0] & 0x7f;
            value >>= 7;
            if value == 0 {
                return self.0.push(low);
            }
            self.0.push(low | 0x80);
        }
    }

    fn tag(&mut self, (number, _): Field, kind: u32) {
        self.varint(u64::from(number << 3 | kind));
    }

    fn bytes(&mut self, field: Field, value: &[u8]) {
        self.tag(field, LENGTH);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn eight(&mut self, field: Field, value: [u8; 8]) {
        self.tag(field, EIGHT_BYTES);
        self.0.extend_from_slice(&value);
    }
}

impl Fields for Wire {
    fn text(&mut self, field: Field, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    fn id(&mut self, field: Field, value: &[u8]) {
        self.bytes(field, value);
    }

    fn number(&mut self, field: Field, value: u32) {
        self.tag(field, VARINT);
        self.varint(value.into());
    }

    fn flag(&mut self, field: Field, value: bool) {
        self.number(field, value.into());
    }

    fn integer(&mut self, field: Field, value: i64) {
        self.tag(field, VARINT);
        self.varint(value.cast_unsigned());
    }

    fn fixed(&mut self, field: Field, value: u64) {
        self.eight(field, value.to_le_bytes());
    }

    fn signed(&mut self, field: Field, value: i64) {
        self.eight(field, value.to_le_bytes());
    }

    fn real(&mut self, field: Field, value: f64) {
        self.eight(field, value.to_le_bytes());
    }

    fn fixed_list(&mut self, field: Field, values: &[u64]) {
        let packed: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes(field, &packed);
    }

    fn real_list(&mut self, field: Field, values: &[f64]) {
        let packed: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes(field, &packed);
    }

    fn message(&mut self, field: Field, write: Write<'_>) {
        self.bytes(field, &wire(write));
    }

    fn messages(&mut self, field: Field, count: usize, write: WriteOne<'_>) {
        for index in 0..count {
            self.message(field, &|fields| write(index, fields));
        }
    }
}

struct Object(Map<String, Value>);

fn object(write: Write<'_>) -> Map<String, Value> {
    let mut fields = Object(Map::new());
    write(&mut fields);
    fields.0
}

impl Object {
    fn put(&mut self, (_, name): Field, value: Value) {
        self.0.insert(name.to_owned(), value);
    }
}

/// Numbers that JSON does not have are words.
fn real(value: f64) -> Value {
    match value {
        value if value.is_nan() => json!("NaN"),
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        value => json!(value),
    }
}

/// Numbers of 64 bits are text in JSON.
impl Fields for Object {
    fn text(&mut self, field: Field, value: &str) {
        self.put(field, json!(value));
    }

    fn id(&mut self, field: Field, value: &[u8]) {
        self.put(field, json!(hex(value)));
    }

    fn number(&mut self, field: Field, value: u32) {
        self.put(field, json!(value));
    }

    fn flag(&mut self, field: Field, value: bool) {
        self.put(field, json!(value));
    }

    fn integer(&mut self, field: Field, value: i64) {
        self.put(field, json!(value.to_string()));
    }

    fn fixed(&mut self, field: Field, value: u64) {
        self.put(field, json!(value.to_string()));
    }

    fn signed(&mut self, field: Field, value: i64) {
        self.put(field, json!(value.to_string()));
    }

    fn real(&mut self, field: Field, value: f64) {
        self.put(field, real(value));
    }

    fn fixed_list(&mut self, field: Field, values: &[u64]) {
        self.put(field, values.iter().map(|value| json!(value.to_string())).collect());
    }

    fn real_list(&mut self, field: Field, values: &[f64]) {
        self.put(field, values.iter().map(|value| real(*value)).collect());
    }

    fn message(&mut self, field: Field, write: Write<'_>) {
        self.put(field, Value::Object(object(write)));
    }

    fn messages(&mut self, field: Field, count: usize, write: WriteOne<'_>) {
        let all = (0..count).map(|index| Value::Object(object(&|fields| write(index, fields))));
        self.put(field, all.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(fields: &mut dyn Fields) {
        fields.text((1, "name"), "testing");
        fields.integer((2, "count"), 150);
        fields.integer((3, "less"), -1);
        fields.message((4, "inner"), &|inner| inner.flag((1, "is"), true));
        fields.fixed_list((20, "list"), &[1]);
    }

    #[test]
    fn the_wire_format_is_that_of_its_specification() {
        let expected = [
            &[0x0a, 0x07][..],
            b"testing",
            &[0x10, 0x96, 0x01],
            &[0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            &[0x22, 0x02, 0x08, 0x01],
            &[0xa2, 0x01, 0x08, 1, 0, 0, 0, 0, 0, 0, 0],
        ];
        assert_eq!(Encoding::Protobuf.encode(&example), expected.concat());
    }

    #[test]
    fn json_has_long_numbers_as_text() {
        let text = String::from_utf8(Encoding::Json.encode(&example)).unwrap();
        let found: Value = serde_json::from_str(&text).unwrap();
        let expected =
            json!({ "name": "testing", "count": "150", "less": "-1", "inner": { "is": true }, "list": ["1"] });
        assert_eq!(found, expected);
        assert_eq!(real(f64::INFINITY), json!("Infinity"));
    }
}
