//! Approval of an authorization request by a human, with a code for one of their agents.

use svc_macros::boxed_futures;
use svc_model::oauth::ClientSource;

use super::clients::unknown;
use super::fault::access_denied;
use super::request::{self, AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal};
use super::service::OAuth;
use super::store::codes::{self, NewCode};
use super::store::{clients, grants};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Caller, Token, TokenKind};
use crate::identity::oauth::fault::invalid_client;
use crate::ids::UserId;
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl OAuth {
    /// Validates an authorization request before the human is asked about it. Only here is a client metadata
    /// document fetched.
    pub async fn authorize(
        &self,
        caller: &Caller,
        issuer: &str,
        parameters: &AuthorizeParameters,
    ) -> Result<AuthorizationRequest, AuthorizeRefusal> {
        let (user, _) = caller.require_session()?;
        let Some(client_id) = &parameters.client_id else {
            return Err(invalid_client("client_id is missing in the request.").into());
        };
        let client = self.clients.described(client_id, caller.visit()).await?.client;
        let of_admin = client.source == ClientSource::Admin;
        match request::validate(issuer, client, parameters) {
            Err(AuthorizeRefusal::SendBack { error, .. })
                if !of_admin && !self.has_approved(user.id, client_id).await? =>
            {
                Err(AuthorizeRefusal::Show(error))
            }
            outcome => outcome,
        }
    }

    /// Whether this user has approved the client and has not revoked it since.
    async fn has_approved(&self, user: UserId, client_id: &str) -> Result<bool> {
        self.db
            .read((user, client_id.to_owned()), |tx, (user, client_id)| {
                Box::pin(grants::is_approved(tx, *user, client_id))
            })
            .await
    }

    /// Approves the request: returns a code with which the client can act as this agent.
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
    note_approval(tx, &request.client.client_id).await?;
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

/// Records that a human approved the client, so that it does not count as unused.
pub(super) async fn note_approval(tx: &mut Tx, client_id: &str) -> Result<()> {
    if clients::approve(tx, client_id).await? { Ok(()) } else { Err(unknown()) }
}

/// The error for another user's agent and for one that does not exist.
pub(super) fn not_yours() -> Error {
    access_denied("This is not one of your active agents.")
}
