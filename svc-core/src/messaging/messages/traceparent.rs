//! The W3C trace context that a message continues. Pure functions.

/// Length of a version `00` trace context.
const LENGTH: usize = 55;

/// The trace context in its version `00` form; none for an invalid one. An invalid context is
/// ignored and never an error, because it does not concern the message itself.
pub(super) fn kept(text: &str) -> Option<String> {
    let text = text.trim();
    let first = text.get(..LENGTH)?;
    let mut parts = first.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_nonzero = |part: &str| part.bytes().any(|byte| byte != b'0');
    let well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    // Later versions may append further fields.
    let rest = &text[LENGTH..];
    let rest_fits = rest.is_empty() || version != "00" && rest.starts_with('-');
    let valid = well_formed && version != "ff" && is_nonzero(trace) && is_nonzero(parent) && rest_fits;
    valid.then(|| format!("00-{trace}-{parent}-{flags}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VALID: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_valid_context_is_kept() {
        assert_eq!(kept(VALID).as_deref(), Some(VALID));
        assert_eq!(kept(&format!(" {VALID} ")).as_deref(), Some(VALID));
        let later = VALID.replacen("00", "cc", 1);
        assert_eq!(kept(&later).as_deref(), Some(VALID));
        assert_eq!(kept(&format!("{later}-more")).as_deref(), Some(VALID));
    }

    #[test]
    fn an_invalid_context_is_ignored() {
        for text in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more",
            "00-0af7651916cd43dd8448eb211c80319cb-7ad6b7169203331-01",
        ] {
            assert_eq!(kept(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "\\PC{0,80}") {
            prop_assert!(kept(&text).is_none_or(|kept| kept.len() == LENGTH));
        }
    }
}
