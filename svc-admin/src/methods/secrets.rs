//! `secrets.*`: values for agent runs. They can be written, but never read.

use serde::{Deserialize, Serialize};
use svc_core::secrets::{Secret, SecretFilter, SecretName, SecretPage, SecretScope, SecretValue};
use svc_core::{Error, ErrorKind, Result};

use super::{Confidential, Method, Paged, Server, missing, root};

/// Sets a secret.
pub struct Set;

/// Parameters of [`Set`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetParams {
    /// Environment variable of the secret.
    pub name: String,
    /// `user:NAME` or `agent:NAME`.
    pub scope: String,
    /// Its value.
    pub value: Confidential,
}

impl Method for Set {
    const NAME: &'static str = "secrets.set";
    const ABOUT: &'static str = "Set or replace a secret of a user or of an agent.";
    type Params = SetParams;
    type Answer = Secret;

    async fn run(server: &Server, params: SetParams) -> Result<Secret> {
        let scope: SecretScope = params.scope.parse()?;
        let name = SecretName::parse("name", &params.name)?;
        let value = SecretValue::parse("value", params.value.reveal().to_owned())?;
        match server.hub.secrets().set(&root(), scope.clone(), name, value).await {
            Ok(secret) => Ok(secret),
            Err(error) => Err(missing_holder(server, &scope, error).await),
        }
    }
}

/// Lists secrets.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only secrets of this scope, `user:NAME` or `agent:NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "secrets.list";
    const ABOUT: &'static str = "List the names of secrets; their values are never shown.";
    type Params = ListParams;
    type Answer = SecretPage;

    async fn run(server: &Server, params: ListParams) -> Result<SecretPage> {
        let scope = params.scope.as_deref().map(str::parse::<SecretScope>).transpose()?;
        let page = Paged { limit: params.limit, offset: params.offset }.page()?;
        let filter = SecretFilter { scope: scope.clone(), page };
        match (server.hub.secrets().list(&root(), filter).await, scope) {
            (Err(error), Some(scope)) => Err(missing_holder(server, &scope, error).await),
            (listed, _) => listed,
        }
    }
}

/// Removes a secret.
pub struct Unset;

/// Parameters of [`Unset`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsetParams {
    /// Environment variable of the secret.
    pub name: String,
    /// `user:NAME` or `agent:NAME`.
    pub scope: String,
}

impl Method for Unset {
    const NAME: &'static str = "secrets.unset";
    const ABOUT: &'static str = "Remove a secret; works without the encryption key.";
    type Params = UnsetParams;
    type Answer = UnsetParams;

    async fn run(server: &Server, params: UnsetParams) -> Result<UnsetParams> {
        let scope: SecretScope = params.scope.parse()?;
        let name = SecretName::parse("name", &params.name)?;
        // Distinguishes an unknown scope from an unknown name.
        let listed = List::run(server, ListParams { scope: Some(params.scope.clone()), ..ListParams::default() });
        listed.await?;
        match server.hub.secrets().unset(&root(), scope, name).await {
            Ok(()) => Ok(params),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let UnsetParams { name, scope } = params;
                let sentence = format!("{scope} has no secret {name}: `svc-admin secrets list` shows them all.");
                Err(Error::new(ErrorKind::NotFound, "not_found", sentence))
            }
            Err(error) => Err(error),
        }
    }
}

async fn missing_holder(server: &Server, scope: &SecretScope, error: Error) -> Error {
    match scope {
        SecretScope::User(name) => missing::user(server, name.as_str(), error).await,
        SecretScope::Agent(name) => missing::agent(server, name.as_str(), error).await,
    }
}
