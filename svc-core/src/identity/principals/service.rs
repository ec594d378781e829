//! The service of machine principals.

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
    /// The audience of this hub.
    pub(crate) audience: Audience,
    /// The state of the registry file after its last read by this process.
    pub(crate) file: Arc<Mutex<Option<RegistryFileState>>>,
}

impl Principals {
    pub(crate) fn new(db: Db, clock: Arc<dyn Clock>, audience: Audience) -> Self {
        Self { db, clock, audience, file: Arc::default() }
    }

    /// The audience of this hub, as machine principals address it.
    pub fn audience(&self) -> Audience {
        self.audience
    }
}
