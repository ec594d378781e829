//! Backoff of failed logins: an exponential delay of at most a minute.
//!
//! Invariants: an attempt is counted before its password is checked, so that concurrent attempts cannot
//! bypass the delay; a delayed attempt holds no lock, and writes at most once that it is delayed; a correct
//! password resets the caller's own count, and undoes what it added to the others; unknown names are delayed
//! like existing ones; a typed name is stored only as a hash.
//!
//! Failures are counted together for:
//! - A name from one network. Guesses from elsewhere do not delay its owner.
//! - An address, for all names.
//! - A name from all networks. Beyond many failures each network is delayed between its own attempts, and
//!   before its first. The delay begins when that network made its own request, so guesses from elsewhere do
//!   not prolong it.
//! - A browser that has logged in before, on its own: failures elsewhere do not affect it.

use std::net::IpAddr;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::caller::Visit;
use super::store::backoff::{self as store, Tally};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{DeviceId, UserId};
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

pub(crate) use super::store::backoff::sweep;

/// The counters to which one attempt is added.
#[derive(Debug, Clone)]
pub(crate) struct Subjects {
    /// Reset after a success.
    own: Subject,
    /// The address; a success only takes back its own count.
    address: Option<Subject>,
    /// The name from all networks; a success only takes back its own count.
    anywhere: Option<Subject>,
}

#[derive(Debug, Clone)]
struct Subject {
    hash: Vec<u8>,
    /// The number of failures before the first delay.
    free: u32,
}

impl Subjects {
    /// The counters of a login. `free` failures by one name from one network cause no delay, and a multiple
    /// of that from one address or by one name from all networks; 0 turns the delays off.
    pub(crate) fn login(username: &str, visit: &Visit, free: u32) -> Self {
        // All texts that cannot be a name count as one name, however long they are.
        let name =
            if limits::USERNAME.contains(&username.len()) { username.to_ascii_lowercase() } else { String::new() };
        Self {
            own: Subject::new("name ", &format!("{name} {}", network(visit)), free),
            address: Subject::of_address("address ", visit, free),
            anywhere: Some(Subject::new("anywhere ", &name, free.saturating_mul(limits::LOGIN_ANYWHERE_FACTOR))),
        }
    }

    /// The counter of a login from a browser in which the account has logged in before.
    pub(crate) fn known_browser(device: DeviceId, free: u32) -> Self {
        Self { own: Subject::new("browser ", &device.to_string(), free), address: None, anywhere: None }
    }

    /// The counter of a password that is entered within a session. Failed logins do not affect it.
    pub(crate) fn change(user: UserId, free: u32) -> Self {
        Self { own: Subject::new("change ", &user.to_string(), free), address: None, anywhere: None }
    }

    /// The counters of a client that presents a secret. Logins of people from the same address do not affect
    /// them.
    pub(crate) fn client(client_id: Option<&str>, visit: &Visit, free: u32) -> Self {
        // All unknown clients count as one.
        let name = client_id.unwrap_or_default();
        Self {
            own: Subject::new("client ", &format!("{name} {}", network(visit)), free),
            address: Subject::of_address("client address ", visit, free),
            anywhere: None,
        }
    }

    /// The counters that block until a time of their own.
    fn blocking(&self) -> impl Iterator<Item = &Subject> {
        std::iter::once(&self.own).chain(&self.address)
    }

    fn all(&self) -> impl Iterator<Item = &Subject> {
        self.blocking().chain(&self.anywhere)
    }
}

impl Subject {
    fn new(word: &str, text: &str, free: u32) -> Self {
        Self { hash: Sha256::new().chain_update(word).chain_update(text).finalize().to_vec(), free }
    }

    fn of_address(word: &str, visit: &Visit, free: u32) -> Option<Self> {
        let free = free.saturating_mul(limits::LOGIN_ADDRESS_FACTOR);
        visit.remote_ip.map(|ip| Self::new(word, &address(ip), free))
    }
}

/// Counts an attempt, or rejects it because too many failed before.
pub(crate) async fn attempt(db: &Db, subjects: Subjects) -> Result<()> {
    if subjects.own.free == 0 {
        return Ok(());
    }
    // A delayed attempt is rejected by a read, so that a flood of attempts does not slow down writers.
    let found = db.read(subjects.clone(), |tx, subjects| Box::pin(known_wait(tx, subjects))).await?;
    if let Some(Wait { left, is_ahead }) = found {
        if is_ahead {
            db.write(subjects, |tx, subjects| Box::pin(shorten(tx, subjects))).await?;
        }
        return Err(too_many(left));
    }
    match db.write(subjects, |tx, subjects| Box::pin(count(tx, subjects))).await? {
        None => Ok(()),
        Some(wait) => Err(too_many(wait.left)),
    }
}

/// A delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wait {
    /// The remaining time, at most the delay for this number of failures.
    left: Duration,
    /// The stored end is later than that, because the clock was set back.
    is_ahead: bool,
}

impl Wait {
    fn of(stored: Duration, longest: Duration) -> Option<Self> {
        (!stored.is_zero()).then(|| Self { left: stored.min(longest), is_ahead: stored > longest })
    }
}

/// The delay of a caller that is delayed already. A delay that begins now must be stored first.
async fn known_wait(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    let begins = !pause(tx, subjects).await?.is_zero() && store::find(tx, &subjects.own.hash).await?.is_none();
    if begins { Ok(None) } else { longest_wait(tx, subjects).await }
}

async fn longest_wait(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    let now = tx.now();
    let mut longest: Option<Wait> = None;
    for subject in subjects.blocking() {
        let found = store::find(tx, &subject.hash).await?;
        longest = longest.max(found.and_then(|tally| tally.wait(now, subject.free)));
    }
    let (pause, own) = (pause(tx, subjects).await?, store::find(tx, &subjects.own.hash).await?);
    let paused = own.filter(|_| !pause.is_zero()).and_then(|own| Wait::of(own.last_at.plus(pause).since(now), pause));
    Ok(longest.max(paused))
}

/// Shortens delays whose stored end is too late because the clock was set back.
async fn shorten(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    for subject in subjects.all() {
        if let Some(found) = store::find(tx, &subject.hash).await?.filter(|found| found.last_at > tx.now()) {
            put(tx, subject, found.failures).await?;
        }
    }
    Ok(())
}

/// The pause that every network must keep between attempts at a name with many failures.
async fn pause(tx: &mut Tx, subjects: &Subjects) -> Result<Duration> {
    let Some(anywhere) = &subjects.anywhere else { return Ok(Duration::ZERO) };
    let now = tx.now();
    let tally = store::find(tx, &anywhere.hash).await?.filter(|tally| !tally.is_forgotten(now));
    Ok(tally.map_or(Duration::ZERO, |tally| wait_after(tally.failures, anywhere.free)))
}

/// Counts the attempt for each counter. Returns the delay if one was added concurrently, or begins here: the
/// row that was inserted records its start. That is not an error, because an error would undo the work of
/// other units in the same commit.
async fn count(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    for subject in subjects.all() {
        store::hold(tx, &subject.hash).await?;
    }
    if let Some(wait) = longest_wait(tx, subjects).await? {
        return Ok(Some(wait));
    }
    for subject in subjects.all() {
        let found = store::find(tx, &subject.hash).await?.filter(|tally| !tally.is_forgotten(tx.now()));
        put(tx, subject, found.map_or(0, |tally| tally.failures).saturating_add(1)).await?;
    }
    Ok(None)
}

/// Records a success: resets the caller's own counter, and takes this attempt back from the others.
pub(crate) async fn record_success(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    store::delete(tx, &subjects.own.hash).await?;
    for subject in subjects.address.iter().chain(&subjects.anywhere) {
        store::hold(tx, &subject.hash).await?;
        if let Some(found) = store::find(tx, &subject.hash).await? {
            put(tx, subject, found.failures.saturating_sub(1)).await?;
        }
    }
    Ok(())
}

async fn put(tx: &mut Tx, subject: &Subject, failures: u32) -> Result<()> {
    store::put(tx, &subject.hash, failures, wait_after(failures, subject.free)).await
}

impl Tally {
    fn is_forgotten(&self, now: Timestamp) -> bool {
        now.since(self.last_at) >= limits::LOGIN_FORGOTTEN
    }

    fn wait(&self, now: Timestamp, free: u32) -> Option<Wait> {
        let wait = Wait::of(self.blocked_until.since(now), wait_after(self.failures, free));
        wait.filter(|_| !self.is_forgotten(now))
    }
}

/// The delay after this number of consecutive failures.
fn wait_after(failures: u32, free: u32) -> Duration {
    let (first, longest) = limits::LOGIN_WAIT;
    match failures.checked_sub(free) {
        None | Some(0) => Duration::ZERO,
        Some(beyond) => first.saturating_mul(1_u32.checked_shl(beyond - 1).unwrap_or(u32::MAX)).min(longest),
    }
}

/// An address, or for IPv6 the network of one customer.
fn address(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("{:x}", ip.to_bits() >> 64),
    }
}

/// The network of an attempt: the block that a provider assigns to one or a few sites.
fn network(visit: &Visit) -> String {
    match visit.remote_ip.map(|ip| ip.to_canonical()) {
        None => String::new(),
        Some(IpAddr::V4(ip)) => format!("v4 {:x}", ip.to_bits() >> 8),
        Some(IpAddr::V6(ip)) => format!("v6 {:x}", ip.to_bits() >> 72),
    }
}

fn too_many(wait: Duration) -> Error {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Error::new(ErrorKind::TooMany, "too_many_attempts", format!("Too many attempts failed. Try again in {seconds} s."))
        .with_retry_after(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;

    #[test]
    fn the_delay_doubles_up_to_a_maximum() {
        let seconds: Vec<u64> = (4..=9).map(|failures| wait_after(failures, 5).as_secs()).collect();
        assert_eq!(seconds, [0, 0, 1, 2, 4, 8]);
        assert_eq!(wait_after(u32::MAX, 5), limits::LOGIN_WAIT.1);
        assert_eq!(wait_after(40, 5), limits::LOGIN_WAIT.1);
    }

    #[test]
    fn names_count_per_network_without_case() {
        let hash = |name: &str, address: &str| {
            let visit = Visit { remote_ip: Some(address.parse().unwrap()), ..Visit::through(Surface::Rest) };
            let subjects = Subjects::login(name, &visit, 5);
            [subjects.own.hash, subjects.address.unwrap().hash, subjects.anywhere.unwrap().hash]
        };
        assert_eq!(hash("Ann", "192.0.2.1"), hash("ann", "192.0.2.1"));
        assert_eq!(hash(&"x".repeat(70_000), "192.0.2.1"), hash("", "192.0.2.1"));
        let same = |one: &str, other: &str| {
            let (one, other) = (hash("ann", one), hash("ann", other));
            [0, 1, 2].map(|place: usize| one[place] == other[place])
        };
        assert_eq!(same("192.0.2.1", "192.0.2.200"), [true, false, true]);
        assert_eq!(same("192.0.2.1", "192.0.3.1"), [false, false, true]);
        assert_eq!(same("2001:db8::1", "2001:db8::ffff"), [true, true, true]);
        assert_eq!(same("2001:db8::1", "2001:db8:0:1::1"), [true, false, true]);
        assert_eq!(same("2001:db8::1", "2001:db8:0:100::1"), [false, false, true]);
    }
}
