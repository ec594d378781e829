//! Browsers that receive push messages, and read them as RFC 8291 says.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{Method, Response};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::SystemRandom;
use serde_json::{Value, json};

use super::people::Person;
use super::receiver::Received;
use super::server::TestServer;

/// A subscription of a browser. Its key reads one message: after that the browser subscribes again.
pub(crate) struct Browser {
    pub(crate) endpoint: String,
    public: Vec<u8>,
    auth: [u8; 16],
    private: Option<EphemeralPrivateKey>,
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

impl Browser {
    pub(crate) fn new(endpoint: impl Into<String>) -> Self {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        let mut auth = [0; 16];
        auth.copy_from_slice(&public[1..17]);
        Self { endpoint: endpoint.into(), public, auth, private: Some(private) }
    }

    /// The subscription as a browser writes it.
    pub(crate) fn json(&self) -> Value {
        let keys = json!({ "p256dh": URL_SAFE_NO_PAD.encode(&self.public), "auth": URL_SAFE_NO_PAD.encode(self.auth) });
        json!({ "endpoint": self.endpoint, "expirationTime": null, "keys": keys, "device": "Test browser" })
    }

    /// Reads a message. A browser that is not the right one cannot.
    pub(crate) fn read(&mut self, received: &Received) -> Value {
        self.try_read(received).expect("the message is for this browser")
    }

    pub(crate) fn try_read(&mut self, received: &Received) -> Option<Value> {
        assert_eq!(received.header("content-encoding"), "aes128gcm");
        let (salt, rest) = received.bytes.split_at(16);
        assert_eq!((&rest[..4], rest[4]), (4096_u32.to_be_bytes().as_slice(), 65));
        let (theirs, record) = rest[5..].split_at(65);
        let info = [b"WebPush: info\0".as_slice(), &self.public, theirs].concat();
        let private = self.private.take().expect("a key reads one message");
        let shared = UnparsedPublicKey::new(&ECDH_P256, theirs);
        let keying: [u8; 32] = agree_ephemeral(private, &shared, |secret| derive(&self.auth, secret, &info)).ok()?;
        let key: [u8; 16] = derive(salt, &keying, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] = derive(salt, &keying, b"Content-Encoding: nonce\0");
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let mut record = record.to_vec();
        let text = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record).ok()?;
        assert!(text.len() <= 3 * 1024 + 1);
        Some(serde_json::from_slice(text.strip_suffix(&[2]).unwrap()).unwrap())
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    Salt::new(HKDF_SHA256, salt).extract(secret).expand(&[info], Length(N)).unwrap().fill(&mut bytes).unwrap();
    bytes
}

impl TestServer {
    pub(crate) async fn try_subscribe(&self, who: &Person, subscription: Value) -> Response {
        self.ask(who, Method::POST, "/api/push/subscriptions", subscription).await
    }

    /// Subscribes a browser with this endpoint, or gives it new keys.
    pub(crate) async fn browser(&self, who: &Person, endpoint: &str) -> Browser {
        let browser = Browser::new(endpoint);
        self.did(who, Method::POST, "/api/push/subscriptions", browser.json()).await;
        browser
    }

    pub(crate) async fn subscriptions(&self, who: &Person) -> Vec<Value> {
        self.look(who, "/api/push/subscriptions").await["items"].as_array().unwrap().clone()
    }

    /// Changes the notification settings.
    pub(crate) async fn attend(&self, who: &Person, change: Value) -> Value {
        self.did(who, Method::PUT, "/api/notifications/settings", change).await
    }
}
