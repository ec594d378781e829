//! The answer of a collector that accepted an export in part: how much it rejected, and why.
//!
//! The answer is of untrusted origin: what is not understood counts as full acceptance, as its status says.

use serde_json::Value;

use super::encoding::Encoding;

/// Characters of the reason that are kept.
const REASON_CHARS: usize = 200;

/// The rejected part of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rejected {
    /// The number of spans or data points.
    pub(super) count: u64,
    /// The reason, or a warning if nothing was rejected; may be empty.
    pub(super) reason: String,
}

impl Rejected {
    /// Reads the body of an answer.
    pub(super) fn read(encoding: Encoding, body: &[u8]) -> Self {
        let found = match encoding {
            Encoding::Protobuf => from_wire(body),
            Encoding::Json => from_json(body),
        };
        let Self { count, reason } = found.unwrap_or_default();
        Self { count, reason: reason.chars().take(REASON_CHARS).collect() }
    }
}

fn from_json(body: &[u8]) -> Option<Rejected> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let partial = answer.get("partialSuccess")?;
    let count = ["rejectedSpans", "rejectedDataPoints"].iter().find_map(|name| partial.get(name));
    // Numbers of 64 bits are text in JSON, and some collectors write numbers.
    let count = count.and_then(|count| count.as_u64().or_else(|| count.as_str()?.parse().ok()));
    let reason = partial.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
    Some(Rejected { count: count.unwrap_or(0), reason: reason.to_owned() })
}

/// The value of a field in the wire format.
enum Wire<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Other,
}

fn from_wire(mut body: &[u8]) -> Option<Rejected> {
    let mut found = Rejected::default();
    while !body.is_empty() {
        let (number, value) = field(&mut body)?;
        let (1, Wire::Bytes(mut partial)) = (number, value) else { continue };
        while !partial.is_empty() {
            match field(&mut partial)? {
                // The number is signed.
                (1, Wire::Number(count)) => found.count = u64::try_from(count.cast_signed()).unwrap_or(0),
                (2, Wire::Bytes(text)) => found.reason = String::from_utf8_lossy(text).into_owned(),
                _ => {}
            }
        }
    }
    Some(found)
}

/// Takes the next field.
fn field<'a>(bytes: &mut &'a [u8]) -> Option<(u64, Wire<'a>)> {
    let tag = varint(bytes)?;
    let value = match tag & 7 {
        0 => Wire::Number(varint(bytes)?),
        1 => {
            take(bytes, 8)?;
            Wire::Other
        }
        2 => {
            let length = usize::try_from(varint(bytes)?).ok()?;
            Wire::Bytes(take(bytes, length)?)
        }
        5 => {
            take(bytes, 4)?;
            Wire::Other
        }
        _ => return None,
    };
    Some((tag >> 3, value))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_partial_success_is_read_in_both_encodings() {
        let expected = Rejected { count: 300, reason: "too old".to_owned() };
        // An unknown field is skipped.
        let wire = b"\x10\x05\x0a\x0c\x08\xac\x02\x12\x07too old";
        assert_eq!(Rejected::read(Encoding::Protobuf, wire), expected);
        for count in ["300", "\"300\""] {
            for name in ["rejectedSpans", "rejectedDataPoints"] {
                let json = format!(r#"{{"partialSuccess":{{"{name}":{count},"errorMessage":"too old"}}}}"#);
                assert_eq!(Rejected::read(Encoding::Json, json.as_bytes()), expected, "{json}");
            }
        }
    }

    #[test]
    fn everything_else_is_full_acceptance() {
        for body in
            [&b""[..], b"{}", b"OK", b"\x0a\x00", b"\x0a\xff", b"\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"]
        {
            for encoding in [Encoding::Protobuf, Encoding::Json] {
                assert_eq!(Rejected::read(encoding, body), Rejected::default(), "{body:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(body in proptest::collection::vec(any::<u8>(), 0..64)) {
            let found = Rejected::read(Encoding::Protobuf, &body);
            prop_assert!(found.reason.chars().count() <= REASON_CHARS);
        }
    }
}
