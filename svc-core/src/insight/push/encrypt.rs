//! Encryption of a push message for one browser: `aes128gcm` (RFC 8188) with the keys of RFC 8291.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::SystemRandom;

use crate::error::{Error, Result};

/// Size of a public key: an uncompressed point on P-256.
pub(super) const PUBLIC_KEY: usize = 65;
/// Size of the authentication secret of a browser.
pub(super) const AUTH: usize = 16;
const SALT: usize = 16;
/// The record size in the header. A message is one record.
const RECORD: u32 = 4096;
/// The delimiter after the last record.
const LAST: u8 = 2;

/// The length of derived bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Encrypts a message for a browser. The ephemeral key is made by the cryptographic library, which takes its random
/// bytes from the system alone.
pub(super) fn encrypt(text: &[u8], public_key: &[u8], auth: &[u8], salt: [u8; SALT]) -> Result<Vec<u8>> {
    let fault = || Error::internal("a push message could not be encrypted");
    let ours = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).map_err(|_| fault())?;
    let our_public = ours.compute_public_key().map_err(|_| fault())?;
    let our_public = our_public.as_ref().to_vec();
    let theirs = UnparsedPublicKey::new(&ECDH_P256, public_key);
    let info = [b"WebPush: info\0".as_slice(), public_key, &our_public].concat();
    let keying = agree_ephemeral(ours, &theirs, |shared| derive::<32>(auth, shared, &info))
        .map_err(|_| Error::invalid("keys.p256dh", "must be a point on the curve P-256"))?
        .ok_or_else(fault)?;
    let key: [u8; 16] = derive(&salt, &keying, b"Content-Encoding: aes128gcm\0").ok_or_else(fault)?;
    let nonce: [u8; 12] = derive(&salt, &keying, b"Content-Encoding: nonce\0").ok_or_else(fault)?;
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).map_err(|_| fault())?);
    let mut record = [text, &[LAST]].concat();
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)
        .map_err(|_| fault())?;
    let mut message = Vec::with_capacity(SALT + 5 + PUBLIC_KEY + record.len());
    message.extend_from_slice(&salt);
    message.extend_from_slice(&RECORD.to_be_bytes());
    message.push(u8::try_from(our_public.len()).map_err(|_| fault())?);
    message.extend_from_slice(&our_public);
    message.extend_from_slice(&record);
    Ok(message)
}

/// Whether bytes are a point on the curve, so that messages can be encrypted for it.
pub(super) fn is_public_key(public_key: &[u8]) -> bool {
    public_key.len() == PUBLIC_KEY && encrypt(b"", public_key, &[0; AUTH], [0; SALT]).is_ok()
}

/// Extracts and expands (RFC 5869).
fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let expanded = Salt::new(HKDF_SHA256, salt).extract(secret);
    expanded.expand(&[info], Length(N)).ok()?.fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser() -> (EphemeralPrivateKey, Vec<u8>) {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        (private, public)
    }

    /// Reads a message as a browser does.
    fn decrypt(message: &[u8], private: EphemeralPrivateKey, public: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
        let (salt, rest) = message.split_at(SALT);
        assert_eq!((&rest[..4], rest[4]), (RECORD.to_be_bytes().as_slice(), 65));
        let (theirs, record) = rest[5..].split_at(PUBLIC_KEY);
        let info = [b"WebPush: info\0".as_slice(), public, theirs].concat();
        let shared = UnparsedPublicKey::new(&ECDH_P256, theirs);
        let keying: [u8; 32] = agree_ephemeral(private, &shared, |shared| derive(auth, shared, &info)).ok()??;
        let key: [u8; 16] = derive(salt, &keying, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = derive(salt, &keying, b"Content-Encoding: nonce\0")?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
        let mut record = record.to_vec();
        let text = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record).ok()?;
        text.strip_suffix(&[LAST]).map(<[u8]>::to_vec)
    }

    #[test]
    fn only_the_browser_can_read_a_message() {
        let auth = [7; AUTH];
        let (private, public) = browser();
        let message = encrypt(b"hello", &public, &auth, [1; SALT]).unwrap();
        assert!(!message.windows(5).any(|window| window == b"hello"));
        assert_eq!(decrypt(&message, private, &public, &auth).as_deref(), Some(b"hello".as_slice()));
        let (private, public) = browser();
        let message = encrypt(b"hello", &public, &auth, [1; SALT]).unwrap();
        assert_eq!(decrypt(&message, private, &public, &[8; AUTH]), None);
    }

    #[test]
    fn a_key_that_is_not_on_the_curve_is_refused() {
        let (_, public) = browser();
        assert!(is_public_key(&public));
        let mut moved = public.clone();
        moved[64] ^= 1;
        assert!(!is_public_key(&moved));
        assert!(!is_public_key(&public[..64]));
        assert!(!is_public_key(&[4; PUBLIC_KEY]));
        assert!(!is_public_key(&[]));
    }
}
