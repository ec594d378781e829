//! Text by others, made safe to display.
//!
//! Invariants: a displayed text has no character that hides, reorders or breaks the text around it, and its length is
//! limited. Escaping is done by the templates.

use std::net::IpAddr;

/// A text on one line of at most `most` characters, without invisible characters.
pub(super) fn shown(text: &str, most: usize) -> String {
    let words = visible(text);
    if words.chars().count() <= most {
        return words;
    }
    let kept: String = words.chars().take(most).collect();
    format!("{}…", kept.trim_end())
}

/// A host that is too long to show keeps its end, which contains the registered domain.
pub(super) fn shown_host(host: &str) -> String {
    const LONGEST: usize = 253;
    let host = visible(host);
    match host.char_indices().rev().nth(LONGEST) {
        Some((at, cut)) => format!("…{}", &host[at + cut.len_utf8()..]),
        None => host,
    }
}

/// Whether every character is visible or a space.
pub(super) fn is_visible(text: &str) -> bool {
    !text.chars().any(hides)
}

fn visible(text: &str) -> String {
    let mut words = String::new();
    for character in text.chars() {
        if character.is_whitespace() {
            if !words.ends_with(' ') {
                words.push(' ');
            }
        } else if !hides(character) {
            words.push(character);
        }
    }
    words.trim().to_owned()
}

/// Control characters, direction marks, and characters without width or that look like a space.
fn hides(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a host, with or without a port, is the computer on which the browser runs.
pub(super) fn is_this_computer(host: &str) -> bool {
    let bare = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        // More than one colon without brackets is a bare IPv6 address.
        None if host.matches(':').count() == 1 => host.split(':').next().unwrap_or(host),
        None => host,
    };
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A path on this server, or nothing: a link must not lead to another site or run a script.
pub(super) fn own_path(address: &str) -> Option<&str> {
    let own = address.starts_with('/') && !address.starts_with("//") && !address.contains(['\\', '\t', '\r', '\n']);
    own.then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hiding_and_reordering_characters_are_removed() {
        assert_eq!(shown("  a\u{202e}b\n\n\tc\u{200b}\u{0}d  ", 100), "ab cd");
        assert_eq!(shown("\u{200b}\u{3164}\u{2800}", 100), "");
        assert_eq!(shown("Ünïcödé 名前 🦀", 100), "Ünïcödé 名前 🦀");
        assert!(is_visible("My Hub") && !is_visible("My\u{202e}Hub") && !is_visible("My\nHub"));
    }

    #[test]
    fn a_long_text_keeps_its_start_and_a_long_host_its_end() {
        assert_eq!(shown(&"x".repeat(10_000), 80).chars().count(), 81);
        assert_eq!(shown("ab cd", 3), "ab…");
        let host = format!("{}.owner.example", "bank.example.".repeat(1000));
        assert!(shown_host(&host).starts_with('…'));
        assert!(shown_host(&host).ends_with(".owner.example"));
        assert_eq!(shown_host("hub.example:8080"), "hub.example:8080");
    }

    #[test]
    fn only_loopback_is_this_computer() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.9.9.9:1", "[::1]:33418", "[::1]", "::1"] {
            assert!(is_this_computer(host), "{host}");
        }
        for host in ["localhost.example", "127.0.0.1.example", "10.0.0.1", "[::2]:1", "", "example:127"] {
            assert!(!is_this_computer(host), "{host}");
        }
    }

    #[test]
    fn a_link_stays_on_this_server() {
        assert_eq!(own_path("/login?switch=1&next=%2F"), Some("/login?switch=1&next=%2F"));
        for address in ["javascript:alert(1)", "//elsewhere.example", "/\\elsewhere", "/\t/elsewhere", "https://a", ""]
        {
            assert_eq!(own_path(address), None, "{address}");
        }
    }
}
