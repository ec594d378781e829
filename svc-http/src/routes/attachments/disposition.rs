//! `Content-Disposition` (RFC 6266): inline or attachment, and the file name.

use poem::http::HeaderValue;

/// Types that a browser may display. None of them can run script in this origin.
const SHOWN: [&str; 10] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "application/pdf",
    "text/plain",
    "text/markdown",
    "text/csv",
    "text/x-diff",
];

/// Whether files of this type are displayed and not saved.
pub(super) fn is_shown(mime_type: &str) -> bool {
    SHOWN.contains(&mime_type)
}

/// The header for a file.
pub(super) fn header(mime_type: &str, filename: &str) -> HeaderValue {
    let kind = if is_shown(mime_type) { "inline" } else { "attachment" };
    // For clients that do not support `filename*`, and for names that do not need it.
    let plain: String = filename.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    let mut text = format!("{kind}; filename=\"{plain}\"");
    if plain != filename {
        text.push_str("; filename*=UTF-8''");
        for byte in filename.bytes() {
            if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
                text.push(char::from(byte));
            } else {
                text.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

/// A hexadecimal digit.
fn digit(value: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(value)])
}

/// Characters that need no escape between quotes.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || " !#$&'()+,-.=@[]^_`{}~".contains(letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(mime_type: &str, filename: &str) -> String {
        header(mime_type, filename).to_str().unwrap().to_owned()
    }

    #[test]
    fn names_are_sent_in_both_forms_if_necessary() {
        assert_eq!(text("image/png", "a b.png"), "inline; filename=\"a b.png\"");
        assert_eq!(
            text("text/html", "say \"hi\"; x=\\.html"),
            "attachment; filename=\"say _hi__ x=_.html\"; filename*=UTF-8''say%20%22hi%22%3B%20x%3D%5C.html"
        );
        assert_eq!(
            text("application/pdf", "naïve%41.pdf"),
            "inline; filename=\"na_ve_41.pdf\"; filename*=UTF-8''na%C3%AFve%2541.pdf"
        );
    }

    #[test]
    fn executable_content_is_saved() {
        for mime_type in ["text/html", "image/svg+xml", "application/xml", "application/json", "text/javascript", ""] {
            assert!(text(mime_type, "a").starts_with("attachment;"), "{mime_type}");
        }
    }

    proptest! {
        #[test]
        fn no_name_breaks_out_of_the_header(name in "(?s).{0,80}") {
            let text = text("image/png", &name);
            prop_assert!(text.starts_with("inline; filename=\""));
            prop_assert_eq!(text.matches('"').count(), 2);
            prop_assert!(!text.contains(['\r', '\n', '\\']));
        }
    }
}
