//! Identifying the hub to a push service: a signed token (RFC 8292).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use url::Url;

use crate::error::{Error, Result};
use crate::limits;
use crate::timestamp::Timestamp;

/// The contact in the token of a hub that has no https address.
const NO_CONTACT: &str = "mailto:push@localhost";

/// The key pair of a hub.
pub(super) struct Signer {
    pair: EcdsaKeyPair,
    /// The public key in base64url.
    public_key: String,
    contact: String,
}

/// A new private key as PKCS #8. The library takes its random bytes from the system alone.
pub(super) fn generate() -> Result<Vec<u8>> {
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    Ok(document.map_err(|_| Error::internal("no key for push messages could be made"))?.as_ref().to_vec())
}

impl Signer {
    /// The key pair of a stored private key. `base_url` is the address of the hub, which operators of push services
    /// can use to find its operator.
    pub(super) fn new(private_key: &[u8], base_url: Option<&str>) -> Result<Self> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private_key, &SystemRandom::new())
            .map_err(|_| Error::internal("the key for push messages cannot be read"))?;
        let public_key = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        let contact = base_url.filter(|url| url.starts_with("https://")).unwrap_or(NO_CONTACT);
        Ok(Self { pair, public_key, contact: contact.to_owned() })
    }

    /// The public key, as a browser takes it.
    pub(super) fn public_key(&self) -> &str {
        &self.public_key
    }

    /// The public key as bytes.
    pub(super) fn public_bytes(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }

    /// The header `Authorization` of a request to this push service.
    pub(super) fn authorization(&self, endpoint: &Url, now: Timestamp) -> Result<String> {
        let expires = now.plus(limits::PUSH_TOKEN_TTL).as_micros().div_euclid(1_000_000);
        let header = json!({ "typ": "JWT", "alg": "ES256" });
        let origin = endpoint.origin().ascii_serialization();
        let claims = json!({ "aud": origin, "exp": expires, "sub": self.contact });
        let encode = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encode(&header), encode(&claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| Error::internal("a push message could not be signed"))?;
        let signature = URL_SAFE_NO_PAD.encode(signature.as_ref());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public_key))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_token_is_for_one_service_and_verifies_with_the_public_key() {
        let private = generate().unwrap();
        let signer = Signer::new(&private, Some("https://hub.example.org")).unwrap();
        let now = Timestamp::from_micros(1_767_225_600_000_000);
        let endpoint = Url::parse("https://push.example.net:8443/send/abc?d=e").unwrap();
        let header = signer.authorization(&endpoint, now).unwrap();
        let (token, key) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!((key, key.len()), (signer.public_key(), 87));
        let (content, signature) = token.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, URL_SAFE_NO_PAD.decode(key).unwrap());
        public.verify(content.as_bytes(), &signature).unwrap();
        assert!(public.verify(b"other", &signature).is_err());
        let claims = URL_SAFE_NO_PAD.decode(content.split_once('.').unwrap().1).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        let expected = json!({ "aud": "https://push.example.net:8443", "exp": 1_767_268_800,
                               "sub": "https://hub.example.org" });
        assert_eq!(claims, expected);
        for url in [Some("http://127.0.0.1:8080"), None] {
            assert_eq!(Signer::new(&private, url).unwrap().contact, NO_CONTACT);
        }
    }
}
