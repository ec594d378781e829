//! Parser of the `Range` header: RFC 9110, one range of bytes.

use std::ops::Range;

/// The requested part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// The whole file, also when the header is malformed or names several ranges.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// A range outside of the file.
    Unsatisfiable,
}

impl RequestedRange {
    /// The part of a file of this size that the header requests.
    pub(super) fn of(header: Option<&str>, size: u64) -> Self {
        let Some(text) = header.and_then(|text| text.trim().strip_prefix("bytes=")) else {
            return Self::Whole;
        };
        let Some((first, last)) = text.trim().split_once('-') else {
            return Self::Whole;
        };
        match (number(first), number(last)) {
            (Ok(None), Ok(Some(0))) => Self::Unsatisfiable,
            (Ok(None), Ok(Some(length))) if size > 0 => Self::Part(size.saturating_sub(length)..size),
            (Ok(Some(first)), Ok(None)) if first < size => Self::Part(first..size),
            (Ok(Some(first)), Ok(Some(last))) if first > last => Self::Whole,
            (Ok(Some(first)), Ok(Some(last))) if first < size => Self::Part(first..size.min(last.saturating_add(1))),
            (Ok(Some(_)), Ok(_)) | (Ok(None), Ok(Some(_))) => Self::Unsatisfiable,
            _ => Self::Whole,
        }
    }
}

/// Text that is not a number.
struct NoNumber;

/// `None` for an empty text. A number beyond all files counts as the largest one.
fn number(text: &str) -> Result<Option<u64>, NoNumber> {
    if text.is_empty() {
        return Ok(None);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NoNumber);
    }
    Ok(Some(text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_says() {
        for (header, wanted) in [
            ("bytes=0-0", RequestedRange::Part(0..1)),
            ("bytes=0-9", RequestedRange::Part(0..10)),
            ("bytes=2-5", RequestedRange::Part(2..6)),
            ("bytes=5-", RequestedRange::Part(5..10)),
            ("bytes=5-99999999999999999999999", RequestedRange::Part(5..10)),
            ("bytes=-3", RequestedRange::Part(7..10)),
            ("bytes=-30", RequestedRange::Part(0..10)),
            ("bytes=-0", RequestedRange::Unsatisfiable),
            ("bytes=10-", RequestedRange::Unsatisfiable),
            ("bytes=10-12", RequestedRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", RequestedRange::Unsatisfiable),
            ("bytes=5-2", RequestedRange::Whole),
            ("bytes=0-1,3-4", RequestedRange::Whole),
            ("bytes=-", RequestedRange::Whole),
            ("bytes=a-b", RequestedRange::Whole),
            ("bytes=+1-2", RequestedRange::Whole),
            ("lines=1-2", RequestedRange::Whole),
            ("", RequestedRange::Whole),
        ] {
            assert_eq!(RequestedRange::of(Some(header), 10), wanted, "{header}");
        }
        assert_eq!(RequestedRange::of(None, 10), RequestedRange::Whole);
    }

    proptest::proptest! {
        #[test]
        fn a_part_lies_within_its_file(header in "bytes=[0-9]{0,4}-[0-9]{0,4}|\\PC{0,20}", size in 1_u64..2000) {
            if let RequestedRange::Part(range) = RequestedRange::of(Some(&header), size) {
                proptest::prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
