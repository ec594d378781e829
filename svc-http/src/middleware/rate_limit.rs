//! Rate limits per caller: separate budgets for reads, writes and authentication attempts.
//!
//! Invariants: the [`Area`] decides which budget is charged; every limited response states the budget and its
//! remainder; callers whose budget is full again are forgotten, so memory is bounded by the callers of the last
//! minute. A machine is known only when its signature is verified, and is charged then; a rejected machine request
//! counts as an authentication attempt of its address.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use poem::http::{HeaderMap, HeaderName, HeaderValue};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::ids::ParticipantId;

use super::client_address::{ClientAddress, network};
use crate::area::{Area, Identity};
use crate::config::RateLimits;
use crate::error::{Problem, whole_seconds};
use crate::identity;

/// Number of checks between two sweeps of idle callers.
const CHECKS_BETWEEN_SWEEPS: u32 = 1024;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

type Limiter = RateLimiter<BudgetOwner, DefaultKeyedStateStore<BudgetOwner>, DefaultClock, StateInformationMiddleware>;

/// The owner of a budget: an authenticated caller, else the address. Authentication attempts are always charged to
/// the address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum BudgetOwner {
    Caller(ParticipantId),
    /// A machine principal, by its id.
    Machine(Box<str>),
    Address(IpAddr),
}

/// The class of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A read.
    Read,
    /// A possible write.
    Write,
    /// An authentication attempt.
    Auth,
}

/// The budgets of all callers.
pub(crate) struct Budgets {
    read: Option<Budget>,
    write: Option<Budget>,
    auth: Option<Budget>,
}

struct Budget {
    per_minute: NonZeroU32,
    limiter: Limiter,
    checks: AtomicU32,
}

/// Remainder of a budget after a request.
#[derive(Clone, Copy)]
struct Balance {
    limit: u32,
    remaining: u32,
    /// Time until the next allowed request, if this one is not allowed.
    wait: Option<Duration>,
}

impl Budgets {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self { read: Budget::new(limits.read), write: Budget::new(limits.write), auth: Budget::new(limits.auth) }
    }

    fn of(&self, class: Class) -> Option<&Budget> {
        match class {
            Class::Read => self.read.as_ref(),
            Class::Write => self.write.as_ref(),
            Class::Auth => self.auth.as_ref(),
        }
    }
}

impl Budget {
    /// `None` for 0, which is no limit.
    fn new(per_minute: u32) -> Option<Self> {
        let per_minute = NonZeroU32::new(per_minute)?;
        let limiter = RateLimiter::keyed(Quota::per_minute(per_minute)).with_middleware();
        Some(Self { per_minute, limiter, checks: AtomicU32::new(0) })
    }

    fn spend(&self, owner: &BudgetOwner) -> Balance {
        if self.checks.fetch_add(1, Ordering::Relaxed) % CHECKS_BETWEEN_SWEEPS == CHECKS_BETWEEN_SWEEPS - 1 {
            self.limiter.retain_recent();
        }
        let limit = self.per_minute.get();
        match self.limiter.check_key(owner) {
            Ok(state) => Balance { limit, remaining: state.remaining_burst_capacity(), wait: None },
            Err(refusal) => {
                let wait = refusal.wait_time_from(DefaultClock::default().now());
                Balance { limit, remaining: 0, wait: Some(wait) }
            }
        }
    }
}

impl Balance {
    fn write(&self, headers: &mut HeaderMap) {
        // The budget refills evenly, completely within one minute.
        let spent = self.limit.saturating_sub(self.remaining);
        let refill = Duration::from_mins(1).mul_f64(f64::from(spent) / f64::from(self.limit));
        headers.insert(LIMIT, HeaderValue::from(self.limit));
        headers.insert(REMAINING, HeaderValue::from(self.remaining));
        headers.insert(RESET, HeaderValue::from(whole_seconds(self.wait.unwrap_or(refill))));
    }
}

/// Passes the request on if the budget of its caller allows it.
pub(crate) async fn limit<E: Endpoint>(budgets: Arc<Budgets>, next: Arc<E>, request: Request) -> Result<Response> {
    let area = Area::of(request.uri().path());
    let class = area.class(request.method());
    let for_machines = area.identity() == Identity::Signature;
    let address = request.extensions().get().copied();
    if let (true, Some(class), Some(ClientAddress(address))) = (for_machines, class, address) {
        let meter = Meter { budgets: budgets.clone(), class, address, balance: Arc::default() };
        return limit_machine(meter, next, request).await;
    }
    let budget = class.and_then(|class| budgets.of(class));
    let (Some(budget), Some(ClientAddress(address))) = (budget, address) else {
        return next.call(request).await.map(IntoResponse::into_response);
    };
    let owner = match identity::participant(&request) {
        Some(participant) if class != Some(Class::Auth) => BudgetOwner::Caller(participant),
        _ => BudgetOwner::Address(network(address)),
    };
    let balance = budget.spend(&owner);
    let mut response = match balance.wait {
        Some(wait) => Problem::rate_limited(wait).into_response(),
        None => next.call(request).await?.into_response(),
    };
    balance.write(response.headers_mut());
    Ok(response)
}

/// Passes the request on to the verification of its signature, and reports the remainder of the budget that was
/// charged there. A request that ends earlier is charged to its address.
async fn limit_machine<E: Endpoint>(meter: Meter, next: Arc<E>, mut request: Request) -> Result<Response> {
    request.extensions_mut().insert(meter.clone());
    let mut response = next.call(request).await?.into_response();
    if meter.balance().is_none()
        && let Err(refused) = meter.charge_address()
    {
        response = refused.into_response();
    }
    if let Some(balance) = meter.balance() {
        balance.write(response.headers_mut());
    }
    Ok(response)
}

/// Charges a machine's request once its sender is known; in the request's data.
#[derive(Clone)]
pub(crate) struct Meter {
    budgets: Arc<Budgets>,
    class: Class,
    address: IpAddr,
    balance: Arc<Mutex<Option<Balance>>>,
}

impl Meter {
    /// Charges the budget of a verified machine.
    pub(crate) fn charge_machine(&self, principal_id: &str) -> Result<(), Problem> {
        self.charge(self.class, &BudgetOwner::Machine(principal_id.into()))
    }

    /// Charges a rejected request as an authentication attempt. Where those are not limited, the general budget of
    /// the address is charged.
    pub(crate) fn charge_attempt(&self) -> Result<(), Problem> {
        let class = if self.budgets.of(Class::Auth).is_some() { Class::Auth } else { self.class };
        self.charge(class, &BudgetOwner::Address(network(self.address)))
    }

    /// Charges the general budget of the address, for requests that ended before the verification.
    fn charge_address(&self) -> Result<(), Problem> {
        self.charge(self.class, &BudgetOwner::Address(network(self.address)))
    }

    fn charge(&self, class: Class, owner: &BudgetOwner) -> Result<(), Problem> {
        let Some(budget) = self.budgets.of(class) else { return Ok(()) };
        let balance = budget.spend(owner);
        *self.balance.lock().unwrap_or_else(PoisonError::into_inner) = Some(balance);
        balance.wait.map_or(Ok(()), |wait| Err(Problem::rate_limited(wait)))
    }

    fn balance(&self) -> Option<Balance> {
        *self.balance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use poem::http::Method;

    use super::*;

    const ANN: BudgetOwner = BudgetOwner::Address(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));
    const BOB: BudgetOwner = BudgetOwner::Caller(ParticipantId(2));

    #[test]
    fn each_kind_of_request_has_its_class() {
        for (method, path, expected) in [
            (Method::GET, "/api/agents", Some(Class::Read)),
            (Method::POST, "/api/agents", Some(Class::Write)),
            (Method::POST, "/auth/login", Some(Class::Auth)),
            (Method::POST, "/auth/confirm", Some(Class::Auth)),
            (Method::GET, "/auth/me", Some(Class::Read)),
            (Method::POST, "/oauth/token", Some(Class::Write)),
            (Method::POST, "/oauth/register", Some(Class::Auth)),
            (Method::POST, "/login", Some(Class::Auth)),
            (Method::GET, "/login", None),
            (Method::POST, "/mcp", Some(Class::Write)),
            (Method::GET, "/healthz", None),
            (Method::GET, "/assets/index.js", None),
            (Method::GET, "/", None),
            (Method::POST, "/apix", None),
            (Method::GET, "/oauth/authorize", Some(Class::Read)),
            (Method::GET, "/oauth/token", Some(Class::Write)),
            (Method::GET, "/auth/login", Some(Class::Auth)),
            (Method::POST, "/login/x", Some(Class::Auth)),
            (Method::POST, "/api/machine/events", Some(Class::Write)),
            (Method::GET, "//api/agents", Some(Class::Read)),
            (Method::POST, "/API/agents", Some(Class::Write)),
            (Method::GET, "/.well-known/oauth-authorization-server", None),
        ] {
            assert_eq!(Area::of(path).class(&method), expected, "{method} {path}");
        }
    }

    #[test]
    fn a_spent_budget_reports_the_time_to_wait() {
        let budget = Budget::new(2).unwrap();
        assert_eq!([budget.spend(&ANN).remaining, budget.spend(&ANN).remaining], [1, 0]);
        let refused = budget.spend(&ANN);
        assert!(refused.wait.is_some_and(|wait| wait <= Duration::from_secs(30)));
        let mut headers = HeaderMap::new();
        refused.write(&mut headers);
        assert_eq!((&headers[LIMIT], &headers[REMAINING]), (&"2".parse().unwrap(), &"0".parse().unwrap()));
        assert!(budget.spend(&BOB).wait.is_none(), "another caller has a budget of its own");
    }

    #[test]
    fn zero_is_no_limit() {
        assert!(Budgets::new(RateLimits { read: 0, write: 1, auth: 0 }).of(Class::Read).is_none());
    }

    #[test]
    fn idle_callers_are_forgotten() {
        // At this rate a budget is full again within microseconds.
        let budget = Budget::new(u32::MAX).unwrap();
        for caller in 0..CHECKS_BETWEEN_SWEEPS * 4 {
            budget.spend(&BudgetOwner::Address(IpAddr::V4(caller.into())));
        }
        assert!(budget.limiter.len() <= CHECKS_BETWEEN_SWEEPS as usize, "{}", budget.limiter.len());
    }

    #[test]
    fn budgets_are_kept_for_a_whole_ipv6_network() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
