//! Which part of a file a request asks for: RFC 9110, one range of bytes.

use std::ops::Range;

/// What is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it, also when the header cannot be read or names several ranges.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// There is no such part.
    Nowhere,
}

impl Wanted {
    /// What the header asks of a file of this size.
    pub(super) fn of(header: Option<&str>, size: u64) -> Self {
        let Some(text) = header.and_then(|text| text.trim().strip_prefix("bytes=")) else {
            return Self::Whole;
        };
        let Some((first, last)) = text.trim().split_once('-') else {
            return Self::Whole;
        };
        match (number(first), number(last)) {
            (Ok(None), Ok(Some(0))) => Self::Nowhere,
            (Ok(None), Ok(Some(length))) if size > 0 => Self::Part(size.saturating_sub(length)..size),
            (Ok(Some(first)), Ok(None)) if first < size => Self::Part(first..size),
            (Ok(Some(first)), Ok(Some(last))) if first > last => Self::Whole,
            (Ok(Some(first)), Ok(Some(last))) if first < size => Self::Part(first..size.min(last.saturating_add(1))),
            (Ok(Some(_)), Ok(_)) | (Ok(None), Ok(Some(_))) => Self::Nowhere,
            _ => Self::Whole,
        }
    }
}

/// What is not made of digits.
struct NoNumber;

/// `None` for nothing. One beyond all files is as good as the largest.
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
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=0-9", Wanted::Part(0..10)),
            ("bytes=2-5", Wanted::Part(2..6)),
            ("bytes=5-", Wanted::Part(5..10)),
            ("bytes=5-99999999999999999999999", Wanted::Part(5..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-30", Wanted::Part(0..10)),
            ("bytes=-0", Wanted::Nowhere),
            ("bytes=10-", Wanted::Nowhere),
            ("bytes=10-12", Wanted::Nowhere),
            ("bytes=99999999999999999999999-", Wanted::Nowhere),
            ("bytes=5-2", Wanted::Whole),
            ("bytes=0-1,3-4", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("lines=1-2", Wanted::Whole),
            ("", Wanted::Whole),
        ] {
            assert_eq!(Wanted::of(Some(header), 10), wanted, "{header}");
        }
        assert_eq!(Wanted::of(None, 10), Wanted::Whole);
    }

    proptest::proptest! {
        #[test]
        fn a_part_lies_within_its_file(header in "bytes=[0-9]{0,4}-[0-9]{0,4}|\\PC{0,20}", size in 1_u64..2000) {
            if let Wanted::Part(range) = Wanted::of(Some(&header), size) {
                proptest::prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
