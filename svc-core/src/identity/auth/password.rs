//! Passwords: their rule, and their slow hash, which is computed where it slows nobody down.
//!
//! What always holds: one core fewer than there are computes hashes of passwords at a time, on
//! threads that everybody else's work goes before; those beyond a bounded queue are turned away
//! before anything is counted against them; the secrets of clients have a queue of their own, one at
//! a time, so no number of clients keeps people from logging in; a name that does not exist costs as
//! much time as one that does, also after the work factor was raised; a hash never sees more than 72
//! bytes, because bcrypt would ignore the rest.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::token::random_letters;
use crate::clock::Entropy;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// A password that follows the rule. Printing one for debugging shows nothing.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// Checks the rule; `field` is what the caller called it.
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

    /// A random one, for the hub to show once.
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
    /// Those at work and those in line.
    line: Arc<Semaphore>,
    /// Those at work.
    desks: Arc<Semaphore>,
    /// What a password is compared with when there is nobody to compare it with.
    decoy: Arc<str>,
    /// What those are told who find no place in line.
    full: (&'static str, &'static str),
}

impl Passwords {
    /// For the passwords of people.
    pub(crate) fn new(cost: u32, entropy: Arc<dyn Entropy>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let full = ("login_busy", "Too many logins are under way. Try again shortly.");
        // One core is left to everybody else, where there is more than one.
        Self::with_queue(cost, entropy, cores.saturating_sub(1).max(1), cores + limits::PASSWORD_QUEUE, full)
    }

    /// For the secrets of clients.
    pub(crate) fn for_clients(cost: u32, entropy: Arc<dyn Entropy>) -> Self {
        let full = ("client_busy", "Too many clients show their secrets at once. Try again shortly.");
        Self::with_queue(cost, entropy, 1, 1 + limits::OAUTH_SECRET_QUEUE, full)
    }

    fn with_queue(
        cost: u32,
        entropy: Arc<dyn Entropy>,
        desks: usize,
        line: usize,
        full: (&'static str, &'static str),
    ) -> Self {
        let (line, desks) = (Arc::new(Semaphore::new(line)), Arc::new(Semaphore::new(desks)));
        Self { cost, entropy, line, desks, decoy: decoy(cost).into(), full }
    }

    /// A place in line, or the refusal of one more who waits.
    pub(crate) fn place(&self) -> Result<Place> {
        self.line.clone().try_acquire_owned().map(Place).map_err(|_| self.busy())
    }

    /// The hash to store for a password or a client's secret.
    pub(crate) async fn hash(&self, text: &str) -> Result<String> {
        let mut salt = [0; 16];
        self.entropy.fill(&mut salt);
        let (text, cost) = (text.to_owned(), self.cost);
        self.at_a_desk(self.place()?, move || {
            // What is longer has been refused by now, so that nothing is cut.
            let parts = bcrypt::hash_with_salt(text.as_bytes(), cost, salt);
            parts.map(|parts| parts.format_for_version(bcrypt::Version::TwoB))
        })
        .await?
        .map_err(|error| Error::internal("a password could not be hashed").with_source(error))
    }

    /// Whether the text is what was hashed. `None` stands for somebody who does not exist, takes
    /// as long, and is never right.
    pub(crate) async fn verify(&self, place: Place, text: &str, hash: Option<&str>) -> Result<bool> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or(&self.decoy).to_owned();
        let fits = text.len() <= *limits::PASSWORD.end() && !text.contains('\0');
        // What cannot be anybody's password still takes the time of one that can.
        let text = if fits { text.to_owned() } else { String::from("does not fit") };
        let cost = self.cost;
        let right = self
            .at_a_desk(place, move || {
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

    /// Whether a stored hash was made with another work factor than the present one.
    pub(crate) fn is_outdated(&self, hash: &str) -> bool {
        cost_of(hash) != Some(self.cost)
    }

    async fn at_a_desk<T: Send + 'static>(&self, place: Place, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let desk = self.desks.clone().acquire_owned().await.map_err(|_| self.busy())?;
        let (answer, answered) = oneshot::channel();
        // A thread of its own: its priority is lowered, and cannot be raised again.
        let started = std::thread::Builder::new().name("password".into()).spawn(move || {
            step_back();
            let value = work();
            drop((place, desk));
            // Whoever asked may have gone away.
            drop(answer.send(value));
        });
        started.map_err(|error| self.busy().with_source(error))?;
        answered.await.map_err(|error| Error::internal("a hash was not computed").with_source(error))
    }

    fn busy(&self) -> Error {
        let (code, message) = self.full;
        Error::new(ErrorKind::Unavailable, code, message).with_retry_after(Duration::from_secs(1))
    }
}

/// Lets the operating system run every other thread first, so that nobody else waits for a hash.
fn step_back() {
    // On Linux this is about the calling thread alone; elsewhere it would slow the whole process down.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, LOW_PRIORITY) {
        tracing::debug!(%error, "a hash is computed with ordinary priority");
    }
}

/// Nice enough that everybody else goes first, and not so nice that nobody can log in while the
/// machine is busy: about a tenth of what an ordinary thread gets.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: i32 = 10;

/// A place in line, given back when dropped.
pub(crate) struct Place(#[expect(dead_code, reason = "holding it is what it is for")] OwnedSemaphorePermit);

/// A well-formed hash that no password has; only the time it takes to find out matters.
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
    fn a_password_is_measured_in_bytes() {
        assert!(Password::parse("password", "12345678").is_ok());
        assert!(Password::parse("password", &"ä".repeat(36)).is_ok());
        for bad in ["1234567", "ääa", &"x".repeat(73), &"ä".repeat(37), "1234\x005678"] {
            assert_eq!(Password::parse("new_password", bad).unwrap_err().fields()[0].field, "new_password");
        }
        assert!(Password::parse("password", "äääa").is_err(), "seven bytes");
    }

    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_longer_one() {
        let passwords = passwords();
        let text = "x".repeat(72);
        let hash = passwords.hash(&text).await.unwrap();
        assert!(passwords.verify(passwords.place().unwrap(), &text, Some(&hash)).await.unwrap());
        assert!(!passwords.verify(passwords.place().unwrap(), &format!("{text}y"), Some(&hash)).await.unwrap());
        assert!(!passwords.verify(passwords.place().unwrap(), &text, None).await.unwrap());
        assert!(!passwords.is_outdated(&hash));
        let raised = Passwords::new(6, Arc::new(SystemEntropy));
        assert!(raised.is_outdated(&hash));
        assert!(raised.verify(raised.place().unwrap(), &text, Some(&hash)).await.unwrap());
    }

    #[tokio::test]
    async fn the_decoy_takes_the_work_of_a_hash() {
        let passwords = passwords();
        // bcrypt answers an error at once for a text that is no hash; the decoy must be one.
        assert!(bcrypt::verify("anything", &passwords.decoy).is_ok());
    }

    #[test]
    fn a_password_is_not_printed() {
        let password = Password::parse("password", "hunter2hunter2").unwrap();
        assert!(!format!("{password:?}").contains("hunter2"));
    }
}
