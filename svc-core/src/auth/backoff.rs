//! Slowing down those who guess: an exponential wait per name and per address.
//!
//! What always holds: an attempt is counted before its password is looked at, so a crowd of
//! attempts at once is no way around the wait; one that has to wait writes nothing and holds
//! nothing; the right password forgives the name but not the address; names that do not exist are
//! slowed down like those that do; what was typed as a name is kept only as a hash.

use std::net::IpAddr;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::caller::Visit;
use crate::db::{Db, Tx};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::UserId;
use crate::limits;
use crate::timestamp::Timestamp;

/// Those whose failures count for one attempt.
#[derive(Debug, Clone)]
pub(crate) struct Subjects {
    /// Starts afresh after a success.
    name: Subject,
    /// Only takes back what it counted.
    address: Option<Subject>,
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
    /// An attempt to log in. `free` failures by one name cost nothing, four times as many from one
    /// address; 0 turns the waits off.
    pub(crate) fn login(username: &str, visit: &Visit, free: u32) -> Self {
        // All that cannot be a name is one name, however long it is.
        let name =
            if limits::USERNAME.contains(&username.len()) { username.to_ascii_lowercase() } else { String::new() };
        Self {
            name: Subject::new("name ", &name, free),
            address: visit.remote_ip.map(|address| Subject::new("address ", &network(address), free.saturating_mul(4))),
        }
    }

    /// An attempt to change a password with a login. Strangers at the door have no part in it.
    pub(crate) fn change(user: UserId, free: u32) -> Self {
        Self { name: Subject::new("change ", &user.to_string(), free), address: None }
    }

    fn all(&self) -> impl Iterator<Item = &Subject> {
        std::iter::once(&self.name).chain(&self.address)
    }
}

impl Subject {
    fn new(word: &str, text: &str, free: u32) -> Self {
        Self { hash: Sha256::new().chain_update(word).chain_update(text).finalize().to_vec(), free }
    }
}

/// Counts an attempt, or refuses it because too many failed before.
pub(crate) async fn attempt(db: &Db, subjects: Subjects) -> Result<()> {
    if subjects.name.free == 0 {
        return Ok(());
    }
    // Whoever has to wait is refused by a read, so that a flood of them slows no writer down.
    let found = db.read(subjects.clone(), |tx, subjects| Box::pin(longest_wait(tx, subjects))).await?;
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

async fn longest_wait(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    let mut longest: Option<Wait> = None;
    for subject in subjects.all() {
        let found = find(tx, subject).await?;
        longest = longest.max(found.and_then(|failures| failures.wait(tx.now(), subject.free)));
    }
    Ok(longest)
}

/// Has waits begin now that a clock that was set back has put further off than they last.
async fn shorten(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    for subject in subjects.all() {
        let found = find(tx, subject).await?;
        if let Some(found) = found.filter(|found| found.wait(tx.now(), subject.free).is_some_and(|wait| wait.is_ahead))
        {
            put(tx, subject, found.failures).await?;
        }
    }
    Ok(())
}

/// Counts for each; tells the wait of one that was counted meanwhile. That is no error, because an
/// error would undo the work of others who share the commit.
async fn count(tx: &mut Tx, subjects: &Subjects) -> Result<Option<Wait>> {
    for subject in subjects.all() {
        hold(tx, subject).await?;
    }
    if let Some(wait) = longest_wait(tx, subjects).await? {
        return Ok(Some(wait));
    }
    for subject in subjects.all() {
        let found = find(tx, subject).await?.filter(|failures| !failures.is_forgotten(tx.now()));
        put(tx, subject, found.map_or(0, |failures| failures.failures).saturating_add(1)).await?;
    }
    Ok(None)
}

/// The password was right: the name starts afresh, and this attempt no longer counts for the address.
pub(crate) async fn forgive(tx: &mut Tx, subjects: &Subjects) -> Result<()> {
    tx.query("DELETE FROM login_failures WHERE subject = $1").bind(subjects.name.hash.clone()).execute().await?;
    if let Some(address) = &subjects.address {
        hold(tx, address).await?;
        if let Some(found) = find(tx, address).await? {
            put(tx, address, found.failures.saturating_sub(1)).await?;
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
        let (stored, longest) = (self.blocked_until.since(now), wait_after(self.failures, free));
        let wait = Wait { left: stored.min(longest), is_ahead: stored > longest };
        (!stored.is_zero() && !self.is_forgotten(now)).then_some(wait)
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
fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x}", address.to_bits() >> 64),
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
    use crate::traces::Surface;

    #[test]
    fn the_wait_doubles_and_has_an_end() {
        let seconds: Vec<u64> = (4..=9).map(|failures| wait_after(failures, 5).as_secs()).collect();
        assert_eq!(seconds, [0, 0, 1, 2, 4, 8]);
        assert_eq!(wait_after(u32::MAX, 5), limits::LOGIN_WAIT.1);
        assert_eq!(wait_after(40, 5), limits::LOGIN_WAIT.1);
    }

    #[test]
    fn names_are_counted_without_case_and_addresses_by_network() {
        let hash = |name: &str, address: &str| {
            let visit = Visit { remote_ip: Some(address.parse().unwrap()), ..Visit::through(Surface::Rest) };
            let subjects = Subjects::login(name, &visit, 5);
            (subjects.name.hash, subjects.address.unwrap().hash)
        };
        assert_eq!(hash("Ann", "192.0.2.1"), hash("ann", "192.0.2.1"));
        assert_eq!(hash(&"x".repeat(70_000), "192.0.2.1"), hash("", "192.0.2.1"));
        assert_eq!(hash("ann", "2001:db8::1").1, hash("ann", "2001:db8::ffff").1);
        assert_ne!(hash("ann", "2001:db8::1").1, hash("ann", "2001:db8:0:1::1").1);
    }
}
