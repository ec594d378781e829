//! PKCE: only the client that requested a code can exchange it. S256 is the only method.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Whether a text is a well-formed challenge: 43 to 128 unreserved characters.
pub(crate) fn is_challenge(text: &str) -> bool {
    (43..=128).contains(&text.len()) && text.bytes().all(is_unreserved)
}

/// Whether this verifier matches this challenge; takes the same time for every verifier.
pub(crate) fn verify(challenge: &str, verifier: &str) -> bool {
    let has_form = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    let expected = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    has_form & bool::from(expected.as_bytes().ct_eq(challenge.as_bytes()))
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_the_standard_verifies() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert!(is_challenge(challenge));
        assert!(verify(challenge, verifier));
        assert!(!verify(challenge, challenge));
        assert!(!verify(challenge, ""));
    }

    #[test]
    fn the_form_of_a_challenge_is_checked() {
        for bad in ["", &"a".repeat(42), &"a".repeat(129), &"+".repeat(43), &"ä".repeat(22)] {
            assert!(!is_challenge(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn only_the_right_verifier_matches(verifier in "[A-Za-z0-9._~-]{43,128}", other in "[A-Za-z0-9._~-]{43,128}") {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            prop_assert!(verify(&challenge, &verifier));
            prop_assert_eq!(verify(&challenge, &other), verifier == other);
        }
    }
}
