//! The messages handle and the state that its parts share.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Entropy;
use crate::messaging::quotas::Quotas;
use crate::store::db::Db;

/// Messages of a hub; see [`Hub::messages`](crate::Hub::messages).
#[derive(Clone)]
pub struct Messages {
    pub(super) db: Db,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) quotas: Quotas,
    /// How long authors can edit their messages; zero for not at all.
    pub(super) edit_window: Duration,
}

impl Messages {
    pub(crate) fn new(db: Db, entropy: Arc<dyn Entropy>, quotas: Quotas, edit_window: Duration) -> Self {
        Self { db, entropy, quotas, edit_window }
    }
}
