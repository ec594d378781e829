//! Removes known secrets from a stream of bytes.

/// What stands in place of a secret.
const SHOWN: &[u8] = b"[secret]";
/// Shorter values are left alone: words such as `true` are no secrets, and would make a log unreadable.
const SHORTEST: usize = 8;

/// Replaces secrets, also where one is written in several parts.
pub(super) struct Redactor {
    secrets: Vec<Vec<u8>>,
    /// Whether a secret begins with this byte.
    begins: [bool; 256],
    /// The end of what was passed so far, which may be the beginning of a secret.
    held: Vec<u8>,
}

impl Redactor {
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut secrets: Vec<Vec<u8>> = secrets
            .into_iter()
            .filter(|secret| secret.len() >= SHORTEST)
            .map(|secret| secret.as_bytes().to_vec())
            .collect();
        // The longest first: a secret may contain another one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.dedup();
        let mut begins = [false; 256];
        for first in secrets.iter().filter_map(|secret| secret.first()) {
            begins[usize::from(*first)] = true;
        }
        Self { secrets, begins, held: Vec::new() }
    }

    /// The bytes without secrets. An end that may become a secret is held back.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.secrets.is_empty() {
            return bytes.to_vec();
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let (clean, held) = self.scan(&all, false);
        self.held = held;
        clean
    }

    /// What was held back.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        self.scan(&held, true).0
    }

    fn scan(&self, all: &[u8], is_end: bool) -> (Vec<u8>, Vec<u8>) {
        let mut clean = Vec::with_capacity(all.len());
        let mut at = 0;
        while at < all.len() {
            if self.begins[usize::from(all[at])] {
                let rest = &all[at..];
                if let Some(secret) = self.secrets.iter().find(|secret| rest.starts_with(secret)) {
                    clean.extend_from_slice(SHOWN);
                    at += secret.len();
                    continue;
                }
                if !is_end && self.secrets.iter().any(|secret| secret.starts_with(rest)) {
                    return (clean, rest.to_vec());
                }
            }
            clean.push(all[at]);
            at += 1;
        }
        (clean, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redacted(secrets: &[&str], parts: &[&[u8]]) -> String {
        let mut redactor = Redactor::new(secrets.iter().copied());
        let mut out: Vec<u8> = parts.iter().flat_map(|part| redactor.pass(part)).collect();
        out.extend(redactor.finish());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn secrets_are_replaced_and_other_text_is_not() {
        assert_eq!(redacted(&["hunter2hunter2"], &[b"a hunter2hunter2 b hunter2"]), "a [secret] b hunter2");
        assert_eq!(redacted(&["short"], &[b"short"]), "short");
        assert_eq!(redacted(&["abcdefgh", "abcdefghij"], &[b"abcdefghij"]), "[secret]");
    }

    proptest! {
        #[test]
        fn a_secret_is_found_however_it_is_cut(before in "[a-c]{0,9}", after in "[a-c]{0,9}", cuts in prop::collection::vec(0_usize..40, 0..6)) {
            let secret = "abcabcabd";
            let text = format!("{before}{secret}{after}");
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let parts: Vec<&[u8]> = cuts.windows(2).map(|pair| &text.as_bytes()[pair[0]..pair[1]]).collect();
            let out = redacted(&[secret], &parts);
            prop_assert!(!out.contains(secret));
            prop_assert!(out.contains("[secret]"));
        }

        #[test]
        fn text_without_secrets_is_unchanged(text in "[a-c]{0,60}") {
            prop_assert_eq!(redacted(&["zzzzzzzz", "abcabcabcz"], &[text.as_bytes()]), text);
        }
    }
}
