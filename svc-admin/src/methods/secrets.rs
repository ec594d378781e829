//! `secrets.*`: values that runs receive. They go in and never come out.

use serde::{Deserialize, Serialize};
use svc_core::{Error, ErrorKind, Result, Secret, SecretFilter, SecretName, SecretPage, SecretScope, SecretValue};

use super::{Confidential, Method, Paged, Server, missing, root};

/// Sets a secret.
pub struct Set;

/// What [`Set`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetParams {
    /// The environment variable that it becomes.
    pub name: String,
    /// `user:NAME` or `agent:NAME`.
    pub scope: String,
    /// What it holds.
    pub value: Confidential,
}

impl Method for Set {
    const NAME: &'static str = "secrets.set";
    const ABOUT: &'static str = "Sets a secret of a user or of an agent, in place of the one that it had.";
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

/// What [`List`] takes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those of this scope, `user:NAME` or `agent:NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many to pass over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "secrets.list";
    const ABOUT: &'static str = "Lists the names of secrets; their values are never shown.";
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

/// A secret by its name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsetParams {
    /// The environment variable that it becomes.
    pub name: String,
    /// `user:NAME` or `agent:NAME`.
    pub scope: String,
}

impl Method for Unset {
    const NAME: &'static str = "secrets.unset";
    const ABOUT: &'static str = "Removes a secret; its key is not needed for that.";
    type Params = UnsetParams;
    type Answer = UnsetParams;

    async fn run(server: &Server, params: UnsetParams) -> Result<UnsetParams> {
        let scope: SecretScope = params.scope.parse()?;
        let name = SecretName::parse("name", &params.name)?;
        // A scope that there is not is told apart from a name that there is not.
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
