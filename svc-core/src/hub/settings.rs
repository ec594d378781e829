//! Changing the settings of agents, with what follows for their budgets and their reputation.

use svc_macros::boxed_futures;
use svc_model::agents::{Agent, AgentSettings};

use crate::automation::governance;
use crate::error::Result;
use crate::identity::agents::{self, Agents};
use crate::identity::auth::Caller;
use crate::store::db::Tx;

#[boxed_futures]
impl Agents {
    /// Updates the given settings and leaves the rest unchanged.
    pub async fn update(&self, caller: &Caller, name: &str, settings: AgentSettings) -> Result<Agent> {
        caller.require_manager()?;
        let settings = settings.checked()?;
        self.db
            .write((caller.clone(), name.to_owned(), settings), |tx, (caller, name, settings)| {
                Box::pin(update(tx, caller, name, settings))
            })
            .await
    }
}

async fn update(tx: &mut Tx, caller: &Caller, name: &str, settings: &AgentSettings) -> Result<Agent> {
    let (before, after) = agents::update(tx, caller, name, settings).await?;
    governance::settings_changed(tx, caller, &before, &after).await?;
    agents::existing(tx, agents::reach(caller), name).await
}
