//! Entity tags of articles: the revision, and a hash of the answer, such as `"7-5f0c6d3a9be21478"`.
//!
//! Invariants: a tag is strong, so answers with different bytes have different tags, in each content coding; a change
//! is based on the revision of a tag alone, so a tag of any coding is accepted.

use poem::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use svc_core::{Error, Result};

use crate::middleware::compression;

/// The tag of an answer to a request with these headers.
pub(super) fn of(revision: i64, body: &[u8], content_type: &str, headers: &HeaderMap) -> String {
    let coding = compression::negotiate(headers).filter(|_| compression::is_worth_it(content_type, body.len()));
    let mut digest = Sha256::new_with_prefix(coding.map_or("", compression::Coding::name));
    digest.update(body);
    let word = digest.finalize().iter().take(8).fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
    format!("\"{revision}-{word:016x}\"")
}

/// Whether the client states that it has the answer with this tag.
pub(super) fn is_had(headers: &HeaderMap, tag: &str) -> bool {
    let named =
        |line: &str| line.trim() == "*" || line.split(',').any(|had| had.trim().trim_start_matches("W/") == tag);
    headers.get_all(header::IF_NONE_MATCH).iter().any(|line| line.to_str().is_ok_and(named))
}

/// The revision that a change is based on, from the header and from the body.
pub(super) fn base_revision(if_match: Option<&str>, in_body: Option<i64>) -> Result<Option<i64>> {
    let Some(tag) = if_match else { return Ok(in_body) };
    let refusal = || Error::invalid("If-Match", "must be one ETag of the article, or a revision in quotes like \"7\"");
    let revision = revision(tag).ok_or_else(refusal)?;
    match in_body {
        Some(other) if other != revision => {
            Err(Error::invalid("If-Match", format!("must name the revision of base_revision, which is {other}")))
        }
        _ => Ok(Some(revision)),
    }
}

/// The revision of a tag.
fn revision(tag: &str) -> Option<i64> {
    let tag = tag.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (digits, hash) = tag.split_once('-').unwrap_or((tag, "0"));
    let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|number| is_hash && is_number && *number > 0)
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    const JSON: &str = "application/json";

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_tag_names_the_revision_and_the_bytes() {
        let plain = HeaderMap::new();
        let tag = of(7, b"text", JSON, &plain);
        assert!(tag.starts_with("\"7-") && tag.len() == 3 + 16 + 1, "{tag}");
        assert_eq!(revision(&tag), Some(7));
        assert_ne!(tag, of(7, b"other", JSON, &plain));
        assert_ne!(tag, of(8, b"text", JSON, &plain));
    }

    #[test]
    fn each_coding_has_its_own_tag_where_it_is_used() {
        let packed = headers(header::ACCEPT_ENCODING, "gzip");
        let (short, long) = (vec![b'x'; 10], vec![b'x'; 10_000]);
        assert_eq!(of(1, &short, JSON, &packed), of(1, &short, JSON, &HeaderMap::new()));
        assert_ne!(of(1, &long, JSON, &packed), of(1, &long, JSON, &HeaderMap::new()));
        assert_ne!(of(1, &long, JSON, &packed), of(1, &long, JSON, &headers(header::ACCEPT_ENCODING, "br")));
    }

    #[test]
    fn a_client_may_have_one_of_several_answers() {
        for value in ["\"7-ab\"", "\"6-cd\", \"7-ab\"", "W/\"7-ab\"", "*"] {
            assert!(is_had(&headers(header::IF_NONE_MATCH, value), "\"7-ab\""), "{value}");
        }
        for value in ["\"7-abc\"", "7-ab", "", "\"*\""] {
            assert!(!is_had(&headers(header::IF_NONE_MATCH, value), "\"7-ab\""), "{value}");
        }
    }

    #[test]
    fn a_change_names_its_base_in_the_header_or_in_the_body() {
        let asked = |if_match, in_body| base_revision(if_match, in_body).map_err(|error| error.fields()[0].clone());
        assert_eq!(asked(None, None), Ok(None));
        assert_eq!(asked(None, Some(3)), Ok(Some(3)));
        assert_eq!(asked(Some("\"7\""), None), Ok(Some(7)));
        assert_eq!(asked(Some(" \"7-5f0c6d3a9be21478\" "), Some(7)), Ok(Some(7)));
        assert_eq!(asked(Some("\"7\""), Some(8)).unwrap_err().field, "If-Match");
        for tag in [
            "",
            "*",
            "7",
            "\"\"",
            "\"0\"",
            "\"-1\"",
            "\"+7\"",
            "\"7-\"",
            "\"7-xyz\"",
            "\"7\", \"8\"",
            "W/\"7\"",
            "\"99999999999999999999\"",
            "\"seven\"",
            "\"",
        ] {
            assert_eq!(asked(Some(tag), None).unwrap_err().field, "If-Match", "{tag}");
        }
    }
}
