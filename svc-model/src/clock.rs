//! The clock and the random source. Tests replace them to be deterministic.

use std::fmt::Debug;

use crate::timestamp::Timestamp;

/// A clock. The default is [`SystemClock`].
pub trait Clock: Debug + Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from(jiff::Timestamp::now())
    }
}

/// A source of random bytes. The default is [`SystemEntropy`].
pub trait Entropy: Debug + Send + Sync {
    /// Fills the whole slice.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's random source.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's random source")]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system's random source answers once it is seeded at boot");
    }
}

/// `count` random bytes as lower-case hexadecimal text.
pub fn random_hex(entropy: &dyn Entropy, count: usize) -> String {
    let mut bytes = vec![0; count];
    entropy.fill(&mut bytes);
    hex(&bytes)
}

/// Lower-case hexadecimal text.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}
