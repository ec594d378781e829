//! `/api/admin`: the state of the hub, backups, all agents and all OAuth clients, for admins.

use poem_openapi::param::Query;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use svc_core::agents::{Agent, AgentFilter, TriggerMode};
use svc_core::backups::BackupOverview;
use svc_core::governance::PausedReason;
use svc_core::health::HealthReport;
use svc_core::oauth::{Client, GrantType};
use svc_core::users::Username;
use svc_core::{Page, Timestamp};

use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::error::Problem;
use crate::identity::AdminCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AdminRoutes {
    pub(crate) state: AppState,
}

/// An agent of any user, without its instructions and its configuration, which are its owner's.
#[derive(Serialize, Object)]
#[oai(skip_serializing_if_is_none)]
struct AgentOverview {
    /// Its handle.
    name: String,
    /// Its display name.
    display_name: String,
    /// The handle of its owner.
    owner: String,
    /// The condition under which the hub runs it.
    trigger_mode: TriggerMode,
    /// When it was paused; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_at: Option<Timestamp>,
    /// The reason why it is paused; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_reason: Option<PausedReason>,
    /// When it was quarantined; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    quarantined_at: Option<Timestamp>,
    /// When it was created.
    created_at: Timestamp,
}

impl From<Agent> for AgentOverview {
    fn from(agent: Agent) -> Self {
        Self {
            name: agent.name,
            display_name: agent.display_name,
            owner: agent.owner,
            trigger_mode: agent.trigger_mode,
            paused_at: agent.paused_at,
            paused_reason: agent.paused_reason,
            quarantined_at: agent.quarantined_at,
            created_at: agent.created_at,
        }
    }
}

/// A page of agents of all users.
#[derive(Serialize, Object)]
struct AgentOverviewPage {
    /// The agents, by name.
    agents: Vec<AgentOverview>,
    /// The total number of agents.
    total: i64,
}

/// An OAuth client, without its secret.
#[derive(Serialize, Object)]
#[oai(skip_serializing_if_is_none)]
struct OAuthClient {
    /// Its public id.
    client_id: String,
    /// Its display name, as it gave it.
    name: String,
    /// Its origin: `registered` by itself, created by an `admin`, or described by a `document` at its id.
    source: String,
    /// Its authentication method.
    token_endpoint_auth_method: String,
    /// Its grant types.
    grant_types: Vec<String>,
    /// The allowed redirect URIs.
    redirect_uris: Vec<String>,
    /// The agent as which it acts with its own credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// When it was registered.
    created_at: Timestamp,
}

impl From<Client> for OAuthClient {
    fn from(client: Client) -> Self {
        Self {
            client_id: client.client_id,
            name: client.name,
            source: client.source.as_str().to_owned(),
            token_endpoint_auth_method: client.token_endpoint_auth_method.as_str().to_owned(),
            grant_types: client.grant_types.into_iter().map(GrantType::as_str).map(ToOwned::to_owned).collect(),
            redirect_uris: client.redirect_uris,
            agent: client.agent,
            created_at: client.created_at,
        }
    }
}

/// A page of OAuth clients.
#[derive(Serialize, Object)]
struct OAuthClientPage {
    /// The clients, newest first.
    clients: Vec<OAuthClient>,
    /// The total number of clients.
    total: i64,
}

#[OpenApi(tag = "Chapter::Administration")]
impl AdminRoutes {
    /// Examine the hub
    ///
    /// The state of each part (store, disk, files, workers, nodes, clock, queues, certificates, backups), with what
    /// to do about it, and the nodes, workers, queues, certificates and samples of the disk themselves. A figure that
    /// the store does not return within seconds is a finding.
    #[oai(path = "/api/admin/health", method = "get", operation_id = "examine_hub")]
    async fn health(&self, AdminCaller(caller): AdminCaller) -> Result<Answer<HealthReport>, Problem> {
        Ok(Answer(self.state.hub().examine(&caller).await?))
    }

    /// List backups
    ///
    /// The schedule, if there is one, and the latest backups with their results, newest first. `svc-admin backup` makes
    /// them, and sets the schedule.
    #[oai(path = "/api/admin/backups", method = "get", operation_id = "list_backups")]
    async fn backups(&self, AdminCaller(caller): AdminCaller) -> Result<Answer<BackupOverview>, Problem> {
        Ok(Answer(self.state.hub().backups().overview(&caller).await?))
    }

    /// List all agents
    ///
    /// The agents of all users by name, with their owners and states. Instructions and configurations are not shown.
    /// For example `/api/admin/agents?owner=ann`.
    #[oai(path = "/api/admin/agents", method = "get", operation_id = "list_all_agents")]
    async fn agents(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Only agents of this user.
        owner: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<AgentOverviewPage>, Problem> {
        let owner = owner.0.as_deref().map(|name| Username::parse("owner", name)).transpose()?;
        let filter = AgentFilter { owner, page: Page::new(limit.0, offset.0)? };
        let page = self.state.hub().agents().list_all(&caller, filter).await?;
        let agents = page.agents.into_iter().map(Into::into).collect();
        Ok(Answer(AgentOverviewPage { agents, total: page.total }))
    }

    /// List all OAuth clients
    ///
    /// Newest first, without their secrets.
    #[oai(path = "/api/admin/oauth-clients", method = "get", operation_id = "list_oauth_clients")]
    async fn clients(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<OAuthClientPage>, Problem> {
        let page = self.state.hub().oauth().clients().list(&caller, Page::new(limit.0, offset.0)?).await?;
        let clients = page.clients.into_iter().map(Into::into).collect();
        Ok(Answer(OAuthClientPage { clients, total: page.total }))
    }

    /// Delete an OAuth client
    ///
    /// With all its grants, so that its tokens stop working at once. A client that registered itself can register
    /// again. Only in a login session that has confirmed its password: see `POST /auth/confirm`. For example
    /// `/api/admin/oauth-clients?client_id=client_5Jk0pQ2`.
    #[oai(path = "/api/admin/oauth-clients", method = "delete", operation_id = "delete_oauth_client")]
    async fn delete_client(
        &self,
        AdminCaller(caller): AdminCaller,
        /// Id of the client, which may be a URL.
        client_id: Query<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().oauth().clients().delete(&caller, &client_id.0).await?;
        Ok(NoContent)
    }
}
