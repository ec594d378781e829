//! The appearance of characters: line breaks, invisible characters, and characters that look like others.
//!
//! Invariant: every rule that compares texts by their appearance uses these functions, so that a disguise is
//! recognised everywhere.

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// Whether some reader treats this character as the end of a line: the line breaks of Unicode, and the
/// separators at which some languages split lines.
pub fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is invisible: it has no width, is blank, or changes the direction of the text.
pub fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether this is a combining mark, drawn over the preceding character.
pub fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Folds a character by its appearance: to lower case, without accents, of ordinary width, and to the Latin
/// letter that it resembles.
pub fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // The tables map the line breaks of Unicode to spaces.
    if is_line_break(character) || is_east_asian(character) {
        return character;
    }
    let plain = std::iter::once(character).nfkc().next().unwrap_or(character);
    match plain {
        '∶' | 'ː' | '꞉' => return ':',
        '˂' | 'ᐸ' | '𝈶' => return '<',
        // The tables map a vertical bar to an l, as they do an upright i.
        '│' | '∣' | '¦' => return '|',
        plain if plain.is_ascii() => return plain.to_ascii_lowercase(),
        _ => {}
    }
    let small = plain.to_lowercase().next().unwrap_or(plain);
    match (looks_like(plain), looks_like(small)) {
        // A capital i looks like an l as well; its lower case letter decides.
        (Some('l') | None, Some(like)) | (Some(like), _) => like,
        (None, None) => small,
    }
}

/// The Latin letter that a character resembles.
fn looks_like(character: char) -> Option<char> {
    let mut buffer = [0; 4];
    let mut shape = skeleton(character.encode_utf8(&mut buffer));
    let (first, second) = (shape.next()?, shape.next());
    match (first, second) {
        ('r', Some('n')) => Some('m'),
        (first, _) if first.is_ascii() => Some(first.to_ascii_lowercase()),
        (first, _) => other_script(first),
    }
}

/// Letters that the Unicode tables distinguish because they differ a little, and that people confuse.
fn other_script(character: char) -> Option<char> {
    Some(match character {
        'ᴀ' | 'α' => 'a',
        'ʙ' | 'в' | 'β' => 'b',
        'ᴄ' => 'c',
        'ᴅ' | 'ԁ' => 'd',
        'ᴇ' | 'ε' | 'є' => 'e',
        'ꜰ' => 'f',
        'ɢ' => 'g',
        'ʜ' | 'н' | 'һ' => 'h',
        'ɪ' | 'ι' | 'ı' => 'i',
        'ᴊ' => 'j',
        'ᴋ' | 'к' | 'κ' => 'k',
        'ʟ' => 'l',
        'ᴍ' | 'м' | 'ʍ' => 'm',
        'ɴ' | 'ո' | 'п' | 'η' => 'n',
        'ᴏ' => 'o',
        'ᴘ' => 'p',
        'ʀ' | 'я' => 'r',
        'ꜱ' => 's',
        'ᴛ' | 'т' | 'τ' => 't',
        'ᴜ' | 'ս' => 'u',
        'ᴠ' => 'v',
        'ᴡ' => 'w',
        'ʏ' | 'γ' => 'y',
        'ᴢ' => 'z',
        _ => return None,
    })
}

/// Scripts without letters that resemble Latin ones, and with long texts.
fn is_east_asian(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{30fb}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// The shapes of a name, for comparing it with others: only letters and digits, with look-alikes folded into
/// one. There are two shapes where a capital i may be read as an l.
pub fn shapes(name: &str) -> Vec<String> {
    let mut shapes = vec![shape(name, 'i'), shape(name, 'l')];
    shapes.dedup();
    shapes.retain(|shape| !shape.is_empty());
    shapes
}

fn shape(name: &str, capital_i: char) -> String {
    let letters =
        name.nfkc().filter(|letter| !is_hidden(*letter) && !is_mark(*letter)).map(|letter| match fold(letter) {
            'i' if letter.is_uppercase() => capital_i,
            '0' => 'o',
            '1' | '|' => 'l',
            other => other,
        });
    letters.filter(|letter| letter.is_alphanumeric()).collect::<String>().replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_folded_to_latin_letters() {
        for (text, expected) in [
            ("SYSTEM", "system"),
            ("ѕуѕtеm", "system"),
            ("ｓｙｓｔｅｍ", "system"),
            ("ꜱʏꜱᴛᴇᴍ", "system"),
            ("𝐬𝐲𝐬𝐭𝐞𝐦", "system"),
            ("ΗUMΑΝ", "human"),
            ("ЅУЅТЕМ", "system"),
            ("ｕѕеｒ", "user"),
            ("ѕуѕтем", "system"),
            ("：∶﹕︓ː", ":::::"),
            ("＜˂", "<<"),
        ] {
            assert_eq!(text.chars().map(fold).collect::<String>(), expected, "{text}");
        }
        for text in ["日本語", "한국어", "ひらがな", "\u{2028}\u{2029}\u{85}"] {
            assert_eq!(text.chars().map(fold).collect::<String>(), text);
        }
    }

    #[test]
    fn similar_names_share_a_shape() {
        for (one, other) in [
            ("Bob", "bob"),
            ("b0b", "bob"),
            ("Ann Marie", "ann_marie"),
            ("@ann-marie", "annmarie"),
            ("аnn", "ann"),
            ("a\u{200b}nn", "ann"),
            ("ann1", "annl"),
            ("annI", "annl"),
            ("The  Hub", "the hub"),
            ("systern", "system"),
            ("Ｓｙｓｔｅｍ", "system"),
            ("a̲nn", "ann"),
        ] {
            assert!(shapes(one).iter().any(|shape| shapes(other).contains(shape)), "{one} {other}: {:?}", shapes(one));
        }
        assert!(!shapes("Ali").iter().any(|shape| shapes("all").contains(shape)), "a small i is no l");
        assert!(shapes("🙂").is_empty());
    }
}
