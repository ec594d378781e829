//! Issuing of a grant, its first tokens, and the audit entry.

use svc_model::audit::AuditEvent;
use svc_model::oauth::GrantType;

use super::model::IssuedTokens;
use super::store::grants;
use super::store::grants::NewGrant;
use super::store::tokens::{self, NewToken, Purpose};
use super::target;
use crate::clock::Entropy;
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::ids::{AgentId, GrantId, UserId};
use crate::limits;
use crate::store::db::Tx;

/// Generated tokens. They are generated before the transaction, because a unit of work may be run more than
/// once.
pub(super) struct Minted {
    pub(super) access: Token,
    pub(super) refresh: Option<Token>,
}

impl Minted {
    pub(super) fn pair(entropy: &dyn Entropy) -> Self {
        Self {
            access: Token::mint(TokenKind::Access, entropy),
            refresh: Some(Token::mint(TokenKind::Refresh, entropy)),
        }
    }

    /// For a client that can return with its secret at any time.
    pub(super) fn access_only(entropy: &dyn Entropy) -> Self {
        Self { access: Token::mint(TokenKind::Access, entropy), refresh: None }
    }

    pub(super) fn issued(&self) -> IssuedTokens {
        IssuedTokens { access_token: self.access.clone(), refresh_token: self.refresh.clone(), scope: target::SCOPE }
    }
}

/// The parameters of a new grant.
pub(super) struct Issue<'a> {
    pub(super) client_id: &'a str,
    pub(super) user: UserId,
    pub(super) username: &'a str,
    pub(super) agent: AgentId,
    pub(super) agent_name: &'a str,
    /// The resource of all tokens of the grant.
    pub(super) resource: Option<&'a str>,
    /// The resource of this access token, if it is narrower.
    pub(super) narrowed: Option<&'a str>,
    pub(super) grant_type: GrantType,
    pub(super) tokens: &'a Minted,
    pub(super) visit: &'a Visit,
}

/// Creates a grant and issues its first tokens.
pub(super) async fn issue(tx: &mut Tx, issue: Issue<'_>) -> Result<GrantId> {
    let lasts = if issue.tokens.refresh.is_some() { limits::OAUTH_REFRESH_TTL } else { limits::OAUTH_ACCESS_TTL };
    let expires_at = tx.now().plus(lasts);
    let new = NewGrant {
        client_id: issue.client_id,
        user: issue.user,
        agent: issue.agent,
        scope: target::SCOPE,
        resource: issue.resource,
        expires_at,
    };
    let grant = grants::insert(tx, new).await?;
    insert_tokens(tx, grant, issue.tokens, issue.narrowed).await?;
    let entry = NewEntry::new(AuditEvent::TokenIssued, issue.visit)
        .about(issue.user, issue.username)
        .client(issue.client_id)
        .detail("kind", "oauth")
        .detail("grant_type", issue.grant_type.as_str())
        .detail("agent", issue.agent_name)
        .detail("grant_id", grant.0);
    audit::record(tx, &entry).await?;
    Ok(grant)
}

/// Stores the tokens of a grant. The access token may have a narrower resource than the grant.
pub(super) async fn insert_tokens(tx: &mut Tx, grant: GrantId, minted: &Minted, narrowed: Option<&str>) -> Result<()> {
    let now = tx.now();
    let new = |kind, token, resource, expires_at| NewToken { grant, kind, token, resource, expires_at };
    let access_end = now.plus(limits::OAUTH_ACCESS_TTL);
    tokens::insert(tx, new(Purpose::Access, &minted.access, narrowed, access_end)).await?;
    if let Some(refresh) = &minted.refresh {
        let refresh_end = now.plus(limits::OAUTH_REFRESH_TTL);
        tokens::insert(tx, new(Purpose::Refresh, refresh, None, refresh_end)).await?;
    }
    Ok(())
}
