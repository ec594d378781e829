//! Tests of signatures with the vectors of the standards, and with random input.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderName, HeaderValue, Request};
use proptest::prelude::*;
use svc_client::machine::{SecretKey, Signer};
use svc_model::principals::PublicKey;
use svc_model::signature::content_digest;

use super::*;
use crate::clock::Clock;
use crate::error::Result;
use crate::limits;
use crate::timestamp::Timestamp;

/// 2026-01-01T00:00:00Z.
const NOW: i64 = 1_767_225_600;

#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(NOW * 1_000_000)
    }
}

fn key() -> SecretKey {
    SecretKey::from_bytes(&[7; 32])
}

fn public_key() -> PublicKey {
    PublicKey(URL_SAFE_NO_PAD.decode(key().public_key_base64url()).unwrap().try_into().unwrap())
}

/// A request whose parts can be changed.
#[derive(Debug, Clone)]
struct Sent {
    method: String,
    authority: String,
    path: String,
    query: Option<String>,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Sent {
    fn signed(method: &str, address: &str, body: &[u8]) -> Self {
        let mut request = Request::builder().method(method).uri(address).body(body.to_vec()).unwrap();
        let signer = Signer::new("svc:sense:door-1", "door-key-1", key()).unwrap().with_clock(Arc::new(Still));
        signer.sign(&mut request).unwrap();
        let (parts, body) = request.into_parts();
        let over_tls = parts.uri.scheme_str() == Some("https");
        Self {
            method: parts.method.to_string(),
            authority: normal_authority(parts.uri.authority().unwrap().as_str(), over_tls),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().map(ToOwned::to_owned),
            headers: parts.headers,
            body,
        }
    }

    fn usual() -> Self {
        Self::signed("POST", "https://hub.example/api/machine/events?dry=1", b"{\"events\": []}")
    }

    fn field(&self, name: &str) -> String {
        self.headers[name].to_str().unwrap().to_owned()
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        self
    }

    /// Changes `Signature-Input`.
    fn input(self, change: impl FnOnce(&str) -> String) -> Self {
        let changed = change(&self.field("signature-input"));
        self.with("signature-input", &changed)
    }

    /// Signs again over the current `Signature-Input`, so that only its content can be wrong.
    fn signed_again(self) -> Self {
        let Ok(presented) = find(&self.headers).and_then(|found| found.read(&HeaderMap::new(), false)) else {
            return self;
        };
        let Self { method, authority, path, query, headers, .. } = &self;
        let covered = Covered { method, authority, path, query: query.as_deref(), headers };
        let base = signature_base(&covered, &presented.proof.components, &presented.proof.parameters).unwrap();
        let signature = format!("sig1=:{}:", STANDARD.encode(key().sign(base.as_bytes())));
        self.with("signature", &signature)
    }

    fn request<'s>(&'s self, authorities: &'s [String]) -> SignedRequest<'s> {
        SignedRequest {
            method: &self.method,
            authorities,
            path: &self.path,
            query: self.query.as_deref(),
            headers: &self.headers,
            has_body: !self.body.is_empty(),
        }
    }

    fn verdict(&self) -> Result<()> {
        let authorities = [self.authority.clone()];
        let request = self.request(&authorities);
        let presented = find(request.headers)?.read(request.headers, request.has_body)?;
        check_time(&presented, Still.now())?;
        let digests = Digests::read(request.headers, request.has_body)?;
        check_signature(&presented.proof, &request, public_key())?;
        digests.check(&self.body)
    }

    fn code(&self) -> &'static str {
        self.verdict().err().map_or("accepted", |error| error.code())
    }
}

/// The request of appendix B.2 of RFC 9421 with the signature of B.2.6, as it is sent.
fn rfc_vector() -> Sent {
    let fields = [
        ("host", "example.com"),
        ("date", "Tue, 20 Apr 2021 02:07:55 GMT"),
        ("content-type", "application/json"),
        (
            "content-digest",
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
        ),
        ("content-length", "18"),
        (
            "signature-input",
            "sig-b26=(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")\
             ;created=1618884473;keyid=\"test-key-ed25519\"",
        ),
        (
            "signature",
            "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:",
        ),
    ];
    let headers = fields.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    Sent {
        method: "POST".into(),
        authority: normal_authority("example.com", true),
        path: "/foo".into(),
        query: Some("param=Value&Pet=dog".into()),
        headers: headers.collect(),
        body: b"{\"hello\": \"world\"}".to_vec(),
    }
}

/// Verifies a request without the rules for the parameters of this hub: the vector has no tag, no nonce and
/// none of our names.
fn proved_by_rfc_key(sent: &Sent) -> Result<()> {
    let key = STANDARD.decode("JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=").unwrap();
    let found = parse::find_by(&sent.headers, |_| true)?;
    let components = found.components()?;
    let proof = found.proof(components)?;
    let authorities = [sent.authority.clone()];
    check_signature(&proof, &sent.request(&authorities), PublicKey(key.try_into().unwrap()))?;
    Digests::read(&sent.headers, true)?.check(&sent.body)
}

#[test]
fn the_vector_of_rfc_9421_verifies() {
    proved_by_rfc_key(&rfc_vector()).unwrap();
    // The sender chooses the spaces.
    let spaced = rfc_vector().input(|input| input.replace("\" \"", "\"   \"").replace(";created", "; created"));
    proved_by_rfc_key(&spaced).unwrap();
    let code = |sent: &Sent| proved_by_rfc_key(sent).unwrap_err().code();
    assert_eq!(code(&Sent { method: "PUT".into(), ..rfc_vector() }), "signature_invalid");
    assert_eq!(code(&Sent { authority: "example.org".into(), ..rfc_vector() }), "signature_invalid");
    assert_eq!(code(&rfc_vector().with("date", "Tue, 20 Apr 2021 02:07:56 GMT")), "signature_invalid");
    assert_eq!(code(&rfc_vector().input(|input| input.replace("1618884473", "1618884474"))), "signature_invalid");
    assert_eq!(code(&Sent { body: b"{\"hello\": \"World\"}".to_vec(), ..rfc_vector() }), "digest_mismatch");
    // Without our tag it does not count here.
    assert_eq!(rfc_vector().code(), "signature_tag");
}

fn digest_verdict(value: &str, body: &[u8]) -> &'static str {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_DIGEST, HeaderValue::from_str(value).unwrap());
    let checked = Digests::read(&headers, !body.is_empty()).and_then(|digests| digests.check(body));
    checked.err().map_or("accepted", |error| error.code())
}

#[test]
fn the_digests_of_rfc_9530_match() {
    let body = b"{\"hello\": \"world\"}\n";
    let short = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
    let long = "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:";
    assert_eq!(content_digest(body), short);
    for value in [short, long, &format!("{short}, {long}"), &format!("md5=:AAAA:, {long}")] {
        assert_eq!(digest_verdict(value, body), "accepted", "{value}");
        assert_eq!(digest_verdict(value, b"{\"hello\": \"World\"}\n"), "digest_mismatch", "{value}");
    }
    // Both must match where both are given.
    let wrong = long.replace("YMAa", "YMAb");
    assert_eq!(digest_verdict(&format!("{short}, {wrong}"), body), "digest_mismatch");
    for value in ["md5=:AAAA:", "", "sha-256", "sha-256=AAAA", "sha-256=\"x\"", "((", &format!("{short}, {short}")] {
        assert_eq!(digest_verdict(value, body), "digest_missing", "{value}");
    }
    assert_eq!(digest_verdict(short, b""), "digest_mismatch");
}

#[test]
fn missing_parts_have_their_own_codes() {
    let without = |part: &'static str| Sent::usual().input(|input| input.replace(part, "")).signed_again().code();
    assert_eq!(Sent::usual().code(), "accepted");
    for component in ["\"@method\" ", "\"@authority\" ", "\"@path\" ", "\"@query\" ", " \"content-digest\""] {
        assert_eq!(without(component), "signature_component_missing", "{component}");
    }
    assert_eq!(without(";alg=\"ed25519\""), "signature_parameter_missing");
    assert_eq!(without(";keyid=\"svc:sense:door-1/door-key-1\""), "signature_parameter_missing");
    assert_eq!(without(";created=1767225600"), "signature_parameter_missing");
    assert_eq!(without(";tag=\"svc.machine/v1\""), "signature_tag");
    let bare = |name: &str| {
        let mut sent = Sent::usual();
        sent.headers.remove(name);
        sent.code()
    };
    assert_eq!([bare("signature"), bare("signature-input")], ["signature_missing"; 2]);
    assert_eq!(bare("content-digest"), "digest_missing");
}

#[test]
fn invalid_parts_have_their_own_codes() {
    let changed = |from: &str, to: &str| Sent::usual().input(|input| input.replace(from, to)).signed_again().code();
    for (from, to, code) in [
        ("ed25519", "hmac-sha256", "signature_algorithm"),
        ("alg=\"ed25519\"", "alg=ed25519", "signature_malformed"),
        ("svc.machine/v1", "svc.machine/v2", "signature_tag"),
        ("created=1767225600", "created=1767225299", "signature_stale"),
        ("created=1767225600", "created=1767225300", "accepted"),
        ("created=1767225600", "created=1767225900", "accepted"),
        ("created=1767225600", "created=1767225901", "signature_future"),
        ("created=1767225600", "created=999999999999999", "signature_future"),
        ("created=1767225600", "created=-999999999999999", "signature_stale"),
        ("created=1767225600", "created=1767225600.5", "signature_malformed"),
        ("created=1767225600", "created=1767225600;expires=1767225600", "signature_stale"),
        ("created=1767225600", "created=1767225600;expires=1767225601", "accepted"),
        ("created=1767225600", "created=1767225600;expires=\"later\"", "signature_malformed"),
        ("\"@path\"", "\"@path\" \"@path\"", "signature_malformed"),
        ("\"@path\"", "\"@path\";req", "signature_malformed"),
        ("\"content-digest\"", "\"content-digest\";sf", "signature_malformed"),
        ("\"content-digest\"", "\"content-digest\";key=\"sha-256\"", "signature_malformed"),
        ("\"@path\"", "\"@path\" \"@target-uri\"", "signature_malformed"),
        ("\"@path\"", "\"@path\" \"@query-param\";name=\"a\"", "signature_malformed"),
        ("\"@path\"", "\"@path\" \"Content-Type\"", "signature_malformed"),
        ("\"@path\"", "\"@path\" path", "signature_malformed"),
        ("\"@path\"", "\"@path\" \"x\\\"y\"", "signature_malformed"),
        ("svc:sense:door-1/", "svc:sense:door-1", "signature_malformed"),
        ("svc:sense:door-1/", "/", "signature_malformed"),
        ("svc:sense:door-1/", "svc:sense:door-1/x/", "signature_malformed"),
        ("created=1767225600", "created=1;created=1767225600", "signature_malformed"),
        (";alg=", ";alg=\"ed25519\";alg=", "signature_malformed"),
        ("\"@path\"", "\"@path\";a;a", "signature_malformed"),
        ("sig1=(", "sig1=((", "signature_malformed"),
        ("sig1=", "sig2=", "signature_malformed"),
    ] {
        assert_eq!(changed(from, to), code, "{from} as {to}");
    }
    let sent = Sent::usual().input(|input| input.replace("\"@path\"", "\"@path\" \"x-absent\""));
    assert_eq!(sent.code(), "signature_component_missing");
    for nonce in ["", "1234567", "with space", &"n".repeat(129)] {
        let sent = Sent::usual().input(|input| {
            let (before, rest) = input.split_once("nonce=\"").unwrap();
            let (_, after) = rest.split_once('"').unwrap();
            format!("{before}nonce=\"{nonce}\"{after}")
        });
        assert_eq!(sent.code(), "signature_malformed", "{nonce:?}");
    }
}

#[test]
fn only_the_signature_with_our_tag_counts() {
    let sent = Sent::usual();
    let (input, signature) = (sent.field("signature-input"), sent.field("signature"));
    let both = |more_input: &str, more_signature: &str| {
        let changed = sent.clone().with("signature-input", &format!("{more_input}, {input}"));
        changed.with("signature", &format!("{more_signature}, {signature}")).code()
    };
    assert_eq!(both("proxy=(\"@method\");tag=\"proxy\"", "proxy=:AAAA:"), "accepted");
    assert_eq!(both("proxy=(\"@method\")", "proxy=:AAAA:"), "accepted");
    let second = input.replace("sig1=", "sig2=");
    assert_eq!(both(&second, &signature.replace("sig1=", "sig2=")), "signature_ambiguous");
    assert_eq!(both(&input, "sig2=:AAAA:"), "signature_malformed", "one label twice");
    assert_eq!(both("x=1", &signature), "signature_malformed", "one label twice");
    let mut apart = sent.clone();
    apart.headers.append("signature-input", HeaderValue::from_static("other=()"));
    assert_eq!(apart.code(), "accepted", "a field may come in two lines");
}

#[test]
fn additional_components_may_be_covered() {
    let sent = Sent::usual().with("content-type", "application/json");
    let mut sent = sent.input(|input| input.replace("\"@path\"", "\"@path\" \"content-type\"")).signed_again();
    assert_eq!(sent.code(), "accepted");
    sent.headers.append("content-type", HeaderValue::from_static("text/plain"));
    assert_eq!(sent.code(), "signature_invalid");
}

#[test]
fn conditional_headers_must_be_covered() {
    for name in CONDITIONS {
        let sent = Sent::usual().with(name, "\"3\"");
        assert_eq!(sent.code(), "signature_component_missing", "{name}");
        let covers = format!("\"@path\" \"{name}\"");
        let sent = sent.input(|input| input.replace("\"@path\"", &covers)).signed_again();
        assert_eq!(sent.code(), "accepted", "{name}");
        assert_eq!(sent.with(name, "\"4\"").code(), "signature_invalid", "{name}");
    }
}

#[test]
fn the_signer_covers_conditional_headers() {
    let mut request = http::Request::put("https://hub.example/api/machine/source-configs/door").body("{}").unwrap();
    request.headers_mut().insert("if-match", HeaderValue::from_static("\"3\""));
    Signer::new("svc:sense:door-1", "door-key-1", key()).unwrap().sign(&mut request).unwrap();
    assert_eq!(request.headers().get_all("if-match").iter().count(), 1);
    assert!(request.headers()["signature-input"].to_str().unwrap().contains("\"content-digest\" \"if-match\")"));
}

#[test]
fn oversized_fields_are_not_parsed() {
    let covering = |count: usize| {
        let more = (0..count).fold("\"@path\"".to_owned(), |more, number| format!("{more} \"x-{number}\""));
        Sent::usual().input(|input| input.replace("\"@path\"", &more))
    };
    let mut most = covering(limits::SIGNATURE_COMPONENTS_MAX - 5);
    for number in 0..limits::SIGNATURE_COMPONENTS_MAX - 5 {
        most.headers.insert(HeaderName::try_from(format!("x-{number}")).unwrap(), HeaderValue::from_static("1"));
    }
    assert_eq!(most.signed_again().code(), "accepted");
    let told = |sent: &Sent| sent.verdict().unwrap_err().message().to_owned();
    assert!(told(&covering(limits::SIGNATURE_COMPONENTS_MAX)).contains("more than 32 components"));
    let long = covering(2_000);
    assert!(long.field("signature-input").len() > limits::SIGNATURE_FIELD_MAX);
    assert_eq!(long.code(), "signature_malformed");
    assert!(told(&long).contains("at most 8192 bytes"));
    // Split into many lines it has the same length.
    let mut apart = Sent::usual();
    for number in 0..1_000 {
        apart.headers.append("signature", HeaderValue::from_str(&format!("x{number}=:AAAA:")).unwrap());
    }
    assert!(told(&apart).contains("at most 8192 bytes"));
}

#[test]
fn a_request_without_a_body_needs_no_digest() {
    let mut sent = Sent::signed("GET", "http://127.0.0.1:8080/api/machine/evidence", b"");
    assert!(!sent.headers.contains_key("content-digest"));
    assert_eq!(sent.code(), "accepted");
    sent.query = Some(String::new());
    // A question mark with nothing after it is signed like an empty query.
    assert_eq!(sent.code(), "accepted");
    sent.body = b"{}".to_vec();
    assert_eq!(sent.code(), "signature_component_missing");
}

#[test]
fn a_weak_key_verifies_nothing() {
    // The point of order one: with it a signature of zeros verifies over everything, unless verification is
    // strict.
    let mut identity = [0; 32];
    identity[0] = 1;
    let mut signature = [0; 64];
    signature[0] = 1;
    assert!(!verify::is_by(PublicKey(identity), &signature, b"anything"));
}

fn flip(bytes: &mut [u8], bit: usize) {
    let place = bit % (bytes.len() * 8);
    bytes[place / 8] ^= 1 << (place % 8);
}

fn flipped(text: &str, bit: usize) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    if bytes.is_empty() {
        return None;
    }
    flip(&mut bytes, bit);
    String::from_utf8(bytes).ok()
}

proptest! {
    #[test]
    fn signed_requests_verify(
        method in "GET|PUT|POST|DELETE",
        host in "[a-z]{1,8}(\\.[A-Z]{2,3})?(:[1-9][0-9]{1,3})?",
        path in "(/[a-zA-Z0-9%._~-]{0,8}){1,4}",
        query in proptest::option::of("[a-zA-Z0-9%=&+-]{0,20}"),
        body in proptest::collection::vec(any::<u8>(), 0..200),
        scheme in "https?",
    ) {
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        let sent = Sent::signed(&method, &format!("{scheme}://{host}{path}{query}"), &body);
        prop_assert_eq!(sent.code(), "accepted");
    }

    #[test]
    fn a_changed_bit_is_rejected(part in 0_usize..7, bit in any::<usize>()) {
        let mut sent = Sent::usual();
        let changed = match part {
            0 => flipped(&sent.method, bit).map(|method| sent.method = method),
            1 => flipped(&sent.authority, bit).map(|authority| sent.authority = authority),
            2 => flipped(&sent.path, bit).map(|path| sent.path = path),
            3 => flipped("dry=1", bit).map(|query| sent.query = Some(query)),
            4 => {
                flip(&mut sent.body, bit);
                Some(())
            }
            5 => flipped(&sent.field("signature-input"), bit)
                .and_then(|input| HeaderValue::from_str(&input).ok())
                .map(|input| drop(sent.headers.insert("signature-input", input))),
            _ => {
                let signature = sent.field("signature");
                let mut bytes = STANDARD.decode(signature.trim_start_matches("sig1=").trim_matches(':')).unwrap();
                flip(&mut bytes, bit);
                sent = sent.with("signature", &format!("sig1=:{}:", STANDARD.encode(bytes)));
                Some(())
            }
        };
        if changed.is_some() {
            prop_assert_ne!(sent.code(), "accepted");
        }
    }

    #[test]
    fn arbitrary_field_bytes_do_not_panic(
        input in proptest::collection::vec(any::<u8>(), 0..120),
        signature in proptest::collection::vec(any::<u8>(), 0..60),
        digest in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let mut sent = Sent::usual();
        for (name, bytes) in [("signature-input", input), ("signature", signature), ("content-digest", digest)] {
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                sent.headers.insert(name, value);
                prop_assert_ne!(sent.code(), "accepted");
            }
        }
    }

    #[test]
    fn signature_like_text_does_not_panic(input in "sig1=\\((\"[@a-z-]{0,9}\"(;[a-z]{1,3})?[ ]?){0,4}\\)(;(created|nonce|tag|alg|keyid)=(\"[ -~]{0,9}\"|-?[0-9]{1,16}|:[A-Za-z]*=*:)){0,5}") {
        if let Ok(value) = HeaderValue::from_str(&input) {
            let mut sent = Sent::usual();
            sent.headers.insert("signature-input", value);
            prop_assert_ne!(sent.code(), "accepted");
        }
    }
}
