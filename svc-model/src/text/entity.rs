//! Characters written as HTML entities, as far as turn markers consist of them.

/// Entities of the characters that occur in markers. Some parsers accept the first three without a semicolon.
const ENTITIES: [(&str, char); 21] = [
    ("lt", '<'),
    ("gt", '>'),
    ("amp", '&'),
    ("lt;", '<'),
    ("gt;", '>'),
    ("amp;", '&'),
    ("nvlt;", '<'),
    ("colon;", ':'),
    ("lbrack;", '['),
    ("lsqb;", '['),
    ("rbrack;", ']'),
    ("rsqb;", ']'),
    ("vert;", '|'),
    ("verbar;", '|'),
    ("verticalline;", '|'),
    ("newline;", '\n'),
    ("tab;", '\t'),
    ("nbsp;", ' '),
    ("sol;", '/'),
    ("num;", '#'),
    ("lowbar;", '_'),
];

/// The character that an entity at the start of a text stands for, and the length of the entity: `&lt;`, `&#60;`,
/// `&#x3c`. Text that was escaped several times is decoded several times.
pub(crate) fn entity(text: &str) -> Option<(char, usize)> {
    let mut length = text.starts_with('&').then_some(1)?;
    loop {
        let (letter, taken) = reference(&text[length..])?;
        length += taken;
        if letter != '&' {
            return Some((letter, length));
        }
    }
}

/// Decodes the entity after its `&`.
fn reference(text: &str) -> Option<(char, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        return numbered(number).map(|(letter, length)| (letter, length + 1));
    }
    let named = |(name, _): &&(&str, char)| text.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name));
    // The longest match wins: names with a semicolon come after names without.
    ENTITIES.iter().rev().find(named).map(|(name, letter)| (*letter, name.len()))
}

fn numbered(text: &str) -> Option<(char, usize)> {
    let (digits, radix, before) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (text, 10, 0),
    };
    let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let value = u32::from_str_radix(digits[..length].trim_start_matches('0'), radix).ok()?;
    let end = usize::from(digits[length..].starts_with(';'));
    char::from_u32(value).map(|letter| (letter, before + length + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_decoded_in_every_notation() {
        for (text, letter, length) in [
            ("&lt;x", '<', 4),
            ("&LT;x", '<', 4),
            ("&ltx", '<', 3),
            ("&#60;x", '<', 5),
            ("&#0060x", '<', 6),
            ("&#x3C;x", '<', 6),
            ("&amp;lt;x", '<', 8),
            ("&amp;#38;#60;x", '<', 13),
            ("&NewLine;x", '\n', 9),
        ] {
            assert_eq!(entity(text), Some((letter, length)), "{text}");
        }
        for text in ["lt;", "&", "&;", "&x;", "&#;", "&#x;", "&#xd800;", "&#99999999999;", "& lt;", "&amp; b", "&é"] {
            assert_eq!(entity(text), None, "{text}");
        }
    }
}
