//! Leases: temporary exclusive rights, by name, among all processes on one store.
//!
//! Invariants: there is at most one holder at a time; the lease of a crashed holder expires; a late holder is
//! recognised by the lease's term. Nodes compare their own clocks, so these must agree within a fraction of
//! the lease's length (seconds); work that must not happen twice even then checks its lease inside its
//! transaction ([`Lease::require`]).

mod store;

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;

pub(crate) use self::store::end_of_holder;
use crate::error::{Error, Result};
use crate::store::db::{Db, Tx};

/// Acquires and releases leases in the name of this process.
#[derive(Debug, Clone)]
pub struct Leases {
    db: DbHandle,
    holder: Arc<str>,
}

/// A [`Db`] with an empty `Debug` output.
#[derive(Clone)]
struct DbHandle(Db);

impl std::fmt::Debug for DbHandle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Db")
    }
}

/// A lease that this process holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    name: Arc<str>,
    holder: Arc<str>,
    term: i64,
}

#[boxed_futures]
impl Leases {
    /// The name of this process as a holder.
    pub(crate) fn holder(&self) -> &str {
        &self.holder
    }

    pub(crate) fn new(db: Db, holder: String) -> Self {
        Self { db: DbHandle(db), holder: holder.into() }
    }

    /// Acquires a lease that is free, has expired, or belongs to this process; `None` when another process
    /// holds it.
    pub async fn acquire(&self, name: &str, length: Duration) -> Result<Option<Lease>> {
        let request = (Arc::<str>::from(name), self.holder.clone(), length);
        self.db
            .0
            .write(request, |tx, (name, holder, length)| {
                Box::pin(async move {
                    let term = store::acquire(tx, name, holder, *length).await?;
                    Ok(term.map(|term| Lease { name: name.clone(), holder: holder.clone(), term }))
                })
            })
            .await
    }

    /// Extends a lease; returns `false` when it was lost.
    pub async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool> {
        self.db.0.write((lease.clone(), length), |tx, (lease, length)| Box::pin(store::renew(tx, lease, *length))).await
    }

    /// Releases a lease early.
    pub async fn release(&self, lease: Lease) -> Result<()> {
        self.db.0.write(lease, |tx, lease| Box::pin(store::release(tx, lease))).await
    }
}

#[boxed_futures]
impl Lease {
    /// Fails the transaction when the lease was lost meanwhile, so that a late holder writes nothing.
    pub async fn require(&self, tx: &mut Tx) -> Result<()> {
        if store::is_held(tx, self).await? {
            Ok(())
        } else {
            Err(Error::conflict("lease_lost", "Another process has taken over this work."))
        }
    }
}
