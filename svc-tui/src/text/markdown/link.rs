//! The targets of the links of a text.

use pulldown_cmark::{Event, Tag, TagEnd};
use svc_core::model::names::ArticleSlug;

use super::inline::{Piece, pieces, scheme_length};
use super::{EVENTS_MAX, cut, events};
use crate::text::clean::clean;

/// Where articles are, as in the addresses of the web UI.
const WIKI: &str = "wiki/";

/// The targets of the links of a text, in its order and without repetitions: addresses of the web as they are, and
/// articles as `wiki/slug`. Other schemes are left out, because a program that opens them may do anything.
pub(crate) fn links(source: &str) -> Vec<String> {
    let text = clean(cut(source).0);
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    // Code has no links, and the text of a link is not a second one.
    let mut closed = 0_usize;
    for event in events(&text).take(EVENTS_MAX) {
        let targets = match event {
            Event::Start(Tag::CodeBlock(_)) => {
                closed += 1;
                Vec::new()
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                closed += 1;
                target(&dest_url).into_iter().collect()
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => {
                closed = closed.saturating_sub(1);
                Vec::new()
            }
            Event::Text(text) if closed == 0 => in_text(&clean(&text)),
            _ => Vec::new(),
        };
        found.extend(targets.into_iter().filter(|target| seen.insert(target.clone())));
    }
    found
}

/// The target of a written link, if it can be opened.
pub(super) fn target(address: &str) -> Option<String> {
    if clean(address) != address || address.contains(char::is_whitespace) {
        return None;
    }
    if let Some(host) = scheme_length(address) {
        // Callers recognise the scheme in lower case.
        let (scheme, rest) = address.split_at_checked(host)?;
        return (!rest.is_empty()).then(|| format!("{}{rest}", scheme.to_ascii_lowercase()));
    }
    let slug = address.strip_prefix('/').unwrap_or(address).strip_prefix(WIKI)?;
    ArticleSlug::parse("slug", slug).is_ok().then(|| format!("{WIKI}{slug}"))
}

fn in_text(text: &str) -> Vec<String> {
    let target = |piece| match piece {
        Piece::Address(address) => target(address),
        Piece::Article { slug, .. } => Some(format!("{WIKI}{slug}")),
        Piece::Text(_) | Piece::Name(_) => None,
    };
    pieces(text).into_iter().filter_map(target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_in_order_and_not_repeated() {
        let source = "[a](https://a.example/x) https://b.example, [[deploy|how]] <https://a.example/x>\n\n\
            [w](/wiki/on-call) ![i](http://c.example/i.png)";
        assert_eq!(
            links(source),
            ["https://a.example/x", "https://b.example", "wiki/deploy", "wiki/on-call", "http://c.example/i.png"]
        );
    }

    #[test]
    fn schemes_are_in_lower_case() {
        assert_eq!(links("HTTPS://A.example/X"), ["https://A.example/X"]);
    }

    #[test]
    fn code_and_other_schemes_have_no_targets() {
        let source = "`https://a.example`\n```\nhttps://b.example\n```\n[x](javascript:alert) [y](file:///etc/passwd) \
            [z](https://c.example/&#27;[2J) [r](https://d.example/&#x202e;x)";
        assert!(links(source).is_empty());
    }
}
