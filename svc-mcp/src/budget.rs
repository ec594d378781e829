//! Token estimates for texts, and the token budget of a tool result.
//!
//! Invariants: the estimate never falls when a text grows, and it is not far below the count of common tokenizers:
//! four ASCII characters to a token, one token for every other character.

use serde::Serialize;

/// Estimated number of tokens of a text.
pub(crate) fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|character| !character.is_ascii()).count();
    ascii.div_ceil(4) + others
}

/// Remaining tokens for a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    pub(crate) fn of(tokens: u32) -> Self {
        Self { left: tokens as usize }
    }

    pub(crate) fn left(self) -> usize {
        self.left
    }

    /// A part of the remaining budget in percent, and the rest.
    pub(crate) fn split(self, percent: usize) -> (Self, Self) {
        let part = self.left * percent / 100;
        (Self { left: part }, Self { left: self.left - part })
    }

    /// The remainders of two parts together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { left: self.left + other.left }
    }

    /// Deducts the cost of an item, if the remaining budget covers it.
    pub(crate) fn pay(&mut self, item: &impl Serialize) -> bool {
        let price = serde_json::to_string(item).map_or(0, |text| tokens(&text));
        let enough = price <= self.left;
        if enough {
            self.left -= price;
        }
        enough
    }
}

/// The longest prefix of a text, in whole characters, that costs at most `most` tokens when encoded as JSON.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let (mut quarters, mut end) = (0, 0);
    for (place, character) in text.char_indices() {
        quarters += match character {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            character if character.is_ascii_control() => 6,
            character if character.is_ascii() => 1,
            _ => 4,
        };
        if quarters > most * 4 {
            break;
        }
        end = place + character.len_utf8();
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ascii_and_other_characters_have_different_costs() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("four"), 1);
        assert_eq!(tokens("fours"), 2);
        assert_eq!(tokens("日本"), 2);
        assert_eq!(beginning("abcdefgh", 1), "abcd");
        assert_eq!(beginning("日本語", 2), "日本");
    }

    proptest! {
        #[test]
        fn a_prefix_stays_within_its_budget(text in "\\PC{0,80}", most in 0_usize..40) {
            let part = beginning(&text, most);
            prop_assert!(text.starts_with(part));
            let written = serde_json::to_string(part).unwrap();
            prop_assert!(tokens(&written[1..written.len() - 1]) <= most);
        }

        #[test]
        fn a_longer_text_never_costs_less(text in "\\PC{0,40}", more in "\\PC{0,40}") {
            let longer = format!("{text}{more}");
            prop_assert!(tokens(&longer) >= tokens(&text));
        }
    }
}
