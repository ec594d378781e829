//! Passwords: their rules, and their slow hashes, which are computed without slowing down other work.
//!
//! Invariants: password hashes are computed on all cores but one, by threads of low priority; requests beyond
//! a bounded queue are rejected before they count as an attempt; the secrets of clients have a separate
//! queue, one at a time, so clients cannot keep people from logging in; an unknown name takes as much time as
//! an existing one, also after the cost was raised; bcrypt never gets more than 72 bytes, because it would
//! ignore the rest.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::token::random_letters;
use crate::clock::Entropy;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// A valid password. Its `Debug` output shows nothing of it.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// Checks the rules; `field` is the name of the request field.
    pub fn parse(field: &str, text: &str) -> Result<Self> {
        if !limits::PASSWORD.contains(&text.len()) {
            let rule = format!("must have {} to {} bytes", limits::PASSWORD.start(), limits::PASSWORD.end());
            return Err(Error::invalid(field, rule));
        }
        if text.contains('\0') {
            return Err(Error::invalid(field, "must not contain the NUL character"));
        }
        Ok(Self(text.to_owned()))
    }

    /// Generates a random password, to be shown once.
    pub(crate) fn random(entropy: &dyn Entropy) -> Self {
        Self(random_letters(entropy, 28))
    }

    /// The text, to be shown to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Password(…)")
    }
}

/// Computes and checks hashes. Clones share the queue.
#[derive(Clone)]
pub(crate) struct Passwords {
    cost: u32,
    entropy: Arc<dyn Entropy>,
    /// Permits for running and queued computations.
    slots: Arc<Semaphore>,
    /// Permits for running computations.
    running: Arc<Semaphore>,
    /// The hash that a password is compared with when the account does not exist.
    decoy: Arc<str>,
    /// The code and the message of the error when the queue is full.
    full_error: (&'static str, &'static str),
}

impl Passwords {
    /// The queue for the passwords of people.
    pub(crate) fn new(cost: u32, entropy: Arc<dyn Entropy>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let full_error = ("login_busy", "Too many logins are under way. Try again shortly.");
        // One core is reserved for other work, where there is more than one.
        Self::with_queue(cost, entropy, cores.saturating_sub(1).max(1), cores + limits::PASSWORD_QUEUE, full_error)
    }

    /// The queue for the secrets of clients.
    pub(crate) fn for_clients(cost: u32, entropy: Arc<dyn Entropy>) -> Self {
        let full_error = ("client_busy", "Too many clients show their secrets at once. Try again shortly.");
        Self::with_queue(cost, entropy, 1, 1 + limits::OAUTH_SECRET_QUEUE, full_error)
    }

    fn with_queue(
        cost: u32,
        entropy: Arc<dyn Entropy>,
        running: usize,
        slots: usize,
        full_error: (&'static str, &'static str),
    ) -> Self {
        let (slots, running) = (Arc::new(Semaphore::new(slots)), Arc::new(Semaphore::new(running)));
        Self { cost, entropy, slots, running, decoy: decoy(cost).into(), full_error }
    }

    /// Reserves a slot in the queue, or fails when the queue is full.
    pub(crate) fn reserve(&self) -> Result<QueueSlot> {
        self.slots.clone().try_acquire_owned().map(QueueSlot).map_err(|_| self.busy())
    }

    /// Computes the hash of a password or of a client's secret.
    pub(crate) async fn hash(&self, text: &str) -> Result<String> {
        let mut salt = [0; 16];
        self.entropy.fill(&mut salt);
        let (text, cost) = (text.to_owned(), self.cost);
        self.run_queued(self.reserve()?, move || {
            // Longer texts have been rejected by now, so that nothing is truncated.
            let parts = bcrypt::hash_with_salt(text.as_bytes(), cost, salt);
            parts.map(|parts| parts.format_for_version(bcrypt::Version::TwoB))
        })
        .await?
        .map_err(|error| Error::internal("a password could not be hashed").with_source(error))
    }

    /// Whether the text matches the hash. `None` stands for an account that does not exist: it takes as long,
    /// and never matches.
    pub(crate) async fn verify(&self, slot: QueueSlot, text: &str, hash: Option<&str>) -> Result<bool> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or(&self.decoy).to_owned();
        let fits = text.len() <= *limits::PASSWORD.end() && !text.contains('\0');
        // A text that cannot be a password still takes the time of one that can.
        let text = if fits { text.to_owned() } else { String::from("does not fit") };
        let cost = self.cost;
        let right = self
            .run_queued(slot, move || {
                let right = bcrypt::verify(text.as_bytes(), &hash).unwrap_or(false);
                // Each step doubles the work, so these make up exactly for a cheaper hash.
                for cheaper in cost_of(&hash).unwrap_or(cost)..cost {
                    drop(bcrypt::verify(text.as_bytes(), &decoy(cheaper)));
                }
                right
            })
            .await?;
        Ok(exists && fits && right)
    }

    /// Whether a stored hash was made with another cost than the current one.
    pub(crate) fn is_outdated(&self, hash: &str) -> bool {
        cost_of(hash) != Some(self.cost)
    }

    async fn run_queued<T: Send + 'static>(
        &self,
        slot: QueueSlot,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let permit = self.running.clone().acquire_owned().await.map_err(|_| self.busy())?;
        let (answer, answered) = oneshot::channel();
        // A dedicated thread: its priority is lowered, and cannot be raised again.
        let started = std::thread::Builder::new().name("password".into()).spawn(move || {
            lower_priority();
            let value = work();
            drop((slot, permit));
            // The caller may be gone.
            drop(answer.send(value));
        });
        started.map_err(|error| self.busy().with_source(error))?;
        answered.await.map_err(|error| Error::internal("a hash was not computed").with_source(error))
    }

    fn busy(&self) -> Error {
        let (code, message) = self.full_error;
        Error::new(ErrorKind::Unavailable, code, message).with_retry_after(Duration::from_secs(1))
    }
}

/// Lowers the priority of this thread, so that other work does not wait for a hash.
fn lower_priority() {
    // On Linux this affects the calling thread only; elsewhere it would affect the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, LOW_PRIORITY) {
        tracing::debug!(%error, "a hash is computed with ordinary priority");
    }
}

/// A nice value that gives precedence to other threads, and still lets people log in while the machine is
/// busy: about a tenth of the share of an ordinary thread.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: i32 = 10;

/// A slot in the queue, released when dropped.
pub(crate) struct QueueSlot(#[expect(dead_code, reason = "holding it is what it is for")] OwnedSemaphorePermit);

/// A well-formed hash that matches no password; only the time of the comparison matters.
fn decoy(cost: u32) -> String {
    format!("$2b${cost:02}$abcdefghijklmnopqrstuu{}", "u".repeat(31))
}

fn cost_of(hash: &str) -> Option<u32> {
    hash.split('$').nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    fn passwords() -> Passwords {
        Passwords::new(4, Arc::new(SystemEntropy))
    }

    #[test]
    fn passwords_are_limited_in_bytes() {
        assert!(Password::parse("password", "12345678").is_ok());
        assert!(Password::parse("password", &"ä".repeat(36)).is_ok());
        for bad in ["1234567", "ääa", &"x".repeat(73), &"ä".repeat(37), "1234\x005678"] {
            assert_eq!(Password::parse("new_password", bad).unwrap_err().fields()[0].field, "new_password");
        }
        assert!(Password::parse("password", "äääa").is_err(), "seven bytes");
    }

    #[tokio::test]
    async fn a_hash_matches_its_password_only() {
        let passwords = passwords();
        let text = "x".repeat(72);
        let hash = passwords.hash(&text).await.unwrap();
        assert!(passwords.verify(passwords.reserve().unwrap(), &text, Some(&hash)).await.unwrap());
        assert!(!passwords.verify(passwords.reserve().unwrap(), &format!("{text}y"), Some(&hash)).await.unwrap());
        assert!(!passwords.verify(passwords.reserve().unwrap(), &text, None).await.unwrap());
        assert!(!passwords.is_outdated(&hash));
        let raised = Passwords::new(6, Arc::new(SystemEntropy));
        assert!(raised.is_outdated(&hash));
        assert!(raised.verify(raised.reserve().unwrap(), &text, Some(&hash)).await.unwrap());
    }

    #[tokio::test]
    async fn the_decoy_takes_the_work_of_a_hash() {
        let passwords = passwords();
        // bcrypt fails immediately for a malformed hash, so the decoy must be well formed.
        assert!(bcrypt::verify("anything", &passwords.decoy).is_ok());
    }

    #[test]
    fn a_password_is_not_printed() {
        let password = Password::parse("password", "hunter2hunter2").unwrap();
        assert!(!format!("{password:?}").contains("hunter2"));
    }
}
