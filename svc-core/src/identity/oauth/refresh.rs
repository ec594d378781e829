//! Exchange of a refresh token for the next pair of tokens.
//!
//! Invariants: a refresh token is used once. Its successors are derived from it and from a salt that is
//! stored when it is used, so a client that missed the response and retries shortly after gets the same
//! tokens, although the store only has hashes. A replay after that time, or after a successor was used,
//! revokes this grant with all its tokens, and no other.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use svc_model::audit::AuditEvent;

use super::fault::invalid_grant;
use super::issue::{Minted, insert_tokens};
use super::model::IssuedTokens;
use super::service::OAuth;
use super::store::grants;
use super::store::tokens::{self, FoundToken, Purpose};
use super::target;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The parameters of a refresh.
pub(super) struct Refresh {
    pub(super) issuer: String,
    pub(super) client_id: String,
    pub(super) token: String,
    pub(super) scope: Option<String>,
    pub(super) resource: Option<String>,
    pub(super) visit: Visit,
}

/// The outcome of a refresh. A rejection that changes something is not an error, because an error would roll
/// it back.
enum Outcome {
    Issued(IssuedTokens),
    Replayed,
}

impl OAuth {
    pub(super) async fn refresh(&self, refresh: Refresh) -> Result<IssuedTokens> {
        let token = Token::parse_as(TokenKind::Refresh, &refresh.token).ok_or_else(unknown)?;
        // There is only one scope, so it cannot be narrowed.
        target::scope(refresh.scope.as_deref())?;
        let mut salt = [0; 32];
        self.entropy.fill(&mut salt);
        let outcome = self
            .db
            .write((refresh, token, salt), |tx, (refresh, token, salt)| Box::pin(run(tx, refresh, token, salt)))
            .await?;
        match outcome {
            Outcome::Issued(tokens) => Ok(tokens),
            Outcome::Replayed => {
                Err(invalid_grant("This refresh token was used before; all tokens of its grant have been revoked."))
            }
        }
    }
}

async fn run(tx: &mut Tx, refresh: &Refresh, token: &Token, salt: &[u8; 32]) -> Result<Outcome> {
    let before = tokens::find(tx, token).await?.ok_or_else(unknown)?;
    grants::lock(tx, before.grant_id).await?;
    // The token may have changed between the first read and the lock.
    let found = tokens::find(tx, token).await?.ok_or_else(unknown)?;
    // For any other client the token does not exist.
    if found.client_id != refresh.client_id || found.kind != Purpose::Refresh {
        return Err(unknown());
    }
    if found.ended {
        return Err(invalid_grant("This refresh token was revoked: authorize again."));
    }
    if found.expires_at <= tx.now() {
        return Err(invalid_grant("This refresh token has expired: authorize again."));
    }
    let narrowed = target::narrowed(&refresh.issuer, found.resource.as_deref(), refresh.resource.as_deref())?;
    if found.rotated_at.is_some() {
        return handle_reuse(tx, refresh, token, &found).await;
    }
    tokens::rotate(tx, found.grant_id, token, salt).await?;
    let next = successors(token, salt);
    insert_tokens(tx, found.grant_id, &next, narrowed.as_deref()).await?;
    let expires_at = tx.now().plus(limits::OAUTH_REFRESH_TTL);
    grants::extend(tx, found.grant_id, expires_at).await?;
    audit::record(tx, &entry(AuditEvent::TokenRefreshed, refresh, &found)).await?;
    Ok(Outcome::Issued(next.issued()))
}

/// Handles a used token: a retry by the client, or a replay by an attacker.
async fn handle_reuse(tx: &mut Tx, refresh: &Refresh, token: &Token, found: &FoundToken) -> Result<Outcome> {
    // Near in both directions: a clock that was set back must not extend the window.
    let is_near = |at: Timestamp| tx.now().since(at).max(at.since(tx.now())) <= limits::OAUTH_RETRY_WINDOW;
    let recent = found.rotated_at.is_some_and(is_near);
    if let (true, Some(salt)) = (recent, &found.salt) {
        let next = successors(token, salt);
        if let Some(successor) = &next.refresh
            && tokens::find(tx, successor).await?.is_some_and(|successor| successor.rotated_at.is_none())
        {
            return Ok(Outcome::Issued(next.issued()));
        }
    }
    if grants::revoke(tx, found.grant_id).await? {
        let entry = entry(AuditEvent::TokenRevoked, refresh, found).detail("reason", "refresh_token_replayed");
        audit::record(tx, &entry).await?;
    }
    Ok(Outcome::Replayed)
}

/// Derives the next pair from a refresh token and a salt.
fn successors(token: &Token, salt: &[u8]) -> Minted {
    let seed = |word: &str| -> [u8; 32] {
        let mut code =
            Hmac::<Sha256>::new_from_slice(token.reveal().as_bytes()).expect("HMAC takes keys of any length");
        code.update(salt);
        code.update(word.as_bytes());
        code.finalize().into_bytes().into()
    };
    Minted {
        access: Token::derive(TokenKind::Access, &seed("access")),
        refresh: Some(Token::derive(TokenKind::Refresh, &seed("refresh"))),
    }
}

fn entry(event: AuditEvent, refresh: &Refresh, found: &FoundToken) -> NewEntry {
    NewEntry::new(event, &refresh.visit)
        .about(found.user_id, &found.username)
        .client(&found.client_id)
        .detail("kind", "oauth")
        .detail("agent", found.agent.as_str())
        .detail("grant_id", found.grant_id.0)
}

fn unknown() -> Error {
    invalid_grant("Unknown refresh token.")
}
