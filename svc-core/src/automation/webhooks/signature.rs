//! Signatures of deliveries, as Standard Webhooks defines them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::secret::Secret;

/// The header `webhook-signature`: one signature for each secret, separated by a space.
pub(in crate::automation) fn header(secrets: &[Secret], id: &str, timestamp: i64, body: &str) -> String {
    let signatures: Vec<_> = secrets.iter().map(|secret| format!("v1,{}", sign(secret, id, timestamp, body))).collect();
    signatures.join(" ")
}

fn sign(secret: &Secret, id: &str, timestamp: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("an HMAC takes a key of any length");
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body.as_bytes());
    STANDARD.encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_has_its_signature() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = r#"{"test": 2432232314}"#;
        let header = header(std::slice::from_ref(&secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(header, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn two_secrets_make_two_signatures() {
        let secrets = [Secret::from_bytes(vec![1; 24]), Secret::from_bytes(vec![2; 24])];
        let both = header(&secrets, "a", 1, "{}");
        let (first, second) = both.split_once(' ').unwrap();
        assert_eq!(first, header(&secrets[..1], "a", 1, "{}"));
        assert_eq!(second, header(&secrets[1..], "a", 1, "{}"));
    }
}
