//! The requests for secrets of a hub.

use std::sync::Arc;

use serde_json::json;
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::DecisionNote;
use svc_model::secret_requests::{
    NewSecretRequest, SecretRequest, SecretRequestFilter, SecretRequestPage, SecretRequestStatus,
};
use svc_model::secrets::{SecretScope, SecretValue};

use super::store::{self, RequestRow, Scope};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, AgentActor, Caller};
use crate::identity::{agents, secrets};
use crate::ids::{ParticipantId, SecretRequestId};
use crate::knowledge::goals;
use crate::limits;
use crate::messaging::messages::{self, Statement};
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};
use crate::store::vault::Vault;

/// The requests for secrets of a hub; see [`Hub::secret_requests`](crate::Hub::secret_requests).
#[derive(Clone)]
pub struct SecretRequests {
    db: Db,
    vault: Vault,
}

#[boxed_futures]
impl SecretRequests {
    pub(crate) fn new(db: Db, vault: Vault) -> Self {
        Self { db, vault }
    }

    /// The names of the secrets that runs of the calling agent receive.
    pub async fn names(&self, caller: &Caller) -> Result<Vec<String>> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let agent = agent(caller)?.id;
        self.db.read(agent, |tx, agent| Box::pin(store::names(tx, *agent))).await
    }

    /// Asks the owner of the calling agent for a secret. Asking again for one that is not decided returns that request.
    pub async fn request(&self, caller: &Caller, new: NewSecretRequest) -> Result<SecretRequest> {
        caller.require(Permission::Write)?;
        caller.require_direct()?;
        let new = new.checked()?;
        let once = caller.idempotency("secrets.request", &new)?;
        let input = (agent(caller)?.clone(), new);
        let requested = self.db.write_once(once, input, |tx, (agent, new)| Box::pin(request(tx, agent, new)));
        Ok(requested.await?.value)
    }

    /// Lists the requests of the caller's agents, newest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: SecretRequestFilter) -> Result<SecretRequestPage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let limit = checked_limit(filter.limit)?;
        let input = (scope(caller), filter, limit);
        let mut rows = self
            .db
            .read(input, |tx, (scope, filter, limit)| Box::pin(store::list(tx, scope, filter, *limit + 1)))
            .await?;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_cursor = rows.last().filter(|_| has_more).map(|last| last.id);
        Ok(SecretRequestPage { requests: rows.into_iter().map(RequestRow::shown).collect(), next_cursor })
    }

    /// Stores the secret that was asked for, as a secret of the agent. Requires its owner.
    pub async fn provide(&self, caller: &Caller, id: SecretRequestId, value: SecretValue) -> Result<SecretRequest> {
        caller.require_manager()?;
        let work = Arc::new((caller.clone(), self.vault.clone(), value));
        self.db
            .write((scope(caller), id), move |tx, (scope, id)| {
                let work = work.clone();
                Box::pin(async move {
                    let (caller, vault, value) = work.as_ref();
                    let request = undecided(tx, scope, *id).await?;
                    let holder = SecretScope::Agent(request.agent.parse()?);
                    secrets::set_in(tx, vault, caller, &holder, (&request.name.parse()?, value)).await?;
                    decide(tx, scope, &request, SecretRequestStatus::Provided, None).await
                })
            })
            .await
    }

    /// Rejects a request. Requires the owner of the agent.
    pub async fn reject(&self, caller: &Caller, id: SecretRequestId, note: DecisionNote) -> Result<SecretRequest> {
        caller.require_manager()?;
        let note = note.checked()?;
        self.db
            .write((scope(caller), id, note), |tx, (scope, id, note)| {
                Box::pin(async move {
                    let request = undecided(tx, scope, *id).await?;
                    decide(tx, scope, &request, SecretRequestStatus::Rejected, note.reason.as_deref()).await
                })
            })
            .await
    }
}

async fn request(tx: &mut Tx, agent: &AgentActor, new: &NewSecretRequest) -> Result<SecretRequest> {
    let own = Scope { owner: Some(agent.owner), agent: Some(agent.id) };
    // Serializes the requests of an agent, and waits for its deletion.
    agents::store::hold(tx, agent.id).await?;
    if agents::store::find_any(tx, &agent.name).await?.is_none() {
        return Err(Error::not_found("agent"));
    }
    if let Some(known) = store::open(tx, agent.id, &new.name).await? {
        return existing(tx, &own, known).await.map(RequestRow::shown);
    }
    if store::names(tx, agent.id).await?.contains(&new.name) {
        let message = "Runs of this agent receive a secret of this name already.";
        return Err(Error::conflict("secret_exists", message));
    }
    if store::count_open(tx, agent.id).await? >= limits::SECRET_REQUESTS_OPEN_MAX {
        let message =
            format!("An agent can have {} requests that wait for its owner.", limits::SECRET_REQUESTS_OPEN_MAX);
        return Err(Error::conflict("too_many_requests", message));
    }
    if let Some(goal) = new.goal_id
        && !goals::is_of(tx, agent.owner, goal).await?
    {
        return Err(Error::not_found("goal"));
    }
    let id = store::insert(tx, agent.id, agent.owner, new).await?;
    let words = format!("@{} asks for the secret {}. Provide or reject it on your first page.", agent.name, new.name);
    let statement = Statement::default().say(words).quote_block(&agent.name, &new.reason);
    let metadata = json!({ "secret_request": { "id": id, "agent": agent.name.as_ref(), "name": new.name } });
    messages::notify(tx, ParticipantId(agent.owner.0), &statement, metadata).await?;
    existing(tx, &own, id).await.map(RequestRow::shown)
}

async fn decide(
    tx: &mut Tx,
    scope: &Scope,
    request: &RequestRow,
    status: SecretRequestStatus,
    rejection: Option<&str>,
) -> Result<SecretRequest> {
    store::decide(tx, request.id, status, rejection).await?;
    let words = format!("Your request for the secret {} was {status}.", request.name);
    let owner = agents::store::find_any(tx, &request.agent).await?.map(|agent| agent.owner).unwrap_or_default();
    let statement = Statement::default().say(words).quote_block(&owner, rejection.unwrap_or_default());
    let metadata = json!({ "secret_request": { "id": request.id, "name": request.name, "status": status.as_str() } });
    messages::notify(tx, ParticipantId(request.agent_id.0), &statement, metadata).await?;
    existing(tx, scope, request.id).await.map(RequestRow::shown)
}

/// The agent that calls; fails for anybody else.
fn agent(caller: &Caller) -> Result<&AgentActor> {
    match caller.actor() {
        Actor::Agent(agent) => Ok(agent),
        Actor::User(_) | Actor::Root => {
            let message = "Only an agent can do this: use the key of an agent.";
            Err(Error::new(ErrorKind::Forbidden, "agent_required", message))
        }
    }
}

fn scope(caller: &Caller) -> Scope {
    let agent = match caller.actor() {
        Actor::Agent(agent) => Some(agent.id),
        Actor::User(_) | Actor::Root => None,
    };
    Scope { owner: caller.owner(), agent }
}

async fn existing(tx: &mut Tx, scope: &Scope, id: SecretRequestId) -> Result<RequestRow> {
    store::find(tx, scope, id).await?.ok_or_else(|| Error::not_found("request"))
}

/// A request that waits for a decision, with the row of its agent locked.
async fn undecided(tx: &mut Tx, scope: &Scope, id: SecretRequestId) -> Result<RequestRow> {
    let request = existing(tx, scope, id).await?;
    agents::store::hold(tx, request.agent_id).await?;
    let request = existing(tx, scope, id).await?;
    if request.status != SecretRequestStatus::Requested {
        let message = format!("This request is {}: it was decided already.", request.status);
        return Err(Error::conflict("illegal_transition", message));
    }
    Ok(request)
}
