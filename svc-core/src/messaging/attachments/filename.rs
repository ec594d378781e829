//! What a file is called: the last part of whatever the uploader sent, made harmless to print.
//!
//! What always holds: a name is 1 to 255 bytes on one line, is no path, cannot turn the text around
//! it, and keeps its ending when it is shortened.

use crate::limits;

/// What a file without a usable name is called.
const NAMELESS: &str = "file";
/// A longer ending is no ending.
const ENDING_MAX: usize = 16;

/// The name as it is kept and shown.
pub(super) fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = last.chars().filter(|letter| !is_unseen(*letter)).collect();
    let trimmed = visible.trim();
    if trimmed.trim_matches('.').is_empty() {
        return NAMELESS.to_owned();
    }
    shortened(trimmed)
}

/// The part after the last dot, in small letters.
pub(super) fn ending(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    let sane = !stem.is_empty() && !ending.is_empty() && ending.len() <= ENDING_MAX;
    sane.then(|| ending.to_ascii_lowercase())
}

/// Letters that print nothing, or that change how others are printed.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn shortened(name: &str) -> String {
    if name.len() <= limits::FILENAME_MAX {
        return name.to_owned();
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| ending.len() <= ENDING_MAX);
    let tail = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
    let mut end = limits::FILENAME_MAX - tail.len();
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{tail}", &name[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_and_tricks_are_taken_off() {
        for (sent, kept) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\ann\\notes.txt", "notes.txt"),
            ("/", "file"),
            ("", "file"),
            ("..", "file"),
            (" . ", "file"),
            ("a\r\nSet-Cookie: x=y", "aSet-Cookie: x=y"),
            ("say \"hi\".txt", "say \"hi\".txt"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("za\u{0}ba.txt", "zaba.txt"),
            ("\u{feff}naïve résumé.md", "naïve résumé.md"),
            (".bashrc", ".bashrc"),
        ] {
            assert_eq!(clean(sent), kept, "{sent:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_ending() {
        let kept = clean(&format!("{}.md", "ä".repeat(300)));
        assert!(kept.len() <= limits::FILENAME_MAX && kept.ends_with("ä.md"), "{kept}");
        assert_eq!(clean(&"x".repeat(300)).len(), limits::FILENAME_MAX);
        let long_ending = format!("a.{}", "b".repeat(300));
        assert!(clean(&long_ending).len() <= limits::FILENAME_MAX);
    }

    #[test]
    fn endings_are_told() {
        assert_eq!(ending("A.TXT").as_deref(), Some("txt"));
        assert_eq!(ending("a.tar.gz").as_deref(), Some("gz"));
        for name in ["Makefile", ".bashrc", "a."] {
            assert_eq!(ending(name), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_becomes_a_harmless_one(name in "\\PC{0,400}|(?s).{0,400}") {
            let kept = clean(&name);
            prop_assert!((1..=limits::FILENAME_MAX).contains(&kept.len()));
            prop_assert!(!kept.contains(['/', '\\', '\n', '\r', '\0']) && !kept.chars().any(is_unseen));
            prop_assert!(kept != "." && kept != "..");
            prop_assert_eq!(clean(&kept), kept.clone());
        }
    }
}
