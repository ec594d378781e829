//! Clients: self-registered, created by an operator, or described by a document.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::oauth::{Client, ClientAuthMethod, ClientPage, ClientSource, GrantType, NewClient};

use super::document::ClientDocuments;
use super::fault::{invalid_client, invalid_client_metadata};
use super::fetch_limits::FetchLimits;
use super::model::CreatedClient;
use super::prune;
use super::registration::{Description, checked_name, checked_redirects};
use super::store::clients::{self as store, KnownClient, NewRow};
use crate::clock::{Clock, Entropy};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Passwords, Token, TokenKind, Visit, random_letters};
use crate::limits;
use crate::page::Page;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

/// The clients of a hub; see [`OAuth::clients`](super::OAuth::clients).
#[derive(Clone)]
pub struct Clients {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    /// The queue in which secrets are hashed and compared.
    pub(super) secrets: Passwords,
    /// The key of the checksums of secrets.
    pub(super) secret_key: [u8; 32],
    /// The number of consecutive failures without a delay.
    pub(super) login_attempts: u32,
    /// Serializes comparisons of secrets.
    pub(super) comparing: Arc<tokio::sync::Mutex<()>>,
    pub(super) documents: Arc<dyn ClientDocuments>,
    /// Limits the fetches of documents.
    pub(super) fetches: FetchLimits,
    /// The number of unused clients that this process has removed.
    pub(super) removed: Arc<AtomicU64>,
    /// Recently verified secrets by hash, with the end of their validity.
    pub(super) verified: Arc<Mutex<HashMap<[u8; 32], Timestamp>>>,
}

/// A client to be inserted.
struct NewRegistration {
    client_id: String,
    source: ClientSource,
    description: Description,
    agent: Option<String>,
    secret_hash: Option<String>,
    entry: NewEntry,
}

#[boxed_futures]
impl Clients {
    /// Registers a client by its own metadata (RFC 7591). No credential is required.
    pub async fn register(&self, visit: &Visit, metadata: &Value) -> Result<CreatedClient> {
        let description = Description::read(metadata, ClientAuthMethod::ClientSecretBasic)?;
        self.make(ClientSource::Registered, description, None, NewEntry::new(AuditEvent::ClientChanged, visit)).await
    }

    /// Creates a client. For operators, who alone can bind one to an agent.
    pub async fn create(&self, caller: &Caller, new: NewClient) -> Result<CreatedClient> {
        caller.require_root()?;
        let NewClient { name, auth_method, mut grant_types, redirect_uris, agent } = new;
        let by_itself = grant_types.contains(&GrantType::ClientCredentials);
        if by_itself != agent.is_some() {
            return Err(Error::invalid("agent", "is needed for client_credentials, and only for them"));
        }
        if by_itself && auth_method == ClientAuthMethod::None {
            return Err(Error::invalid("auth_method", "must be one with a secret for client_credentials"));
        }
        if grant_types.is_empty() {
            return Err(Error::invalid("grant_types", "must name at least one"));
        }
        let through_humans =
            grant_types.iter().any(|grant| matches!(grant, GrantType::AuthorizationCode | GrantType::DeviceCode));
        if through_humans && !grant_types.contains(&GrantType::RefreshToken) {
            grant_types.push(GrantType::RefreshToken);
        }
        let redirect_uris = checked_redirects(redirect_uris, &grant_types)?;
        let name = checked_name(&name)?;
        let description =
            Description { name, auth_method, redirect_uris, grant_types, client_uri: None, logo_uri: None };
        self.make(ClientSource::Admin, description, agent, NewEntry::by(AuditEvent::ClientChanged, caller)).await
    }

    /// Lists all clients, newest first. For admins.
    pub async fn list(&self, caller: &Caller, page: Page) -> Result<ClientPage> {
        caller.require_admin()?;
        self.db
            .read(page, |tx, page| {
                Box::pin(async move {
                    Ok(ClientPage { clients: store::list(tx, *page).await?, total: store::count(tx).await? })
                })
            })
            .await
    }

    /// Deletes a client with all its grants. For [`Caller::root`], and for admins whose session is confirmed.
    pub async fn delete(&self, caller: &Caller, client_id: &str) -> Result<()> {
        caller.require_operator(self.clock.now())?;
        if !is_possible(client_id) {
            return Err(Error::not_found("client"));
        }
        let entry = NewEntry::by(AuditEvent::ClientChanged, caller).client(client_id).detail("change", "deleted");
        self.db
            .write((client_id.to_owned(), entry), |tx, (client_id, entry)| {
                Box::pin(async move {
                    if !store::delete(tx, client_id).await? {
                        return Err(Error::not_found("client"));
                    }
                    audit::record(tx, entry).await
                })
            })
            .await
    }

    /// Finds a client by its id in the store. Nothing is fetched.
    pub async fn get(&self, client_id: &str) -> Result<Client> {
        Ok(self.find_known(client_id).await?.client)
    }

    /// The number of unused clients that this process has removed.
    pub fn removed(&self) -> u64 {
        self.removed.load(Ordering::Relaxed)
    }

    /// Finds a client in the store, however old its document is: a client that has a code or a token does not
    /// lose it because its document cannot be fetched at the moment. An unknown client cannot cause a fetch.
    pub(super) async fn find_known(&self, client_id: &str) -> Result<KnownClient> {
        self.find(client_id).await?.ok_or_else(unknown)
    }

    pub(super) async fn find(&self, client_id: &str) -> Result<Option<KnownClient>> {
        if !is_possible(client_id) {
            return Err(unknown());
        }
        self.db.read(client_id.to_owned(), |tx, id| Box::pin(store::find(tx, id))).await
    }

    async fn make(
        &self,
        source: ClientSource,
        description: Description,
        agent: Option<String>,
        entry: NewEntry,
    ) -> Result<CreatedClient> {
        let client_id = format!("client_{}", random_letters(self.entropy.as_ref(), 24));
        let secret = (description.auth_method != ClientAuthMethod::None)
            .then(|| Token::mint_keyed(TokenKind::ClientSecret, &self.secret_key, &client_id, self.entropy.as_ref()));
        let secret_hash = match &secret {
            Some(secret) => Some(self.secrets.hash(secret.reveal()).await?),
            None => None,
        };
        let entry = entry.client(&client_id).detail("change", "created").detail("source", source.as_str());
        let new = NewRegistration { client_id, source, description, agent, secret_hash, entry };
        let (client, removed) = self.db.write(new, |tx, new| Box::pin(insert(tx, new))).await?;
        self.count_removed(removed);
        Ok(CreatedClient { client, secret })
    }
}

/// Inserts the client. Returns it with the number of clients that were removed for it.
async fn insert(tx: &mut Tx, new: &NewRegistration) -> Result<(Client, u64)> {
    let agent = match &new.agent {
        None => None,
        Some(name) => match agents::store::find_any(tx, name).await? {
            Some(agent) => Some(agent.id),
            None => return Err(Error::invalid("agent", "is not the name of an agent")),
        },
    };
    let row = NewRow {
        client_id: &new.client_id,
        source: new.source,
        description: &new.description,
        secret_hash: new.secret_hash.as_deref(),
        agent,
    };
    let removed = if new.source == ClientSource::Admin { 0 } else { prune::make_room(tx, &new.entry.visit).await? };
    store::put(tx, row).await?;
    audit::record(tx, &new.entry).await?;
    let made = store::find(tx, &new.client_id).await?;
    let made = made.ok_or_else(|| invalid_client_metadata("The client could not be created."))?;
    Ok((made.client, removed))
}

/// Whether a client could have this id.
fn is_possible(client_id: &str) -> bool {
    client_id.len() <= limits::OAUTH_URI_MAX && client_id.bytes().all(|byte| byte.is_ascii_graphic())
}

pub(super) fn unknown() -> Error {
    invalid_client(
        "Unknown client: register it first, or, if its id is a URL, send the user to the authorization endpoint first.",
    )
}
