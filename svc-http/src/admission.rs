//! Connection limits: a total, a number per address, and a reserve for health checks beyond them.
//!
//! Invariants: the server never stops accepting. A connection beyond a limit is put into a small reserve, where
//! `/healthz` and `/readyz` are answered and everything else gets 503 with `Retry-After`. The reserve always has room
//! for a new connection, because the one in it that has waited longest for a request is closed. A trusted proxy
//! forwards for many clients, so it is not counted as one address.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::limits;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::config::ConnectionLimits;
use crate::middleware::client_address::{TrustedProxies, network};
use crate::traffic::Traffic;

/// Minimum interval between two log lines about rejected connections.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Decides about new connections. Clones share their state.
#[derive(Clone)]
pub(crate) struct Admission {
    shared: Arc<Shared>,
}

struct Shared {
    room: Room,
    proxies: TrustedProxies,
    traffic: Arc<Traffic>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    served: usize,
    by_address: HashMap<IpAddr, usize>,
    /// All connections in the reserve, including those that were asked to close and have not closed yet.
    reserved: usize,
    /// Connections in the reserve that wait for a request, the oldest first.
    waiting: VecDeque<(u64, CancellationToken)>,
    next_id: u64,
    told: Option<Instant>,
}

/// Capacity for connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Room {
    served: usize,
    /// `None` is no limit.
    per_address: Option<usize>,
    reserve: usize,
}

impl Room {
    /// The capacity within a limit on open files.
    fn within(limits: ConnectionLimits, files: usize) -> Self {
        let kept = limits::FILES_KEPT.min(files / 4);
        let reserve = limits::CONNECTIONS_RESERVE.min(files / 16).max(1);
        // Connections that leave the reserve hold their files a little longer.
        let most = files.saturating_sub(kept + 2 * reserve).max(1);
        let served = match limits.total {
            Some(wanted) if wanted > most => {
                tracing::warn!(
                    target: "svc::http",
                    wanted,
                    served = most,
                    "--max-connections is more than the limit on open files allows (ulimit -Hn)"
                );
                most
            }
            Some(wanted) => wanted.max(1),
            None => limits::CONNECTIONS.min(most),
        };
        let part = (served / limits::CONNECTIONS_ADDRESS_PART).max(limits::CONNECTIONS_ADDRESS_MIN);
        let per_address = match limits.per_address {
            Some(0) => None,
            Some(count) => Some(count),
            None => Some(part),
        };
        Self { served, per_address, reserve }
    }
}

impl Admission {
    pub(crate) fn new(limits: ConnectionLimits, files: usize, proxies: TrustedProxies, traffic: Arc<Traffic>) -> Self {
        let room = Room::within(limits, files);
        tracing::debug!(target: "svc::http", ?room, "connections are limited");
        Self { shared: Arc::new(Shared { room, proxies, traffic, state: Mutex::default() }) }
    }

    /// Admits a connection from this address; `None` when even the reserve is full.
    pub(crate) fn enter(&self, peer: IpAddr) -> Option<Slot> {
        let Shared { room, proxies, traffic, .. } = &*self.shared;
        let peer = peer.to_canonical();
        let address = (!proxies.trusts(peer)).then(|| network(peer));
        let mut state = self.shared.state();
        let theirs = address.and_then(|address| state.by_address.get(&address)).copied().unwrap_or_default();
        let fits = state.served < room.served && room.per_address.is_none_or(|most| theirs < most);
        let kind = if fits {
            state.served += 1;
            if let Some(address) = address {
                *state.by_address.entry(address).or_default() += 1;
            }
            Kind::Served { address }
        } else {
            traffic.shed.inc();
            state.tell(peer);
            if state.waiting.len() >= room.reserve
                && let Some((_, oldest)) = state.waiting.pop_front()
            {
                oldest.cancel();
            }
            if state.reserved >= 2 * room.reserve {
                return None;
            }
            state.reserved += 1;
            state.next_id += 1;
            let (id, leave) = (state.next_id, CancellationToken::new());
            state.waiting.push_back((id, leave.clone()));
            Kind::Reserved { id, leave }
        };
        traffic.open.inc();
        Some(Slot { shared: self.shared.clone(), kind })
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Logs at intervals that connections are rejected.
    fn tell(&mut self, peer: IpAddr) {
        let now = Instant::now();
        if self.told.is_none_or(|told| now.duration_since(told) >= TOLD_EVERY) {
            self.told = Some(now);
            tracing::warn!(
                target: "svc::http",
                served = self.served,
                %peer,
                "too many connections: new ones are answered with 503"
            );
        }
    }
}

/// The slot of one connection, held until it is dropped.
pub(crate) struct Slot {
    shared: Arc<Shared>,
    kind: Kind,
}

enum Kind {
    Served {
        /// The address that the connection is counted for, if any.
        address: Option<IpAddr>,
    },
    Reserved {
        id: u64,
        leave: CancellationToken,
    },
}

impl Slot {
    /// Whether the slot is in the reserve, where only health checks are answered.
    pub(crate) fn is_reserve(&self) -> bool {
        matches!(self.kind, Kind::Reserved { .. })
    }

    /// Completes when the slot is needed for another connection.
    pub(crate) async fn needed(&self) {
        match &self.kind {
            Kind::Served { .. } => std::future::pending().await,
            Kind::Reserved { leave, .. } => leave.cancelled().await,
        }
    }

    /// Marks that a request has arrived, so that it is answered before the slot is given away.
    pub(crate) fn begin(&self) {
        if let Kind::Reserved { id, .. } = self.kind {
            self.shared.state().waiting.retain(|(waiting, _)| *waiting != id);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        match &self.kind {
            Kind::Served { address } => {
                state.served -= 1;
                if let Some(address) = address
                    && let Some(count) = state.by_address.get_mut(address)
                {
                    *count -= 1;
                    if *count == 0 {
                        state.by_address.remove(address);
                    }
                }
            }
            Kind::Reserved { id, .. } => {
                state.reserved -= 1;
                state.waiting.retain(|(waiting, _)| waiting != id);
            }
        }
        self.shared.traffic.open.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRANGER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const PROXY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn admission(total: usize, per_address: usize) -> Admission {
        let limits = ConnectionLimits { total: Some(total), per_address: Some(per_address) };
        Admission::new(limits, 4096, TrustedProxies::default(), Arc::default())
    }

    #[test]
    fn files_are_kept_free_for_other_uses() {
        let default = |files| Room::within(ConnectionLimits::default(), files);
        for files in [16, 64, 256, 1024, 4096, 1 << 20] {
            let room = default(files);
            assert!(room.served + 2 * room.reserve < files, "{room:?} of {files}");
        }
        assert_eq!(default(1024), Room { served: 640, per_address: Some(160), reserve: 64 });
        assert_eq!(default(1 << 20).served, limits::CONNECTIONS);
        let wanted = ConnectionLimits { total: Some(5000), per_address: Some(0) };
        assert_eq!(Room::within(wanted, 1024), Room { served: 640, per_address: None, reserve: 64 });
    }

    #[test]
    fn one_address_cannot_use_up_all_connections() {
        let admission = admission(4, 2);
        let first = [admission.enter(STRANGER).unwrap(), admission.enter(STRANGER).unwrap()];
        assert!(first.iter().all(|slot| !slot.is_reserve()));
        assert!(admission.enter(STRANGER).unwrap().is_reserve());
        let proxied = [admission.enter(PROXY).unwrap(), admission.enter(PROXY).unwrap()];
        assert!(proxied.iter().all(|slot| !slot.is_reserve()), "a proxy forwards for many clients");
        assert!(admission.enter(PROXY).unwrap().is_reserve(), "there is no room left in all");
        drop(first);
        assert!(!admission.enter(STRANGER).unwrap().is_reserve());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let admission = admission(4, 1);
        let _first = admission.enter("2001:db8::1".parse().unwrap()).unwrap();
        assert!(admission.enter("2001:db8::2".parse().unwrap()).unwrap().is_reserve());
        assert!(!admission.enter("2001:db8:0:1::2".parse().unwrap()).unwrap().is_reserve());
    }

    #[tokio::test]
    async fn the_oldest_waiting_connection_of_the_reserve_is_closed() {
        let admission = admission(1, 1);
        let _served = admission.enter(STRANGER).unwrap();
        let slots: Vec<_> = (0..limits::CONNECTIONS_RESERVE).map(|_| admission.enter(STRANGER).unwrap()).collect();
        slots[0].begin();
        let mut later = vec![admission.enter(STRANGER).unwrap(), admission.enter(STRANGER).unwrap()];
        slots[1].needed().await;
        let left = Duration::from_millis(1);
        assert!(tokio::time::timeout(left, slots[0].needed()).await.is_err(), "its request is answered");
        assert!(tokio::time::timeout(left, later[0].needed()).await.is_err());
        // No connection closes, so at some point the reserve is full.
        while let Some(slot) = admission.enter(STRANGER) {
            later.push(slot);
        }
        assert_eq!(slots.len() + later.len(), 2 * limits::CONNECTIONS_RESERVE);
    }
}
