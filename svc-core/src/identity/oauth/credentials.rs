//! Client credentials: exchange of a client's secret for a token of its bound agent.

use svc_model::oauth::{Client, GrantType};

use super::fault::unauthorized_client;
use super::issue::{Issue, Minted, issue};
use super::model::IssuedTokens;
use super::service::OAuth;
use super::store::clients;
use super::target;
use crate::error::Result;
use crate::identity::auth::Visit;

impl OAuth {
    /// Issues an access token only: the client can return with its secret at any time.
    pub(super) async fn client_credentials(
        &self,
        client: &Client,
        scope: Option<&str>,
        resource: Option<String>,
        visit: &Visit,
    ) -> Result<IssuedTokens> {
        if !client.is_confidential() {
            return Err(unauthorized_client("A client without a secret cannot use client_credentials."));
        }
        target::scope(scope)?;
        let tokens = Minted::access_only(self.entropy.as_ref());
        let issued = tokens.issued();
        let input = (client.client_id.clone(), resource, tokens, visit.clone());
        self.db
            .write(input, |tx, (client_id, resource, tokens, visit)| {
                Box::pin(async move {
                    let bound = clients::bound_agent(tx, client_id)
                        .await?
                        .ok_or_else(|| unauthorized_client("This client is not bound to an active agent."))?;
                    let new = Issue {
                        client_id,
                        user: bound.user_id,
                        username: &bound.username,
                        agent: bound.agent_id,
                        agent_name: &bound.agent,
                        resource: resource.as_deref(),
                        narrowed: None,
                        grant_type: GrantType::ClientCredentials,
                        tokens,
                        visit,
                    };
                    issue(tx, new).await.map(drop)
                })
            })
            .await?;
        Ok(issued)
    }
}
