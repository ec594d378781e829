//! Token introspection (RFC 7662) and revocation (RFC 7009).
//!
//! Invariant: a client can inspect and revoke its own tokens only; the response for another client's token is
//! that for an unknown one.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::oauth::{ClientClaim, TokenFacts};

use super::fault::invalid_client;
use super::service::OAuth;
use super::store::grants;
use super::store::tokens::{self, Purpose};
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::store::db::Tx;

#[boxed_futures]
impl OAuth {
    /// The facts of a valid token; `None` for any other. For confidential clients.
    pub async fn introspect(&self, claim: &ClientClaim, text: &str, visit: &Visit) -> Result<Option<TokenFacts>> {
        let client = self.clients.authenticate(claim, visit).await?;
        if !client.is_confidential() {
            return Err(invalid_client("Only a client that authenticates with a secret may introspect tokens."));
        }
        let Some(token) = of_oauth(text) else { return Ok(None) };
        let now = self.clock.now();
        let found = self.db.read(token, |tx, token| Box::pin(tokens::find(tx, token))).await?;
        let found = found.filter(|found| {
            let works = !found.ended && found.expires_at > now && found.rotated_at.is_none();
            works && found.client_id == client.client_id
        });
        Ok(found.map(|found| TokenFacts {
            scope: found.scope,
            client_id: found.client_id,
            username: found.username,
            sub: found.agent,
            exp: found.expires_at.as_micros() / 1_000_000,
            iat: found.created_at.as_micros() / 1_000_000,
            aud: found.resource,
            token_type: (found.kind == Purpose::Access).then_some("Bearer"),
        }))
    }

    /// Revokes a token: an access token alone, a refresh token with its whole grant. An unknown token, or one
    /// of another client, is ignored without an error.
    pub async fn revoke(&self, claim: &ClientClaim, text: &str, visit: &Visit) -> Result<()> {
        let client = self.clients.authenticate(claim, visit).await?;
        let Some(token) = of_oauth(text) else { return Ok(()) };
        self.db
            .write((client.client_id, token, visit.clone()), |tx, (client_id, token, visit)| {
                Box::pin(revoke(tx, client_id, token, visit))
            })
            .await
    }
}

async fn revoke(tx: &mut Tx, client_id: &str, token: &Token, visit: &Visit) -> Result<()> {
    let Some(found) = tokens::find(tx, token).await?.filter(|found| found.client_id == client_id) else {
        return Ok(());
    };
    let (ended, kind) = match found.kind {
        Purpose::Refresh => (grants::revoke(tx, found.grant_id).await?, "oauth"),
        Purpose::Access => (tokens::revoke(tx, token).await?, "oauth_access"),
    };
    if !ended {
        return Ok(());
    }
    let entry = NewEntry::new(AuditEvent::TokenRevoked, visit)
        .about(found.user_id, &found.username)
        .client(client_id)
        .detail("kind", kind)
        .detail("agent", found.agent.as_str())
        .detail("grant_id", found.grant_id.0);
    audit::record(tx, &entry).await
}

fn of_oauth(text: &str) -> Option<Token> {
    Token::parse(text).filter(|token| matches!(token.kind(), TokenKind::Access | TokenKind::Refresh))
}
