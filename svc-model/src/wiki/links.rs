//! The links of a text: `[[slug]]` and `[[slug|text]]`, outside of code.

use std::collections::BTreeSet;

use crate::limits;
use crate::names::ArticleSlug;
use crate::text::code_ranges;

/// Maximum length of a link between its brackets, in bytes.
const LINK_MAX: usize = 400;

/// The slugs that a text links to, in order of the alphabet. The running time is linear in its length.
pub fn outgoing_links(body: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    for code in code_ranges(body) {
        collect(body.get(at..code.start).unwrap_or_default(), &mut found);
        at = at.max(code.end);
    }
    collect(body.get(at..).unwrap_or_default(), &mut found);
    found
}

fn collect(prose: &str, found: &mut BTreeSet<String>) {
    let mut rest = prose;
    while let Some(start) = rest.find("[[") {
        rest = rest.get(start + 2..).unwrap_or_default();
        let mut end = rest.len().min(LINK_MAX);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let Some(end) = rest.get(..end).and_then(|window| window.find("]]")) else { continue };
        let link = rest.get(..end).unwrap_or_default();
        let slug = link.split('|').next().unwrap_or_default().trim();
        if slug.len() <= *limits::ARTICLE_SLUG.end() && ArticleSlug::parse("slug", slug).is_ok() {
            found.insert(slug.to_owned());
            rest = rest.get(end + 2..).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(body: &str) -> Vec<String> {
        outgoing_links(body).into_iter().collect()
    }

    #[test]
    fn links_have_a_slug_and_perhaps_a_text() {
        assert_eq!(links("See [[deploy]], [[on-call|who is on call]] and [[deploy]]."), ["deploy", "on-call"]);
        assert_eq!(links("[[ deploy ]] [[a]] [[A b]] [[..]] [[x"), ["deploy"]);
        assert_eq!(links("[[[[deploy]]]] [[wrong [[run-book]]"), ["deploy", "run-book"]);
    }

    #[test]
    fn code_has_no_links() {
        assert_eq!(links("`[[no]]` [[yes]]\n```\n[[no]]\n```\n[[too]]"), ["too", "yes"]);
    }

    #[test]
    fn many_open_brackets_take_linear_time() {
        let started = std::time::Instant::now();
        assert!(links(&"[[".repeat(128 * 1024)).is_empty());
        assert!(started.elapsed().as_secs() < 5);
    }
}
