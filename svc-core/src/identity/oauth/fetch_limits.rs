//! Limits of document fetches: concurrent ones and ones per minute for each address, and concurrent ones in
//! total.
//!
//! Invariants: slow servers only use up the slots of the address that named them, and leave some for others;
//! a cancelled request frees its slot at once; only addresses with a request in the last minute, or a running
//! one, are tracked.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::timestamp::Timestamp;

const MINUTE: Duration = Duration::from_mins(1);
/// Beyond this number of addresses, idle ones are forgotten.
const REMEMBERED: usize = 1000;

/// The document fetches of this process.
#[derive(Clone, Default)]
pub(super) struct FetchLimits(Arc<Mutex<FetchUsage>>);

#[derive(Default)]
struct FetchUsage {
    at_once: usize,
    /// Callers without an address count as one.
    by_address: HashMap<Option<IpAddr>, AddressUsage>,
}

struct AddressUsage {
    at_once: usize,
    since: Timestamp,
    read: u32,
}

/// The slot of a running fetch; released when dropped.
pub(super) struct FetchSlot {
    fetches: FetchLimits,
    address: Option<IpAddr>,
}

impl FetchLimits {
    fn lock(&self) -> MutexGuard<'_, FetchUsage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a slot for a fetch requested by this address.
    pub(super) fn begin(&self, address: Option<IpAddr>, now: Timestamp) -> Result<FetchSlot> {
        let address = address.map(network);
        let mut all = self.lock();
        if all.by_address.len() >= REMEMBERED {
            all.by_address.retain(|_, own| own.at_once > 0 || now.since(own.since) < MINUTE);
        }
        if all.at_once >= limits::OAUTH_DOCUMENTS_AT_ONCE {
            return Err(Error::unavailable("busy", "Too many client documents are being fetched. Try again shortly.")
                .with_retry_after(Duration::from_secs(1)));
        }
        let own = all.by_address.entry(address).or_insert(AddressUsage { at_once: 0, since: now, read: 0 });
        let passed = now.since(own.since);
        if passed >= MINUTE {
            (own.since, own.read) = (now, 0);
        } else if own.read >= limits::OAUTH_DOCUMENTS_PER_MINUTE {
            return Err(too_many(MINUTE.saturating_sub(passed)));
        }
        if own.at_once >= limits::OAUTH_DOCUMENTS_AT_ONCE_BY_ADDRESS {
            return Err(too_many(Duration::from_secs(1)));
        }
        own.read += 1;
        own.at_once += 1;
        all.at_once += 1;
        Ok(FetchSlot { fetches: self.clone(), address })
    }
}

impl Drop for FetchSlot {
    fn drop(&mut self) {
        let mut all = self.fetches.lock();
        all.at_once -= 1;
        if let Some(own) = all.by_address.get_mut(&self.address) {
            own.at_once -= 1;
        }
    }
}

/// An address, or for IPv6 the network of one customer.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
    }
}

fn too_many(wait: Duration) -> Error {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let message = format!("Your address requested too many documents of unknown clients. Try again in {seconds} s.");
    Error::new(ErrorKind::TooMany, "too_many_documents", message).with_retry_after(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[expect(clippy::unnecessary_wraps, reason = "not every visit has an address")]
    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn each_address_has_its_own_slots() {
        let fetches = FetchLimits::default();
        let held: Vec<_> = (0..limits::OAUTH_DOCUMENTS_AT_ONCE_BY_ADDRESS)
            .map(|_| fetches.begin(address("2001:db8::1"), at(0)).unwrap())
            .collect();
        let Err(error) = fetches.begin(address("2001:db8::2"), at(0)) else { panic!("the slots are used up") };
        assert_eq!(error.code(), "too_many_documents");
        assert!(fetches.begin(address("192.0.2.1"), at(0)).is_ok());
        drop(held);
        assert!(fetches.begin(address("2001:db8::2"), at(0)).is_ok());
        assert_eq!(fetches.lock().at_once, 0);
    }

    #[test]
    fn an_address_has_a_budget_per_minute() {
        let fetches = FetchLimits::default();
        for _ in 0..limits::OAUTH_DOCUMENTS_PER_MINUTE {
            fetches.begin(None, at(0)).unwrap();
        }
        let Err(error) = fetches.begin(None, at(20)) else { panic!("the budget is spent") };
        assert_eq!(error.retry_after(), Some(Duration::from_secs(40)));
        assert!(fetches.begin(None, at(60)).is_ok());
    }

    #[test]
    fn slots_are_limited_in_total_and_idle_addresses_are_forgotten() {
        let fetches = FetchLimits::default();
        let numbered = |number: usize| Some(IpAddr::from(u32::try_from(number).unwrap().to_be_bytes()));
        let held: Vec<_> = (0..limits::OAUTH_DOCUMENTS_AT_ONCE)
            .map(|number| fetches.begin(numbered(number), at(0)).unwrap())
            .collect();
        let Err(error) = fetches.begin(numbered(100), at(0)) else { panic!("all slots are taken") };
        assert_eq!(error.code(), "busy");
        drop(held);
        for number in 0..3 * REMEMBERED {
            fetches.begin(numbered(number), at(i64::try_from(number).unwrap())).unwrap();
        }
        assert!(fetches.lock().by_address.len() <= REMEMBERED);
    }
}
