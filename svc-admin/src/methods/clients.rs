//! `clients.*`: OAuth clients.

use serde::{Deserialize, Serialize};
use svc_core::oauth::{Client, ClientAuthMethod, ClientPage, GrantType, NewClient};
use svc_core::{Error, ErrorKind, Result};

use super::{Confidential, Deleted, Method, Paged, Server, missing, root};

/// Creates a client.
pub struct Create;

/// Parameters of [`Create`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Display name.
    pub name: String,
    /// Client authentication method; default `client_secret_basic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<ClientAuthMethod>,
    /// Grant types.
    pub grant_types: Vec<GrantType>,
    /// Redirect URIs.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// The agent that it acts as by itself; for client credentials only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

/// A client with its secret, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WithSecret {
    /// The client.
    pub client: Client,
    /// Its secret, if it is confidential.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<Confidential>,
}

impl Method for Create {
    const NAME: &'static str = "clients.create";
    const ABOUT: &'static str = "Create an OAuth client and return its secret, which is shown once.";
    type Params = CreateParams;
    type Answer = WithSecret;

    async fn run(server: &Server, params: CreateParams) -> Result<WithSecret> {
        if let Some(agent) = &params.agent
            && let Err(error) = server.hub.agents().get(&root(), agent).await
        {
            return Err(missing::agent(server, agent, error).await);
        }
        let new = NewClient {
            name: params.name,
            auth_method: params.auth_method.unwrap_or(ClientAuthMethod::ClientSecretBasic),
            grant_types: params.grant_types,
            redirect_uris: params.redirect_uris,
            agent: params.agent,
        };
        let created = server.hub.oauth().clients().create(&root(), new).await?;
        let client_secret = created.secret.map(|secret| Confidential::new(secret.reveal()));
        Ok(WithSecret { client: created.client, client_secret })
    }
}

/// Lists clients.
pub struct List;

impl Method for List {
    const NAME: &'static str = "clients.list";
    const ABOUT: &'static str = "List OAuth clients, newest first, without their secrets.";
    type Params = Paged;
    type Answer = ClientPage;

    async fn run(server: &Server, params: Paged) -> Result<ClientPage> {
        server.hub.oauth().clients().list(&root(), params.page()?).await
    }
}

/// Deletes a client.
pub struct Delete;

/// Parameters of [`Delete`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeleteParams {
    /// Id of the client, as in the list.
    pub client_id: String,
}

impl Method for Delete {
    const NAME: &'static str = "clients.delete";
    const ABOUT: &'static str = "Delete an OAuth client with all its grants.";
    type Params = DeleteParams;
    type Answer = Deleted;

    async fn run(server: &Server, params: DeleteParams) -> Result<Deleted> {
        match server.hub.oauth().clients().delete(&root(), &params.client_id).await {
            Ok(()) => Ok(Deleted { deleted: params.client_id }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let shown: String = params.client_id.chars().take(64).collect();
                let sentence = format!("There is no client {shown:?}: `svc-admin clients list` shows them all.");
                Err(Error::new(ErrorKind::NotFound, "not_found", sentence))
            }
            Err(error) => Err(error),
        }
    }
}
