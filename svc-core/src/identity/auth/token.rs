//! The format of all credentials that the hub issues: a prefix for the kind, random characters, and a
//! checksum.
//!
//! Invariants: a credential has 256 random bits, is shown once, and is stored only as a SHA-256 (client
//! secrets as bcrypt); a mistyped one is rejected without a database read; secret scanners find it by its
//! prefix and verify it by its checksum; its `Debug` output shows its kind only. The checksum of a client's
//! secret is computed with a key of the hub, so that only secrets that the hub has issued cost a bcrypt.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::clock::Entropy;

/// The kind of a credential. The prefix is its first five characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// `svca_`: acts as one agent.
    AgentKey,
    /// `svck_`: a managed key.
    ManagedKey,
    /// `svct_`: an OAuth access token.
    Access,
    /// `svcr_`: an OAuth refresh token.
    Refresh,
    /// `svcs_`: the secret of an OAuth client.
    ClientSecret,
    /// `svci_`: an invitation to create an account.
    Invite,
    /// `svcp_`: a link to choose a new password.
    Reset,
    /// `svcl_`: a login session, in a browser's cookie.
    Session,
    /// `svcc_`: an OAuth authorization code.
    Code,
    /// `svcd_`: an OAuth device code.
    Device,
    /// `svcb_`: a browser in which a human has logged in, in its cookie.
    Browser,
    /// `svcx_`: acts as an agent while one of its runs lasts.
    Run,
}

const KINDS: [(TokenKind, &str); 12] = [
    (TokenKind::AgentKey, "svca_"),
    (TokenKind::ManagedKey, "svck_"),
    (TokenKind::Access, "svct_"),
    (TokenKind::Refresh, "svcr_"),
    (TokenKind::ClientSecret, "svcs_"),
    (TokenKind::Invite, "svci_"),
    (TokenKind::Reset, "svcp_"),
    (TokenKind::Session, "svcl_"),
    (TokenKind::Code, "svcc_"),
    (TokenKind::Device, "svcd_"),
    (TokenKind::Browser, "svcb_"),
    (TokenKind::Run, "svcx_"),
];

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: usize = 5;
/// Length of the public part of a key, by which its row is found.
const KEY_ID: usize = 12;
/// Length of the secret part: 43 of 62 characters are 256 bits.
const SECRET: usize = 43;
/// Length of the checksum: 32 bits.
const CHECKSUM: usize = 6;
/// Length of the checksum that only the hub can compute: 65 bits. The whole text still fits into bcrypt's
/// limit.
const KEYED_CHECKSUM: usize = 11;

impl TokenKind {
    fn prefix(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, prefix)| prefix)
    }

    /// The number of characters between prefix and checksum.
    fn body(self) -> usize {
        match self {
            Self::AgentKey | Self::ManagedKey => KEY_ID + SECRET,
            _ => SECRET,
        }
    }
}

/// A complete credential. It is shown to its owner and otherwise never leaves memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    kind: TokenKind,
    text: String,
}

impl Token {
    /// Generates a credential.
    pub(crate) fn mint(kind: TokenKind, entropy: &dyn Entropy) -> Self {
        Self::with_body(kind, &random_letters(entropy, kind.body()))
    }

    /// Derives a credential from `seed`, which must be as good as random.
    pub(crate) fn derive(kind: TokenKind, seed: &[u8; 32]) -> Self {
        // Eight bits per character of 62 would be biased; wide numbers are not.
        let mut letters = String::with_capacity(kind.body());
        let mut counter = 0_u8;
        while letters.len() < kind.body() {
            let block: [u8; 32] = Sha256::new().chain_update(seed).chain_update([counter]).finalize().into();
            letters.extend(block.iter().filter_map(|byte| letter(*byte)));
            counter += 1;
        }
        letters.truncate(kind.body());
        Self::with_body(kind, &letters)
    }

    /// Generates a credential for `holder` with a checksum that only the owner of the key can compute.
    pub(crate) fn mint_keyed(kind: TokenKind, key: &[u8; 32], holder: &str, entropy: &dyn Entropy) -> Self {
        let mut text = format!("{}{}", kind.prefix(), random_letters(entropy, kind.body()));
        let checksum = keyed_checksum(key, holder, &text);
        text.push_str(&checksum);
        Self { kind, text }
    }

    /// Parses a credential of this kind that was generated for `holder` with this key.
    pub(crate) fn parse_keyed(kind: TokenKind, key: &[u8; 32], holder: &str, text: &str) -> Option<Self> {
        if text.len() != PREFIX + kind.body() + KEYED_CHECKSUM || !text.is_ascii() || !text.starts_with(kind.prefix()) {
            return None;
        }
        let (body, sum) = text.split_at(text.len() - KEYED_CHECKSUM);
        let ours = bool::from(keyed_checksum(key, holder, body).as_bytes().ct_eq(sum.as_bytes()));
        ours.then(|| Self { kind, text: text.to_owned() })
    }

    fn with_body(kind: TokenKind, body: &str) -> Self {
        let mut text = format!("{}{body}", kind.prefix());
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Self { kind, text }
    }

    /// Parses a presented credential; `None` when the hub cannot have issued it.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, _) = *KINDS.iter().find(|(_, prefix)| text.starts_with(prefix))?;
        if text.len() != PREFIX + kind.body() + CHECKSUM || !text.is_ascii() {
            return None;
        }
        let (body, sum) = text.split_at(text.len() - CHECKSUM);
        (checksum(body) == sum).then(|| Self { kind, text: text.to_owned() })
    }

    /// Parses a credential that must be of this kind.
    pub fn parse_as(kind: TokenKind, text: &str) -> Option<Self> {
        Self::parse(text).filter(|token| token.kind == kind)
    }

    /// Its kind.
    pub fn kind(&self) -> TokenKind {
        self.kind
    }

    /// The whole text, to be shown to its owner or compared with the stored hash.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The public part of a key.
    pub(crate) fn key_id(&self) -> &str {
        &self.text[PREFIX..PREFIX + KEY_ID]
    }

    /// The hash that is stored instead.
    pub(crate) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.text.as_bytes()).to_vec()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}…", self.kind.prefix())
    }
}

fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut letters = [0_u8; CHECKSUM];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

fn keyed_checksum(key: &[u8; 32], holder: &str, text: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in [holder, text] {
        mac.update(part.as_bytes());
        mac.update(&[0]);
    }
    let digest: [u8; 32] = mac.finalize().into_bytes().into();
    // Nearly always more characters than needed; a digest without enough of them is padded in a fixed way.
    let letters: String = digest.iter().filter_map(|byte| letter(*byte)).take(KEYED_CHECKSUM).collect();
    format!("{letters:0<KEYED_CHECKSUM$}")
}

/// `count` random letters and digits, uniformly distributed.
pub(crate) fn random_letters(entropy: &dyn Entropy, count: usize) -> String {
    let mut letters = String::with_capacity(count);
    let mut bytes = [0_u8; 64];
    while letters.len() < count {
        entropy.fill(&mut bytes);
        letters.extend(bytes.iter().filter_map(|byte| letter(*byte)).take(count - letters.len()));
    }
    letters
}

/// The letter of a random byte; bytes that would bias the distribution give none.
fn letter(byte: u8) -> Option<char> {
    (byte < 248).then(|| char::from(ALPHABET[usize::from(byte % 62)]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::SystemEntropy;

    #[test]
    fn credentials_survive_a_round_trip() {
        for (kind, prefix) in KINDS {
            let token = Token::mint(kind, &SystemEntropy);
            assert!(token.reveal().starts_with(prefix));
            assert_eq!(Token::parse(token.reveal()).as_ref(), Some(&token));
            assert_eq!(Token::parse_as(kind, token.reveal()), Some(token.clone()));
            assert!(!format!("{token:?}").contains(&token.reveal()[PREFIX..]));
        }
    }

    #[test]
    fn derivation_is_deterministic() {
        let (one, two) = ([1; 32], [2; 32]);
        assert_eq!(Token::derive(TokenKind::Access, &one), Token::derive(TokenKind::Access, &one));
        assert_ne!(Token::derive(TokenKind::Access, &one), Token::derive(TokenKind::Access, &two));
        assert!(Token::parse(Token::derive(TokenKind::Refresh, &one).reveal()).is_some());
    }

    #[test]
    fn a_keyed_checksum_is_valid_for_one_holder() {
        let (kind, key) = (TokenKind::ClientSecret, [7; 32]);
        let token = Token::mint_keyed(kind, &key, "client_a", &SystemEntropy);
        let text = token.reveal();
        assert!(text.len() <= *crate::limits::PASSWORD.end(), "bcrypt looks at all of it");
        assert_eq!(Token::parse_keyed(kind, &key, "client_a", text), Some(token.clone()));
        assert_eq!(Token::parse_keyed(kind, &key, "client_b", text), None);
        assert_eq!(Token::parse_keyed(kind, &[8; 32], "client_a", text), None);
        assert_eq!(Token::parse(text), None, "the public checksum is another one");
        let made_up = Token::mint(kind, &SystemEntropy);
        assert_eq!(Token::parse_keyed(kind, &key, "client_a", made_up.reveal()), None);
        for odd in ["", "svcs_", &"ä".repeat(30), &"x".repeat(59)] {
            assert_eq!(Token::parse_keyed(kind, &key, "client_a", odd), None);
        }
    }

    proptest! {
        #[test]
        fn a_changed_character_is_detected(place in 0_usize..66, other in "[0-9A-Za-z]") {
            let token = Token::mint(TokenKind::AgentKey, &SystemEntropy);
            let mut text = token.reveal().to_owned();
            prop_assume!(text[place..=place] != *other);
            text.replace_range(place..=place, &other);
            prop_assert_eq!(Token::parse(&text), None);
        }

        #[test]
        fn arbitrary_text_does_not_panic(text in "\\PC{0,90}") {
            prop_assert_eq!(Token::parse(&text), None);
        }
    }
}
