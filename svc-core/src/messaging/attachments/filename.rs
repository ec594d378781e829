//! Sanitizing file names: the last path component of the uploaded name, without unprintable
//! characters.
//!
//! Invariants: a name has 1 to 255 bytes on one line, is not a path, contains no bidirectional
//! control characters, and keeps its extension when it is shortened.

use crate::limits;

/// The name of a file without a usable one.
const NAMELESS: &str = "file";
/// The maximum length of an extension.
const EXTENSION_MAX: usize = 16;

/// The sanitized name.
pub(super) fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = last.chars().filter(|letter| !is_invisible(*letter)).collect();
    let trimmed = visible.trim();
    if trimmed.trim_matches('.').is_empty() {
        return NAMELESS.to_owned();
    }
    shortened(trimmed)
}

/// The extension, in lowercase.
pub(super) fn extension(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let sane = !stem.is_empty() && !extension.is_empty() && extension.len() <= EXTENSION_MAX;
    sane.then(|| extension.to_ascii_lowercase())
}

/// Characters that print nothing, or that change how others are printed.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn shortened(name: &str) -> String {
    if name.len() <= limits::FILENAME_MAX {
        return name.to_owned();
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let extension = extension.filter(|extension| extension.len() <= EXTENSION_MAX);
    let tail = extension.map(|extension| format!(".{extension}")).unwrap_or_default();
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
    fn paths_and_control_characters_are_removed() {
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
        let long_extension = format!("a.{}", "b".repeat(300));
        assert!(clean(&long_extension).len() <= limits::FILENAME_MAX);
    }

    #[test]
    fn extensions_are_found() {
        assert_eq!(extension("A.TXT").as_deref(), Some("txt"));
        assert_eq!(extension("a.tar.gz").as_deref(), Some("gz"));
        for name in ["Makefile", ".bashrc", "a."] {
            assert_eq!(extension(name), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_becomes_a_harmless_one(name in "\\PC{0,400}|(?s).{0,400}") {
            let kept = clean(&name);
            prop_assert!((1..=limits::FILENAME_MAX).contains(&kept.len()));
            prop_assert!(!kept.contains(['/', '\\', '\n', '\r', '\0']) && !kept.chars().any(is_invisible));
            prop_assert!(kept != "." && kept != "..");
            prop_assert_eq!(clean(&kept), kept.clone());
        }
    }
}
