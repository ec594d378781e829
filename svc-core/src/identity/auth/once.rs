//! The one change that a caller with an idempotency key asks for.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Caller;
use crate::error::Result;
use crate::store::db::{Db, Unit};

impl Db {
    /// Like [`Db::write`], for the one change that a caller asks for: when the caller carries a key (see
    /// [`Caller::once`]), the same key with the same request has one effect within 24 hours.
    pub(crate) async fn write_by<I, T, F>(&self, caller: &Caller, input: I, work: F) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Serialize + DeserializeOwned + Send + 'static,
        F: Unit<I, T>,
    {
        self.write_keyed(caller.keyed(), input, work).await
    }
}
