//! The W3C trace context that a message continues. Pure rules.

/// Length of a trace context of the first version.
const LENGTH: usize = 55;

/// The trace context in the form of the first version; none for what is no trace context, which is
/// ignored and never an error, because it says nothing about the message itself.
pub(super) fn kept(text: &str) -> Option<String> {
    let text = text.trim();
    let first = text.get(..LENGTH)?;
    let mut parts = first.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_said = |part: &str| part.bytes().any(|byte| byte != b'0');
    let well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    // Later versions may say more after what the first one says.
    let rest = &text[LENGTH..];
    let rest_fits = rest.is_empty() || version != "00" && rest.starts_with('-');
    let sound = well_formed && version != "ff" && is_said(trace) && is_said(parent) && rest_fits;
    sound.then(|| format!("00-{trace}-{parent}-{flags}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SOUND: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_sound_one_is_kept() {
        assert_eq!(kept(SOUND).as_deref(), Some(SOUND));
        assert_eq!(kept(&format!(" {SOUND} ")).as_deref(), Some(SOUND));
        let later = SOUND.replacen("00", "cc", 1);
        assert_eq!(kept(&later).as_deref(), Some(SOUND));
        assert_eq!(kept(&format!("{later}-more")).as_deref(), Some(SOUND));
    }

    #[test]
    fn what_is_none_is_ignored() {
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
