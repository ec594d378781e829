//! Texts that go into a run and come out of it, cut to their limits.

/// The beginning of a text within a limit, cut at a character. Returns whether it was cut.
pub(super) fn cut(text: &str, most: usize) -> (&str, bool) {
    let end = text.floor_char_boundary(most);
    (&text[..end], end < text.len())
}

/// The mark at the end of a text that was cut.
const CUT: &str = "\n[cut]";

/// The beginning of a text within a limit, with a mark when it was cut.
pub(super) fn marked(text: &str, most: usize) -> (String, bool) {
    if text.len() <= most {
        return (text.to_owned(), false);
    }
    (format!("{}{CUT}", cut(text, most.saturating_sub(CUT.len())).0), true)
}

/// The end of a text within a limit, cut at a character.
pub(super) fn tail(text: &str, most: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(most))..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_stay_within_their_limits(text in "\\PC{0,60}", most in 10..80_usize) {
            let (kept, is_cut) = marked(&text, most);
            prop_assert!(kept.len() <= most.max(text.len().min(most)));
            prop_assert_eq!(is_cut, text.len() > most);
            prop_assert!(is_cut || kept == text);
            prop_assert!(text.ends_with(tail(&text, most)) && tail(&text, most).len() <= most);
            prop_assert!(text.starts_with(cut(&text, most).0));
        }
    }
}
