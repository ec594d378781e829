//! Leases: the right to do a named thing alone, for a while, among all processes on one store.
//!
//! What always holds: at most one holder at a time; a holder that dies gives the lease back by
//! the passing of time; a holder that was late can be told apart by the lease's term. Nodes compare
//! their own clocks, so these have to agree within a fraction of the lease's length (seconds); work
//! that must not happen twice even then asks for its lease inside its transaction
//! ([`Lease::require`]).

mod store;

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;

use crate::error::{Error, Result};
use crate::store::db::{Db, Tx};

/// Takes and gives back leases under the name of this process.
#[derive(Debug, Clone)]
pub struct Leases {
    db: DbHandle,
    holder: Arc<str>,
}

/// A `Db` that prints as nothing: a store has no useful debug form.
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
    pub(crate) fn new(db: Db, holder: String) -> Self {
        Self { db: DbHandle(db), holder: holder.into() }
    }

    /// Takes a lease that is free, has ended, or is this process's own; `None` when somebody else
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

    /// Extends a lease; `false` when it was lost.
    pub async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool> {
        self.db.0.write((lease.clone(), length), |tx, (lease, length)| Box::pin(store::renew(tx, lease, *length))).await
    }

    /// Gives a lease back before its time.
    pub async fn release(&self, lease: Lease) -> Result<()> {
        self.db.0.write(lease, |tx, lease| Box::pin(store::release(tx, lease))).await
    }
}

#[boxed_futures]
impl Lease {
    /// Fails the unit of work when the lease was lost in the meantime, so that a late holder
    /// writes nothing.
    pub async fn require(&self, tx: &mut Tx) -> Result<()> {
        if store::is_held(tx, self).await? {
            Ok(())
        } else {
            Err(Error::conflict("lease_lost", "Somebody else has taken over this work."))
        }
    }
}
