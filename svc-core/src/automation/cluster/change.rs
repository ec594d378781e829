//! Registering and removing handlers.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::auth::Permission;
use svc_model::cluster::{ClusterHandler, NewHandler};

use super::service::{Cluster, existing, scope};
use super::store::{self, HandlerRow, Scope};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::ids::HandlerId;
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl Cluster {
    /// Registers a handler. From now on, each of its events becomes one Job.
    pub async fn register(&self, caller: &Caller, new: NewHandler) -> Result<ClusterHandler> {
        let scope = scope(caller, Permission::Write)?;
        let new = new.checked()?;
        let once = caller.idempotency("cluster.register", &new)?;
        let caller = caller.clone();
        let registered = self.db.write_once(once, new, move |tx, new| {
            let caller = caller.clone();
            Box::pin(async move { register(tx, &caller, &scope, new).await })
        });
        Ok(registered.await?.value)
    }

    /// Deletes a handler. Jobs that run go on to their end; those that wait are cancelled.
    pub async fn delete(&self, caller: &Caller, id: HandlerId) -> Result<()> {
        let scope = scope(caller, Permission::Write)?;
        self.db
            .write((caller.clone(), scope, id), |tx, (caller, scope, id)| {
                Box::pin(async move {
                    let handler = existing(tx, scope, *id).await?;
                    store::delete(tx, *id).await?;
                    audit::record(tx, &entry(caller, &handler, "deleted")).await
                })
            })
            .await
    }
}

async fn register(tx: &mut Tx, caller: &Caller, scope: &Scope, new: &NewHandler) -> Result<ClusterHandler> {
    let agent = agents::named_or_own(tx, caller, new.agent.as_deref()).await?;
    // Serializes registrations of an agent, and waits for its deletion.
    agents::store::hold(tx, agent.id).await?;
    if agents::store::find_any(tx, &agent.name).await?.is_none() {
        return Err(Error::not_found("agent"));
    }
    if store::count(tx, agent.id).await? >= limits::HANDLERS_PER_AGENT {
        let message = format!("An agent can have {} handlers: delete one first.", limits::HANDLERS_PER_AGENT);
        return Err(Error::conflict("too_many_handlers", message));
    }
    let id = store::insert(tx, agent.id, new).await?;
    let handler = existing(tx, scope, id).await?;
    audit::record(tx, &entry(caller, &handler, "created")).await?;
    Ok(handler.shown())
}

fn entry(caller: &Caller, handler: &HandlerRow, action: &str) -> NewEntry {
    NewEntry::by(AuditEvent::HandlerChanged, caller)
        .about(handler.owner_id, &handler.owner)
        .detail("action", action)
        .detail("agent", handler.agent.as_str())
        .detail("handler", handler.id.0)
        .detail("image", handler.image.as_str())
}
