//! Checking whether the credential of a feed is still valid, with one indexed read.

use crate::error::Result;
use crate::identity::auth::{Caller, Credential};
use crate::ids::{ApiKeyId, GrantId, SessionId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The credential of a feed.
#[derive(Debug, Clone, Copy)]
pub(super) enum FeedCredential {
    Process,
    Session(SessionId),
    Key(ApiKeyId),
    OAuth { grant: GrantId, expires_at: Timestamp },
}

impl FeedCredential {
    pub(super) fn of(caller: &Caller) -> Self {
        match caller.credential() {
            Credential::Process => Self::Process,
            Credential::Session(id) => Self::Session(*id),
            Credential::AgentKey(id) => Self::Key(*id),
            Credential::ManagedKey(limits) => Self::Key(limits.id),
            Credential::OAuth { grant, expires_at, .. } => Self::OAuth { grant: *grant, expires_at: *expires_at },
        }
    }

    /// Whether neither the credential has ended nor its owner was deleted or disabled.
    pub(super) async fn holds(self, tx: &mut Tx) -> Result<bool> {
        let now = tx.now();
        let good: i64 = match self {
            Self::Process => 1,
            Self::Session(id) => tx.query(SESSION).bind(id).bind(now).fetch_value().await?,
            Self::Key(id) => tx.query(KEY).bind(id).bind(now).fetch_value().await?,
            Self::OAuth { grant, expires_at } => {
                tx.query(ACCESS).bind(grant).bind(expires_at).bind(now).fetch_value().await?
            }
        };
        Ok(good > 0)
    }
}

const SESSION: &str = "
    SELECT count(*)
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      JOIN participants p ON p.id = s.user_id
     WHERE s.id = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL AND p.deleted_at IS NULL";

const KEY: &str = "
    SELECT count(*)
      FROM api_keys k
      JOIN users u ON u.id = k.owner_id
      JOIN participants o ON o.id = k.owner_id
      LEFT JOIN participants a ON a.id = k.agent_id
     WHERE k.id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
       AND u.disabled_at IS NULL AND o.deleted_at IS NULL AND a.deleted_at IS NULL";

/// The tokens of a grant are distinguished by their expiry.
const ACCESS: &str = "
    SELECT count(*)
      FROM oauth_tokens t
      JOIN oauth_grants g ON g.id = t.grant_id
      JOIN users u ON u.id = g.user_id
      JOIN participants o ON o.id = g.user_id
      JOIN participants a ON a.id = g.agent_id
     WHERE t.grant_id = $1 AND t.kind = 'access' AND t.expires_at = $2 AND t.expires_at > $3
       AND t.revoked_at IS NULL AND g.revoked_at IS NULL
       AND u.disabled_at IS NULL AND o.deleted_at IS NULL AND a.deleted_at IS NULL";
