//! The OAuth service and its token endpoint.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::oauth::ClientClaim;

use super::clients::Clients;
use super::document::ClientDocuments;
use super::exchange::Exchange;
use super::fault::unauthorized_client;
use super::fetch_limits::FetchLimits;
use super::model::{IssuedTokens, TokenRequest};
use super::refresh::Refresh;
use super::target;
use crate::clock::{Clock, Entropy};
use crate::error::Result;
use crate::identity::auth::{Passwords, Visit};
use crate::store::db::Db;

/// The OAuth server of a hub; see [`Hub::oauth`](crate::Hub::oauth).
#[derive(Clone)]
pub struct OAuth {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) clients: Clients,
}

/// The handling of client secrets.
pub(crate) struct ClientSecrets {
    /// The queue in which they are hashed.
    pub(crate) queue: Passwords,
    /// The key of their checksums.
    pub(crate) key: [u8; 32],
    /// The number of consecutive failures without a delay.
    pub(crate) attempts: u32,
}

#[boxed_futures]
impl OAuth {
    pub(crate) fn new(
        db: Db,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        documents: Arc<dyn ClientDocuments>,
        secrets: ClientSecrets,
    ) -> Self {
        let ClientSecrets { queue, key, attempts } = secrets;
        let clients = Clients {
            db: db.clone(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            secrets: queue,
            secret_key: key,
            login_attempts: attempts,
            comparing: Arc::default(),
            documents,
            fetches: FetchLimits::default(),
            removed: Arc::default(),
            verified: Arc::default(),
        };
        Self { db, clock, entropy, clients }
    }

    /// The clients of the server.
    pub fn clients(&self) -> &Clients {
        &self.clients
    }

    /// Issues tokens for a token request. `issuer` is the URL under which the client reached the server.
    pub async fn token(
        &self,
        issuer: &str,
        claim: &ClientClaim,
        request: TokenRequest,
        visit: &Visit,
    ) -> Result<IssuedTokens> {
        let client = self.clients.authenticate(claim, visit).await?;
        let grant_type = request.grant_type();
        if !client.grant_types.contains(&grant_type) {
            let message = format!("This client is not registered for {}.", grant_type.as_str());
            return Err(unauthorized_client(message));
        }
        let (issuer, client_id, visit) = (issuer.to_owned(), client.client_id.clone(), visit.clone());
        match request {
            TokenRequest::AuthorizationCode { code, redirect_uri, code_verifier, resource } => {
                let exchange = Exchange { issuer, client_id, code, redirect_uri, code_verifier, resource, visit };
                self.exchange(exchange).await
            }
            TokenRequest::RefreshToken { refresh_token, scope, resource } => {
                self.refresh(Refresh { issuer, client_id, token: refresh_token, scope, resource, visit }).await
            }
            TokenRequest::ClientCredentials { scope, resource } => {
                let resource = target::resource(&issuer, resource.as_deref())?;
                self.client_credentials(&client, scope.as_deref(), resource, &visit).await
            }
            TokenRequest::DeviceCode { device_code } => self.device_token(&client_id, &device_code, &visit).await,
        }
    }
}
