//! The text of a log whose parts may divide a character.

/// Makes text of the parts of a log. Bytes that are no text are shown as `�`.
#[derive(Debug, Default)]
pub(in crate::backend) struct LogText {
    /// The beginning of a character whose end has not arrived.
    begun: Vec<u8>,
}

impl LogText {
    /// The text of the next part, which may be empty.
    pub(in crate::backend) fn take(&mut self, part: &[u8]) -> String {
        self.begun.extend_from_slice(part);
        let whole = self.begun.len() - incomplete(&self.begun);
        let begun = self.begun.split_off(whole);
        String::from_utf8_lossy(&std::mem::replace(&mut self.begun, begun)).into_owned()
    }
}

/// The number of bytes at the end that begin a character and do not end it.
fn incomplete(bytes: &[u8]) -> usize {
    for (after, byte) in bytes.iter().rev().take(3).enumerate() {
        let length = match byte {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        return if length > after + 1 { after + 1 } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divided_character_is_whole() {
        let text = "aä€😀\nz";
        for size in 1..=text.len() {
            let mut log = LogText::default();
            let told: String = text.as_bytes().chunks(size).map(|part| log.take(part)).collect();
            assert_eq!(told, text, "{size}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_not_hold_the_rest_back() {
        let mut log = LogText::default();
        assert_eq!(log.take(b"a\xFFb\x80\x80\x80\x80"), "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}");
        assert_eq!(log.take(b"\xE2\x82"), "");
        assert_eq!(log.take(b"x"), "\u{FFFD}x");
    }
}
