//! Client ID Metadata Documents: a client whose id is the https URL of its own metadata.
//!
//! Invariants: a document is valid only for the URL from which it was read; it is fetched through the client
//! that blocks private addresses, with limits on size and time, and only for a human who is logged in; such a
//! client has no secret; a document of the last hour is used without a fetch, and an older one while it
//! cannot be fetched.

use async_trait::async_trait;
use serde_json::Value;
use svc_model::oauth::{ClientAuthMethod, ClientSource, GrantType};
use tokio::time::timeout;
use url::Url;

use super::clients::{Clients, unknown};
use super::fault::invalid_client;
use super::registration::Description;
use super::store::clients::{self as store, KnownClient, NewRow};
use super::{prune, redirect};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Visit;
use crate::limits;
use crate::net::{Bounds, GuardedClient};
use crate::surface::Surface;

/// Fetches client metadata documents. The default implementation connects to the public internet only.
#[async_trait]
pub trait ClientDocuments: Send + Sync {
    /// Fetches the document at this URL.
    async fn fetch(&self, address: &Url) -> Result<Vec<u8>>;
}

#[async_trait]
impl ClientDocuments for GuardedClient {
    async fn fetch(&self, address: &Url) -> Result<Vec<u8>> {
        let bounds = Bounds { bytes: limits::OAUTH_DOCUMENT_MAX, time: limits::OAUTH_DOCUMENT_TIMEOUT };
        self.get(address, bounds).await
    }
}

/// Whether a client id is the URL of a document.
pub(super) fn is_document(client_id: &str) -> bool {
    client_id.starts_with("https://")
}

impl Clients {
    /// The client with its current metadata. Only for requests of a human: a metadata document is fetched
    /// when the client is unknown, or when its document is stale.
    pub(super) async fn described(&self, client_id: &str, visit: &Visit) -> Result<KnownClient> {
        let found = self.find(client_id).await?;
        if !is_document(client_id) {
            return found.ok_or_else(unknown);
        }
        let now = self.clock.now();
        let is_younger =
            |known: &KnownClient, than| known.fetched_at.is_some_and(|at| now.since(at).max(at.since(now)) < than);
        let stale = match found {
            Some(known) if is_younger(&known, limits::OAUTH_DOCUMENT_TTL) => return Ok(known),
            found => found.filter(|known| is_younger(known, limits::OAUTH_DOCUMENT_STALE)),
        };
        let text = match stale {
            None => self.fetch(client_id, visit).await?,
            Some(stale) => match timeout(limits::OAUTH_DOCUMENT_PATIENCE, self.fetch(client_id, visit)).await {
                Ok(Ok(text)) => text,
                Ok(Err(_)) | Err(_) => return Ok(stale),
            },
        };
        self.keep_document(client_id, parse(client_id, &text)?).await
    }

    /// Fetches the document of a client, within the rate limit of the requesting address.
    async fn fetch(&self, client_id: &str, visit: &Visit) -> Result<Vec<u8>> {
        let address = address(client_id)?;
        let _slot = self.fetches.begin(visit.remote_ip, self.clock.now())?;
        self.documents.fetch(&address).await.map_err(unreadable)
    }

    async fn keep_document(&self, client_id: &str, description: Description) -> Result<KnownClient> {
        let (known, removed) = self
            .db
            .write((client_id.to_owned(), description), |tx, (client_id, description)| {
                Box::pin(async move {
                    let removed = match store::find(tx, client_id).await? {
                        Some(_) => 0,
                        None => prune::make_room(tx, &Visit::through(Surface::Hub)).await?,
                    };
                    let row = NewRow {
                        client_id,
                        source: ClientSource::Document,
                        description,
                        secret_hash: None,
                        agent: None,
                    };
                    store::put(tx, row).await?;
                    Ok((store::find(tx, client_id).await?, removed))
                })
            })
            .await?;
        self.count_removed(removed);
        known.ok_or_else(|| Error::internal("a client that was just written is missing"))
    }
}

/// Parses a client id as a URL, which must be in canonical form.
fn address(client_id: &str) -> Result<Url> {
    let refuse =
        || invalid_client("A client_id that is a URL must be https with a path, and without a user or fragment.");
    let url = Url::parse(client_id).map_err(|_| refuse())?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    // A URL in another form, with dots in its path for example, could stand for two clients.
    if plain && url.path().len() > 1 && url.as_str() == client_id && client_id.len() <= limits::OAUTH_URI_MAX {
        return Ok(url);
    }
    Err(refuse())
}

/// Parses a document. It was written for all servers, so settings for others are ignored.
fn parse(client_id: &str, text: &[u8]) -> Result<Description> {
    let mut document: Value =
        serde_json::from_slice(text).map_err(|_| invalid_client("The client metadata document is not JSON."))?;
    if document.get("client_id").and_then(Value::as_str) != Some(client_id) {
        return Err(invalid_client("The client metadata document does not have its own URL as client_id."));
    }
    keep(&mut document, "redirect_uris", |address| redirect::check(address).is_ok());
    keep(&mut document, "grant_types", |word| {
        GrantType::parse(word).is_some_and(|grant_type| grant_type != GrantType::ClientCredentials)
    });
    keep(&mut document, "response_types", |word| word == "code");
    let description = Description::read(&document, ClientAuthMethod::None)
        .map_err(|error| invalid_client(format!("The client metadata document is not valid: {}", error.message())))?;
    if description.auth_method != ClientAuthMethod::None {
        return Err(invalid_client(
            "The client metadata document must have token_endpoint_auth_method none: it cannot keep a secret.",
        ));
    }
    if description.redirect_uris.is_empty() {
        return Err(invalid_client("The client metadata document has no valid redirect_uris."));
    }
    Ok(description)
}

fn keep(document: &mut Value, field: &str, accept: impl Fn(&str) -> bool) {
    if let Some(Value::Array(entries)) = document.get_mut(field) {
        entries.retain(|entry| entry.as_str().is_none_or(&accept));
    }
}

/// Maps an unreadable document to an unknown client, whatever the reason.
fn unreadable(error: Error) -> Error {
    if error.kind() == ErrorKind::Internal {
        return error;
    }
    let message = format!("The client metadata document could not be read: {}", error.message());
    invalid_client(message).with_source(error)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "https://app.example/oauth/client.json";

    #[test]
    fn a_client_id_url_must_be_canonical() {
        assert!(address(ID).is_ok());
        assert!(address("https://app.example:8443/client?v=2").is_ok());
        for bad in [
            "https://app.example",
            "https://app.example/",
            "https://app.example/a/../client",
            "https://APP.example/client",
            "https://app.example:443/client",
            "https://user@app.example/client",
            "https://app.example/client#x",
            "https:///client",
            "https://app.example/cl ient",
        ] {
            assert_eq!(address(bad).unwrap_err().code(), "invalid_client", "{bad}");
        }
    }

    #[test]
    fn settings_for_other_servers_are_ignored() {
        let text = json!({
            "client_id": ID,
            "client_name": "App",
            "redirect_uris": ["javascript:alert(1)", "http://127.0.0.1:33418/", "https://app.example/cb"],
            "grant_types": ["authorization_code", "implicit"],
            "response_types": ["code", "token"],
            "token_endpoint_auth_method": "none",
        });
        let description = parse(ID, text.to_string().as_bytes()).unwrap();
        assert_eq!(description.redirect_uris, ["http://127.0.0.1:33418/", "https://app.example/cb"]);
        assert_eq!(description.grant_types, [GrantType::AuthorizationCode, GrantType::RefreshToken]);
        assert_eq!(description.auth_method, ClientAuthMethod::None);
    }

    #[test]
    fn a_document_must_name_its_own_url() {
        let whole = json!({ "client_id": ID, "redirect_uris": ["https://app.example/cb"] });
        assert!(parse(ID, whole.to_string().as_bytes()).is_ok());
        for (field, value) in [
            ("client_id", json!("https://app.example/oauth/client.json/")),
            ("client_id", json!(null)),
            ("redirect_uris", json!([])),
            ("redirect_uris", json!(["http://app.example/cb"])),
            ("redirect_uris", json!(null)),
            ("token_endpoint_auth_method", json!("client_secret_basic")),
            ("token_endpoint_auth_method", json!("private_key_jwt")),
        ] {
            let mut changed = whole.clone();
            changed[field] = value;
            assert_eq!(parse(ID, changed.to_string().as_bytes()).unwrap_err().code(), "invalid_client", "{changed}");
        }
        for odd in ["", "[]", "{", "null", "\"x\""] {
            assert!(parse(ID, odd.as_bytes()).is_err(), "{odd}");
        }
    }
}
