//! Opening of secrets for a run.

use std::collections::BTreeMap;

use svc_macros::boxed_futures;
use svc_model::secrets::SecretValue;

use super::change::sealing_context;
use super::service::Secrets;
use super::store;
use crate::error::{Error, Result};
use crate::ids::AgentId;

#[boxed_futures]
impl Secrets {
    /// The secrets of a run of this agent: its owner's, overridden by its own. Only the part of the hub that
    /// starts runs calls this; no other code opens values.
    pub async fn for_run(&self, agent: AgentId) -> Result<BTreeMap<String, SecretValue>> {
        let sealed = self.db.read(agent, |tx, agent| Box::pin(store::for_run(tx, *agent))).await?;
        let mut opened = BTreeMap::new();
        // The agent's own secrets come last.
        for secret in sealed {
            let value = self.vault.open(&sealing_context(secret.participant_id.0, &secret.name), &secret.sealed)?;
            let text = String::from_utf8(value).map_err(|_| Error::internal("a secret is not text"))?;
            opened.insert(secret.name, SecretValue::parse("value", text)?);
        }
        Ok(opened)
    }
}
