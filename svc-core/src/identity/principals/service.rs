//! The handle of the machine principals.

use std::sync::{Arc, Mutex};

use svc_model::principals::Audience;

use super::watch::RegistryFileState;
use crate::clock::Clock;
use crate::store::db::Db;

/// The machine principals of a hub; see [`Hub::principals`](crate::Hub::principals).
#[derive(Clone)]
pub struct Principals {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    /// The component that this hub is.
    pub(crate) audience: Audience,
    /// What came of reading the registry's file the last time, in this process.
    pub(crate) file: Arc<Mutex<Option<RegistryFileState>>>,
}

impl Principals {
    pub(crate) fn new(db: Db, clock: Arc<dyn Clock>, audience: Audience) -> Self {
        Self { db, clock, audience, file: Arc::default() }
    }

    /// The component that this hub is to machine principals.
    pub fn audience(&self) -> Audience {
        self.audience
    }
}
