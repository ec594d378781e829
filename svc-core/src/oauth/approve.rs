//! A human's answer to a request: a code for one of their agents.

use super::fault::access_denied;
use super::request::{self, AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal};
use super::service::OAuth;
use super::store::codes::{self, NewCode};
use crate::agents;
use crate::auth::{Caller, Token, TokenKind};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::limits;
use crate::oauth::fault::invalid_client;

impl OAuth {
    /// Checks what a client sent a browser with, before a human is asked about it.
    pub async fn authorize(
        &self,
        issuer: &str,
        parameters: &AuthorizeParameters,
    ) -> Result<AuthorizationRequest, AuthorizeRefusal> {
        let Some(client_id) = &parameters.client_id else {
            return Err(invalid_client("The request does not say which client it comes from (client_id).").into());
        };
        let client = self.clients.get(client_id).await?;
        request::validate(issuer, client, parameters)
    }

    /// The human agrees: a code with which the client can act as this agent of theirs.
    pub async fn approve(&self, caller: &Caller, request: &AuthorizationRequest, agent: &str) -> Result<Token> {
        let (user, _) = caller.require_session()?;
        let code = Token::mint(TokenKind::Code, self.entropy.as_ref());
        let input = (user.id, agent.to_owned(), request.clone(), code.clone());
        self.db
            .write(input, |tx, (user, agent, request, code)| Box::pin(approve(tx, *user, agent, request, code)))
            .await?;
        Ok(code)
    }
}

async fn approve(tx: &mut Tx, user: UserId, agent: &str, request: &AuthorizationRequest, code: &Token) -> Result<()> {
    let agent = agents::store::find_of(tx, user, agent).await?.ok_or_else(not_yours)?;
    let expires_at = tx.now().plus(limits::OAUTH_CODE_TTL);
    let new = NewCode {
        hash: &code.hash(),
        client_id: &request.client.client_id,
        user,
        agent: agent.id,
        redirect_uri: &request.redirect_uri,
        code_challenge: &request.code_challenge,
        scope: request.scope,
        resource: request.resource.as_deref(),
        expires_at,
    };
    codes::insert(tx, new).await
}

/// The same for an agent that is somebody else's and for one that there is not.
pub(super) fn not_yours() -> Error {
    access_denied("This is not one of your active agents.")
}
