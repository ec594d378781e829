//! The W3C trace context that a message continues. Pure functions.

use crate::telemetry::TraceContext;

/// The trace context in its version `00` form; none for an invalid one. An invalid context is
/// ignored and never an error, because it does not concern the message itself.
pub(super) fn kept(text: &str) -> Option<String> {
    TraceContext::parse(text).map(|context| context.to_string())
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
            prop_assert!(kept(&text).is_none_or(|kept| kept.len() == VALID.len()));
        }
    }
}
