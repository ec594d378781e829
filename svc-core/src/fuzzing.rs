//! What `make fuzz` gives whatever chance can think of: each takes any bytes, and panics where a rule does not hold.
//! It is no part of the crate as others build it.

use http::{HeaderMap, HeaderName, HeaderValue};
use svc_model::principals::PublicKey;

use crate::identity::principals::signature::{Digests, check_signature, find};
use crate::identity::principals::{SignedRequest, load_registry};
use crate::messaging::search::{Condition, Query};
use crate::{limits, text};

/// The body of a message.
pub fn mentions(data: &[u8]) {
    let body = String::from_utf8_lossy(data);
    let links = text::links(&body);
    let small = body.to_ascii_lowercase();
    for (names, mark) in [(&links.mentions, '@'), (&links.channels, '#')] {
        assert!(names.len() <= limits::MENTIONS_MAX);
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{name} is named twice");
            assert!(small.contains(&format!("{mark}{name}")), "nobody wrote {mark}{name}");
        }
    }
}

/// What somebody searches for; what SQLite is asked, if there is anything to ask.
pub fn search(data: &[u8]) -> Option<String> {
    let query = Query::parse(&String::from_utf8_lossy(data));
    assert!(query.must.len() + query.must_not.len() <= limits::SEARCH_TERMS_MAX);
    assert!(query.must.iter().chain(&query.must_not).all(|term| !term.words.is_empty()));
    let words = |condition| match condition {
        Condition::Anything => None,
        Condition::Matching(words) | Condition::NotMatching(words) => Some(words),
    };
    assert_eq!(words(query.tsquery()).is_none(), query.is_empty());
    words(query.fts5())
}

/// A registry document.
pub fn registry(data: &[u8]) {
    match load_registry(data) {
        Ok(_) => assert!(serde_json::from_slice::<serde_json::Value>(data).is_ok(), "what is loaded is JSON"),
        Err(faults) => assert!(!faults.is_empty(), "what is refused has a fault"),
    }
}

/// A signed request in lines: two fields of a signature, one of a digest, and the body.
pub fn signature(data: &[u8]) {
    let mut lines = data.splitn(4, |byte| *byte == b'\n');
    let mut headers = HeaderMap::new();
    for name in ["signature-input", "signature", "content-digest"] {
        if let Ok(value) = HeaderValue::from_bytes(lines.next().unwrap_or_default()) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    let body = lines.next().unwrap_or_default();
    if let Ok(digests) = Digests::read(&headers, !body.is_empty()) {
        // Either is an answer.
        drop(digests.check(body));
    }
    let Ok(found) = find(&headers) else { return };
    let claimed = found.claimed().map(|(principal, kid)| (principal.to_owned(), kid.to_owned()));
    let Ok(presented) = found.read(&headers, !body.is_empty()) else { return };
    assert_eq!(claimed, Some((presented.principal_id.clone(), presented.kid.clone())));
    assert!(presented.proof.components.len() <= limits::SIGNATURE_COMPONENTS_MAX);
    let authorities = ["hub.example".to_owned()];
    let request = SignedRequest {
        method: "POST",
        authorities: &authorities,
        path: "/api/machine/events",
        query: None,
        headers: &headers,
        has_body: !body.is_empty(),
    };
    // Nobody has the secret half of this key.
    let nobody = PublicKey([7; 32]);
    assert!(check_signature(&presented.proof, &request, nobody).is_err(), "chance has signed a request");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_comes_is_taken(data in proptest::collection::vec(any::<u8>(), 0..300)) {
            mentions(&data);
            search(&data);
            registry(&data);
            signature(&data);
        }

        #[test]
        fn what_looks_like_something_is_taken(text in r#"([@#"*:;=(){}\[\],\\a-z0-9é \n-]|sig1=|"@method"|"tag"){0,60}"#) {
            mentions(text.as_bytes());
            search(text.as_bytes());
            registry(text.as_bytes());
            signature(text.as_bytes());
        }
    }
}
