//! Slowing down those who guess: an exponential wait, a minute at most.
//!
//! What always holds: an attempt is counted before its password is looked at, so a crowd of
//! attempts at once is no way around the wait; one that has to wait holds nothing, and at most
//! notes once that it is waiting; the right password forgives whoever showed it, and takes back what
//! it counted elsewhere; names that do not exist are slowed down like those that do; what was typed
//! as a name is kept only as a hash.
//!
//! Whose failures count together:
//! - A name, from one network. Guesses from elsewhere do not make its owner wait.
//! - An address, whatever the names.
//! - A name, from anywhere. Beyond many failures each network waits between its own attempts, and
//!   before its first. The wait runs from the moment at which that network asked or tried, so guesses
//!   of others do not prolong it.
//! - A browser that has logged in before, alone: what others do is no matter to it.

use std::net::IpAddr;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::caller::Visit;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{DeviceId, UserId};
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

/// Those whose failures count for one attempt.
#[derive(Debug, Clone)]
pub(crate) struct Subjects {
    /// Starts afresh after a success.
    own: Subject,
    /// Only takes back what it counted.
    address: Option<Subject>,
    /// The name from everywhere; only takes back what it counted.
    anywhere: Option<Subject>,
}

#[derive(Debug, Clone)]
struct Subject {
    hash: Vec<u8>,
    /// Tally before the first wait.
    free: u32,
}

crate::row! {
    struct Tally {
        failures: u32,
        last_at: Timestamp,
        blocked_until: Timestamp,
    }
}

impl Subjects {
    /// An attempt to log in. `free` failures by one name from one network cost nothing, some times as
    /// many from one address or by one name from everywhere; 0 turns the waits off.
    pub(crate) fn login(username: &str, visit: &Visit, free: u32) -> Self {
        // All that cannot be a name is one name, however long it is.
        let name =
            if limits::USERNAME.contains(&username.len()) { username.to_ascii_lowercase() } else { String::new() };
        Self {
            own: Subject::new("name ", &format!("{name} {}", network(visit)), free),
            address: Subject::of_address("address ", visit, free),
            anywhere: Some(Subject::new("anywhere ", &name, free.saturating_mul(limits::LOGIN_ANYWHERE_FACTOR))),
        }
    }

    /// An attempt to log in from a browser in which the account has logged in before.
    pub(crate) fn known_browser(device: DeviceId, free: u32) -> Self {
        Self { own: Subject::new("browser ", &device.to_string(), free), address: None, anywhere: None }
    }

    /// A password that is asked for within a login. Strangers at the door have no part in it.
    pub(crate) fn change(user: UserId, free: u32) -> Self {
        Self { own: Subject::new("change ", &user.to_string(), free), address: None, anywhere: None }
    }

    /// A client that shows a secret. People who log in from the same address have no part in it.
    pub(crate) fn client(client_id: Option<&str>, visit: &Visit, free: u32) -> Self {
        // All that are not known are one.
        let name = client_id.unwrap_or_default();
        Self {
            own: Subject::new("client ", &format!("{name} {}", network(visit)), free),
            address: Subject::of_address("client address ", visit, free),
            anywhere: None,
        }
    }

    /// Those that block until a time of their own.
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

/// Counts an attempt, or refuses it because too many failed before.
pub(crate) async fn attempt(db: &Db, subjects: Subjects) -> Result<()> {
    if subjects.own.free == 0 {
        return Ok(());
    }
    // Whoever has to wait is refused by a read, so that a flood of them slows no writer down.
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

/// How long somebody has to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wait {
    /// At most what this many failures cost.
    left: Duration,
    /// What is stored ends later than that, because the clock was set back since.
    is_ahead: bool,
}

impl Wait {
    fn of(stored: Duration, longest: Duration) -> Option<Self> {
        (!stored.is_zero()).then(|| Self { left: stored.min(longest), is_ahead: stored > longest })
    }
}

/// The wait of somebody who is waiting already. Whose wait begins now has to be noted first.
async fn known_wait(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    let begins = !pause(tx, subjects).await?.is_zero() && find(tx, &subjects.own).await?.is_none();
    if begins { Ok(None) } else { longest_wait(tx, subjects).await }
}

async fn longest_wait(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    let now = tx.now();
    let mut longest: Option<Wait> = None;
    for subject in subjects.blocking() {
        let found = find(tx, subject).await?;
        longest = longest.max(found.and_then(|tally| tally.wait(now, subject.free)));
    }
    let (pause, own) = (pause(tx, subjects).await?, find(tx, &subjects.own).await?);
    let paused = own.filter(|_| !pause.is_zero()).and_then(|own| Wait::of(own.last_at.plus(pause).since(now), pause));
    Ok(longest.max(paused))
}

/// Has waits begin now that a clock that was set back has put further off than they last.
async fn shorten(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    for subject in subjects.all() {
        if let Some(found) = find(tx, subject).await?.filter(|found| found.last_at > tx.now()) {
            put(tx, subject, found.failures).await?;
        }
    }
    Ok(())
}

/// How long every network has to leave between attempts at a name that many guess at.
async fn pause(tx: &mut Tx, subjects: &Subjects) -> Result<Duration> {
    let Some(anywhere) = &subjects.anywhere else { return Ok(Duration::ZERO) };
    let now = tx.now();
    let tally = find(tx, anywhere).await?.filter(|tally| !tally.is_forgotten(now));
    Ok(tally.map_or(Duration::ZERO, |tally| wait_after(tally.failures, anywhere.free)))
}

/// Counts for each; tells the wait of one that was counted meanwhile, or whose wait begins here: the row
/// that was made to hold it says since when. That is no error, because an error would undo the work of
/// others who share the commit.
async fn count(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    for subject in subjects.all() {
        hold(tx, subject).await?;
    }
    if let Some(wait) = longest_wait(tx, subjects).await? {
        return Ok(Some(wait));
    }
    for subject in subjects.all() {
        let found = find(tx, subject).await?.filter(|tally| !tally.is_forgotten(tx.now()));
        put(tx, subject, found.map_or(0, |tally| tally.failures).saturating_add(1)).await?;
    }
    Ok(None)
}

/// It was right: whoever showed it starts afresh, and this attempt no longer counts elsewhere.
pub(crate) async fn forgive(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    tx.query("DELETE FROM login_failures WHERE subject = $1").bind(subjects.own.hash.clone()).execute().await?;
    for subject in subjects.address.iter().chain(&subjects.anywhere) {
        hold(tx, subject).await?;
        if let Some(found) = find(tx, subject).await? {
            put(tx, subject, found.failures.saturating_sub(1)).await?;
        }
    }
    Ok(())
}

/// Removes what is forgotten anyway.
pub(crate) async fn sweep(tx: &mut Tx, limit: u32) -> Result<u64> {
    let before = tx.now().minus(limits::LOGIN_FORGOTTEN);
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}

const SWEEP: &str = "
    DELETE FROM login_failures
     WHERE subject IN (SELECT subject FROM login_failures WHERE last_at < $1 ORDER BY last_at LIMIT $2)";

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("login_failures.sweep", SWEEP)];

async fn find(tx: &mut Tx, subject: &Subject) -> Result<Option<Tally>> {
    tx.query("SELECT failures, last_at, blocked_until FROM login_failures WHERE subject = $1")
        .bind(subject.hash.clone())
        .fetch_optional()
        .await
}

/// Takes hold of the row, so that attempts at once are counted one after another.
async fn hold(tx: &mut Tx, subject: &Subject) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO login_failures (subject, failures, last_at, blocked_until)
         VALUES ($1, 0, $2, $2)
         ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject",
    )
    .bind(subject.hash.clone())
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

async fn put(tx: &mut Tx, subject: &Subject, failures: u32) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE login_failures SET failures = $2, last_at = $3, blocked_until = $4 WHERE subject = $1")
        .bind(subject.hash.clone())
        .bind(failures)
        .bind(now)
        .bind(now.plus(wait_after(failures, subject.free)))
        .execute()
        .await?;
    Ok(())
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

/// How long to wait after this many failures in a row.
fn wait_after(failures: u32, free: u32) -> Duration {
    let (first, longest) = limits::LOGIN_WAIT;
    match failures.checked_sub(free) {
        None | Some(0) => Duration::ZERO,
        Some(beyond) => first.saturating_mul(1_u32.checked_shl(beyond - 1).unwrap_or(u32::MAX)).min(longest),
    }
}

/// An address, or for IPv6 the network that one customer has.
fn address(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("{:x}", ip.to_bits() >> 64),
    }
}

/// The network that an attempt comes from: what one provider gives to one place, or a few.
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
    fn the_wait_doubles_and_has_an_end() {
        let seconds: Vec<u64> = (4..=9).map(|failures| wait_after(failures, 5).as_secs()).collect();
        assert_eq!(seconds, [0, 0, 1, 2, 4, 8]);
        assert_eq!(wait_after(u32::MAX, 5), limits::LOGIN_WAIT.1);
        assert_eq!(wait_after(40, 5), limits::LOGIN_WAIT.1);
    }

    #[test]
    fn names_are_counted_by_network_without_case_and_addresses_alone() {
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
