//! Determining the type of a file by its bytes, then by its name. Pure functions.
//!
//! Invariants:
//! - A type that is not on the list is rejected.
//! - Text is valid UTF-8 without NUL.
//! - HTML and SVG, which could run scripts, are recognized under any name, and source code is plain
//!   text, so that no file can be used as a script or style sheet of the web UI.

use super::filename;

/// Bytes at the beginning that are examined.
pub(super) const HEAD: usize = 4096;

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) mime_type: &'static str,
    pub(super) is_image: bool,
}

/// The type of a file; `None` if it is not accepted.
pub(super) fn decide(name: &str, head: &[u8], is_text: bool) -> Option<Kind> {
    if let Some(kind) = by_magic(head) {
        return Some(kind);
    }
    is_text.then(|| Kind { mime_type: text_type(name, head), is_image: false })
}

/// Pictures and PDF are recognized by their magic numbers.
fn by_magic(head: &[u8]) -> Option<Kind> {
    let image = |mime_type| Some(Kind { mime_type, is_image: true });
    // For some formats the library accepts a few letters that a text may begin with too.
    match infer::get(head)?.mime_type() {
        "image/png" => image("image/png"),
        "image/jpeg" => image("image/jpeg"),
        "image/gif" if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => image("image/gif"),
        "image/webp" if head.starts_with(b"RIFF") => image("image/webp"),
        "image/avif" => image("image/avif"),
        "application/pdf" if head.starts_with(b"%PDF-") => Some(Kind { mime_type: "application/pdf", is_image: false }),
        _ => None,
    }
}

fn text_type(name: &str, head: &[u8]) -> &'static str {
    let extension = filename::extension(name).unwrap_or_default();
    let markup = Markup::of(head);
    match (markup, extension.as_str()) {
        (Markup::Page, _) | (_, "html" | "htm" | "xhtml" | "xht" | "shtml") => "text/html",
        (Markup::Drawing, _) | (_, "svg") => "image/svg+xml",
        (Markup::Xml, _) | (_, "xml" | "xsd" | "xsl" | "xslt" | "rss" | "atom") => "application/xml",
        (_, "md" | "markdown") => "text/markdown",
        (_, "csv") => "text/csv",
        (_, "json") => "application/json",
        (_, "yaml" | "yml") => "application/yaml",
        (_, "toml") => "application/toml",
        (_, "diff" | "patch") => "text/x-diff",
        _ => "text/plain",
    }
}

/// The markup language that a text begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Markup {
    None,
    Xml,
    Page,
    Drawing,
}

impl Markup {
    fn of(head: &[u8]) -> Self {
        let lower = String::from_utf8_lossy(head).to_ascii_lowercase();
        let mut rest = lower.trim_start_matches('\u{feff}').trim_start();
        let is_xml = rest.starts_with("<?xml");
        // Skips everything that may precede the first element.
        loop {
            let end = if rest.starts_with("<?") {
                "?>"
            } else if rest.starts_with("<!--") {
                "-->"
            } else {
                break;
            };
            let Some((_, after)) = rest.split_once(end) else { break };
            rest = after.trim_start();
        }
        let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
        if begins(&["<!doctype html", "<html", "<head", "<body", "<script", "<iframe", "<meta", "<link", "<style"])
            || is_xml && lower.contains("http://www.w3.org/1999/xhtml")
        {
            Self::Page
        } else if begins(&["<svg", "<!doctype svg"]) || is_xml && lower.contains("http://www.w3.org/2000/svg") {
            Self::Drawing
        } else if is_xml {
            Self::Xml
        } else {
            Self::None
        }
    }
}

/// Checks a stream for text: valid UTF-8 without NUL, regardless of chunk boundaries.
#[derive(Debug)]
pub(super) struct TextCheck {
    /// The beginning of a character that continues in the next chunk.
    carried: Vec<u8>,
    is_text: bool,
}

impl TextCheck {
    pub(super) fn new() -> Self {
        Self { carried: Vec::new(), is_text: true }
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        if !self.is_text {
            return;
        }
        let joined;
        let all = if self.carried.is_empty() {
            piece
        } else {
            joined = [&self.carried, piece].concat();
            &joined
        };
        let carried = match std::str::from_utf8(all) {
            Ok(_) => Vec::new(),
            Err(error) if error.error_len().is_none() => all[error.valid_up_to()..].to_vec(),
            Err(_) => {
                self.is_text = false;
                Vec::new()
            }
        };
        self.is_text &= !piece.contains(&0);
        self.carried = carried;
    }

    pub(super) fn finish(self) -> bool {
        self.is_text && self.carried.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

    fn is_text(bytes: &[u8]) -> bool {
        let mut check = TextCheck::new();
        check.take(bytes);
        check.finish()
    }

    fn mime(name: &str, bytes: &[u8]) -> Option<&'static str> {
        decide(name, bytes, is_text(bytes)).map(|kind| kind.mime_type)
    }

    #[test]
    fn bytes_take_precedence_over_names() {
        assert_eq!(mime("notes.txt", PNG), Some("image/png"));
        assert_eq!(mime("a.png", b"\xff\xd8\xff\xe0\0\x10JFIF"), Some("image/jpeg"));
        assert_eq!(mime("a.html", b"GIF89a<script>alert(1)</script>"), Some("image/gif"));
        assert_eq!(mime("a", b"RIFF\x24\0\0\0WEBPVP8 "), Some("image/webp"));
        assert_eq!(mime("a", b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"), Some("image/avif"));
        assert_eq!(mime("a.exe", b"%PDF-1.7\n"), Some("application/pdf"));
        assert_eq!(mime("picture.png", b"no picture at all"), Some("text/plain"));
    }

    #[test]
    fn a_type_not_on_the_list_is_rejected() {
        for (name, bytes) in [
            ("a.png", &b"MZ\x90\0\x03\0"[..]),
            ("a.txt", b"\x7fELF\x02\x01\x01\0"),
            ("a.zip", b"PK\x03\x04\x14\0\0\0"),
            ("a.txt", b"text with \0 inside"),
            ("a.txt", b"latin-1: caf\xe9 au lait"),
            ("a.txt", b"h\0e\0l\0l\0o\0"),
            ("a.bmp", b"BM\x36\0\0\0\0\0"),
            ("a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0"),
            ("a.txt", b"cut short: \xe2\x82"),
        ] {
            assert_eq!(mime(name, bytes), None, "{name}");
        }
    }

    #[test]
    fn text_is_refined_by_its_name() {
        for (name, expected) in [
            ("a.txt", "text/plain"),
            ("README", "text/plain"),
            ("a.log", "text/plain"),
            ("a.md", "text/markdown"),
            ("a.CSV", "text/csv"),
            ("a.json", "application/json"),
            ("a.xml", "application/xml"),
            ("a.yml", "application/yaml"),
            ("a.toml", "application/toml"),
            ("a.patch", "text/x-diff"),
            ("main.rs", "text/plain"),
            ("a.js", "text/plain"),
            ("a.css", "text/plain"),
            ("a.svg", "image/svg+xml"),
            ("a.htm", "text/html"),
            ("a.exe", "text/plain"),
        ] {
            assert_eq!(mime(name, b"words"), Some(expected), "{name}");
        }
        assert_eq!(mime("a.txt", b"GIF is a format"), Some("text/plain"));
        assert_eq!(mime("a.txt", b"MZ is a unit"), Some("text/plain"));
    }

    #[test]
    fn html_and_svg_are_recognized_under_any_name() {
        for (bytes, expected) in [
            (&b"<!DOCTYPE html><p>hi"[..], "text/html"),
            (b"\xef\xbb\xbf \n<HTML>", "text/html"),
            (b"<!-- hidden --><script>alert(1)</script>", "text/html"),
            (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "text/html"),
            (b"<?xml version='1.0'?><a:b xmlns:a='http://www.w3.org/1999/xhtml'/>", "text/html"),
            (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml"),
            (b"<?xml version='1.0'?><!-- a --><!DOCTYPE svg><svg/>", "image/svg+xml"),
            (b"<?xml version='1.0'?><feed/>", "application/xml"),
        ] {
            assert_eq!(mime("picture.png", bytes), Some(expected), "{}", String::from_utf8_lossy(bytes));
            assert!(!decide("a.png", bytes, true).unwrap().is_image);
        }
        assert_eq!(mime("a.md", b"<h1 align=center>Title</h1>"), Some("text/markdown"));
        assert_eq!(mime("a.md", b"<!-- never closed"), Some("text/markdown"));
    }

    proptest! {
        #[test]
        fn chunk_boundaries_make_no_difference(text in "\\PC{0,60}", junk in proptest::collection::vec(any::<u8>(), 0..8), at in 0_usize..70) {
            for whole in [text.as_bytes().to_vec(), [text.as_bytes(), &junk].concat()] {
                let mut check = TextCheck::new();
                for piece in whole.chunks(at.max(1)) {
                    check.take(piece);
                }
                prop_assert_eq!(check.finish(), std::str::from_utf8(&whole).is_ok() && !whole.contains(&0));
            }
        }

        #[test]
        fn no_head_makes_it_panic(name in "\\PC{0,20}", head in proptest::collection::vec(any::<u8>(), 0..200)) {
            let kind = decide(&name, &head, is_text(&head));
            prop_assert!(kind.is_none_or(|kind| !kind.mime_type.is_empty()));
        }
    }
}
