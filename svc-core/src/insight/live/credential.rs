//! Checking whether the credential of a feed is still valid, with one indexed read.

use super::store;
use crate::error::Result;
use crate::identity::auth::{Caller, Credential, run_holds};
use crate::ids::{ApiKeyId, GrantId, RunId, SessionId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The credential of a feed.
#[derive(Debug, Clone, Copy)]
pub(super) enum FeedCredential {
    Process,
    Session(SessionId),
    Key(ApiKeyId),
    OAuth { grant: GrantId, expires_at: Timestamp },
    Run(RunId),
}

impl FeedCredential {
    pub(super) fn of(caller: &Caller) -> Self {
        match caller.credential() {
            Credential::Process => Self::Process,
            Credential::Session(id) => Self::Session(*id),
            Credential::AgentKey(id) => Self::Key(*id),
            Credential::ManagedKey(limits) => Self::Key(limits.id),
            Credential::OAuth { grant, expires_at, .. } => Self::OAuth { grant: *grant, expires_at: *expires_at },
            Credential::Run(id) => Self::Run(*id),
        }
    }

    /// Whether neither the credential has ended nor its owner was deleted or disabled.
    pub(super) async fn holds(self, tx: &mut Tx) -> Result<bool> {
        match self {
            Self::Process => Ok(true),
            Self::Session(id) => store::session_holds(tx, id).await,
            Self::Key(id) => store::key_holds(tx, id).await,
            Self::OAuth { grant, expires_at } => store::access_holds(tx, grant, expires_at).await,
            Self::Run(id) => run_holds(tx, id).await,
        }
    }
}
