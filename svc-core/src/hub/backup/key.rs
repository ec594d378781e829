//! The encryption key under a passphrase.
//!
//! The passphrase becomes a key with scrypt, whose cost is fixed by the format: an archive cannot ask for more memory.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::backup::SealedKey;
use crate::store::vault::SecretKey;

/// The name of the method, with its cost: 128 MiB of memory.
const CIPHER: &str = "scrypt-17-8-1+xchacha20poly1305";
const LOG_N: u8 = 17;
const R: u32 = 8;
const P: u32 = 1;
const NONCE: usize = 24;
const SALT: usize = 16;
/// It binds the sealed value to its use.
const CONTEXT: &[u8] = b"svc backup key";

/// A passphrase. Its `Debug` output shows nothing of it.
#[derive(Clone)]
pub struct Passphrase(String);

impl Passphrase {
    /// Checks a passphrase; white space at its ends, such as the end of a line in a file, does not belong to it.
    pub fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        let (least, most) = (limits::BACKUP_PASSPHRASE_MIN, limits::BACKUP_PASSPHRASE_MAX);
        if text.chars().count() < least || text.len() > most {
            return Err(Error::invalid(
                "passphrase",
                format!("must have at least {least} characters, and at most {most} bytes"),
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Passphrase(…)")
    }
}

/// Seals the key. It takes a while, on a thread of its own.
pub(super) async fn seal(key: &SecretKey, passphrase: &Passphrase, entropy: &dyn Entropy) -> Result<SealedKey> {
    let mut random = [0; SALT + NONCE];
    entropy.fill(&mut random);
    let (salt, nonce) = random.split_at(SALT);
    let nonce: [u8; NONCE] = nonce.try_into().map_err(|_| Error::internal("a nonce has another size"))?;
    let cipher = cipher(passphrase, salt).await?;
    let payload = Payload { msg: key.bytes(), aad: CONTEXT };
    let sealed =
        cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Error::internal("a key could not be sealed"))?;
    Ok(SealedKey {
        cipher: CIPHER.to_owned(),
        salt: STANDARD.encode(salt),
        sealed: STANDARD.encode([nonce.as_slice(), &sealed].concat()),
    })
}

/// Opens the key.
pub(super) async fn open(key: &SealedKey, passphrase: &Passphrase) -> Result<SecretKey> {
    let wrong = || {
        let sentence = "The passphrase does not open the key in this backup: check the passphrase.";
        Error::conflict("backup_passphrase", sentence)
    };
    if key.cipher != CIPHER {
        return Err(Error::conflict(
            "backup_too_new",
            "The key in this backup is encrypted in a way that this program does not know: use a newer version.",
        ));
    }
    let salt = STANDARD.decode(&key.salt).ok().filter(|salt| salt.len() == SALT).ok_or_else(wrong)?;
    let sealed = STANDARD.decode(&key.sealed).map_err(|_| wrong())?;
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(wrong)?;
    let cipher = cipher(passphrase, &salt).await?;
    let opened = cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: CONTEXT }).map_err(|_| wrong())?;
    Ok(SecretKey::from_bytes(opened.try_into().map_err(|_| wrong())?))
}

async fn cipher(passphrase: &Passphrase, salt: &[u8]) -> Result<XChaCha20Poly1305> {
    let (passphrase, salt) = (passphrase.clone(), salt.to_vec());
    let derive = move || {
        let cost = scrypt::Params::new(LOG_N, R, P).map_err(|error| Error::internal(error.to_string()))?;
        let mut key = [0; 32];
        scrypt::scrypt(passphrase.0.as_bytes(), &salt, &cost, &mut key)
            .map_err(|error| Error::internal(error.to_string()))?;
        Ok(XChaCha20Poly1305::new(&key.into()))
    };
    tokio::task::spawn_blocking(derive).await.map_err(|error| Error::internal(error.to_string()))?
}
