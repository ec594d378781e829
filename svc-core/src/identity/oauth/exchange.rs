//! Exchange of an authorization code for tokens.
//!
//! Invariants: a code is exchanged once, by the client for which it was issued, which proves that it made the
//! request; a used code that is presented again with a valid proof revokes its grant, because one of the two
//! holders is an attacker. Without the proof it revokes nothing; otherwise anybody who saw a code in a log or
//! a history could revoke the grant.

use svc_model::audit::AuditEvent;
use svc_model::oauth::GrantType;

use super::fault::invalid_grant;
use super::issue::{Issue, Minted, issue};
use super::model::IssuedTokens;
use super::service::OAuth;
use super::store::codes::{self, FoundCode};
use super::store::grants;
use super::{pkce, redirect, target};
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::store::db::Tx;

/// The parameters of an exchange.
pub(super) struct Exchange {
    pub(super) issuer: String,
    pub(super) client_id: String,
    pub(super) code: String,
    pub(super) redirect_uri: Option<String>,
    pub(super) code_verifier: Option<String>,
    pub(super) resource: Option<String>,
    pub(super) visit: Visit,
}

/// The outcome of an exchange. A rejection that changes something is not an error, because an error would
/// roll it back.
enum Outcome {
    Issued,
    Replayed,
}

impl OAuth {
    pub(super) async fn exchange(&self, exchange: Exchange) -> Result<IssuedTokens> {
        let code = Token::parse_as(TokenKind::Code, &exchange.code).ok_or_else(unknown)?;
        let tokens = Minted::pair(self.entropy.as_ref());
        let issued = tokens.issued();
        let outcome = self
            .db
            .write((exchange, code, tokens), |tx, (exchange, code, tokens)| Box::pin(run(tx, exchange, code, tokens)))
            .await?;
        match outcome {
            Outcome::Issued => Ok(issued),
            Outcome::Replayed => Err(invalid_grant("This code was used before; its grant has been revoked.")),
        }
    }
}

async fn run(tx: &mut Tx, exchange: &Exchange, code: &Token, tokens: &Minted) -> Result<Outcome> {
    let hash = code.hash();
    let found = codes::lock(tx, &hash).await?.ok_or_else(unknown)?;
    check_proof(exchange, &found)?;
    if let Some(grant) = found.grant_id {
        if grants::revoke(tx, grant).await? {
            let entry = NewEntry::new(AuditEvent::TokenRevoked, &exchange.visit)
                .about(found.user_id, &found.username)
                .client(&found.client_id)
                .detail("kind", "oauth")
                .detail("reason", "code_replayed")
                .detail("grant_id", grant.0);
            audit::record(tx, &entry).await?;
        }
        return Ok(Outcome::Replayed);
    }
    check_still_good(tx, &found)?;
    let narrowed = target::narrowed(&exchange.issuer, found.resource.as_deref(), exchange.resource.as_deref())?;
    let grant = issue(
        tx,
        Issue {
            client_id: &found.client_id,
            user: found.user_id,
            username: &found.username,
            agent: found.agent_id,
            agent_name: &found.agent,
            resource: found.resource.as_deref(),
            narrowed: narrowed.as_deref(),
            grant_type: GrantType::AuthorizationCode,
            tokens,
            visit: &exchange.visit,
        },
    )
    .await?;
    codes::mark_used(tx, &hash, grant).await?;
    Ok(Outcome::Issued)
}

/// Checks that the code was issued for this client and that this client made the request.
fn check_proof(exchange: &Exchange, found: &FoundCode) -> Result<()> {
    // For any other client the code does not exist.
    if found.client_id != exchange.client_id {
        return Err(unknown());
    }
    // With PKCE the URI protects nothing any more, so it may be omitted; a wrong one is rejected.
    if exchange.redirect_uri.as_deref().is_some_and(|given| !redirect::is_same(&found.redirect_uri, given)) {
        return Err(invalid_grant("redirect_uri does not match the one to which the code was sent."));
    }
    let verifier = exchange.code_verifier.as_deref().unwrap_or_default();
    if !pkce::verify(&found.code_challenge, verifier) {
        return Err(invalid_grant("code_verifier does not match the code_challenge."));
    }
    Ok(())
}

fn check_still_good(tx: &Tx, found: &FoundCode) -> Result<()> {
    if found.expires_at <= tx.now() {
        return Err(invalid_grant("This code has expired: authorize again."));
    }
    if found.ended {
        return Err(invalid_grant("The account or the agent of this code is no longer active."));
    }
    Ok(())
}

fn unknown() -> Error {
    invalid_grant("Unknown code.")
}
