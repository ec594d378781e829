//! Idempotent writes of a caller with an idempotency key.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Caller;
use crate::error::Result;
use crate::store::db::{Db, Unit};

impl Db {
    /// Like [`Db::write`], for a single change by a caller. When the caller carries an idempotency key (see
    /// [`Caller::once`]), requests with the same key and content have one effect within 24 hours.
    pub(crate) async fn write_by<I, T, F>(&self, caller: &Caller, input: I, work: F) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Serialize + DeserializeOwned + Send + 'static,
        F: Unit<I, T>,
    {
        self.write_keyed(caller.keyed(), input, work).await
    }
}
