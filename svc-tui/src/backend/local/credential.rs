//! The login on a store: who acts, checked for each request as a server would.
//!
//! Invariants: every request checks the credential, so that the end of a login is noticed at once. Actions leave the
//! same traces as over REST: every change, and every request with a key.

use std::sync::Arc;
use std::time::Instant;

use svc_core::auth::{Actor, Credential, Surface, Visit};
use svc_core::traces::NewTrace;
use svc_core::{Caller, Error, ErrorKind, Hub, Result};

use crate::config_dir::KeptSecret;

/// The path at which a server would check a token.
const PATH: &str = "/api";

/// A hub in this process, and a login. Clones share both.
#[derive(Clone)]
pub(crate) struct LocalCredential {
    hub: Hub,
    secret: Arc<KeptSecret>,
}

/// Whether an action changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Read,
    Change,
}

impl LocalCredential {
    /// The login with this credential. It is not checked yet.
    pub(crate) fn of(hub: &Hub, secret: &KeptSecret) -> Self {
        Self { hub: hub.clone(), secret: Arc::new(secret.clone()) }
    }

    /// The hub.
    pub(super) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Checks the credential.
    pub(crate) async fn caller(&self) -> Result<Caller> {
        let auth = self.hub.auth();
        let caller = match &*self.secret {
            KeptSecret::Session { token } => auth.session(token).await?,
            KeptSecret::Key { token: key } | KeptSecret::Device { access_token: key, .. } => {
                auth.bearer_at(key, PATH).await?
            }
        };
        if caller.tools().is_some() {
            let message = "This agent was approved with a list of tools, and can use MCP only: use svc-mcp-stdio.";
            return Err(Error::new(ErrorKind::Forbidden, "tools_limited", message));
        }
        Ok(caller.visiting(visit()))
    }

    /// Ends the session. A key stays valid.
    pub(super) async fn end(&self) -> Result<()> {
        match &*self.secret {
            KeptSecret::Session { .. } => self.hub.sessions().logout(&self.caller().await?).await,
            KeptSecret::Key { .. } | KeptSecret::Device { .. } => Ok(()),
        }
    }

    /// Acts with the credential, and records the action.
    pub(super) async fn ask<T, F>(
        &self,
        action: &'static str,
        effect: Effect,
        call: impl FnOnce(Hub, Caller) -> F + Send,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>> + Send,
        T: Send,
    {
        let started = Instant::now();
        let caller = self.caller().await?;
        let is_recorded = effect == Effect::Change || !matches!(caller.credential(), Credential::Session(_));
        let trace = is_recorded.then(|| trace(action, &caller));
        let outcome = call(self.hub.clone(), caller).await;
        if let Some(trace) = trace {
            let error = outcome.as_ref().err().map(|error| error.code().to_owned());
            // The hub counts those for which there is no room.
            drop(self.hub.traces().offer(NewTrace { duration: started.elapsed(), error, ..trace }));
        }
        outcome
    }
}

/// The origin of requests: this program.
pub(crate) fn visit() -> Visit {
    let user_agent = Some(concat!("svc-tui/", env!("CARGO_PKG_VERSION")).to_owned());
    Visit { user_agent, ..Visit::through(Surface::Hub) }
}

fn trace(action: &'static str, caller: &Caller) -> NewTrace {
    let agent = match caller.actor() {
        Actor::Agent(agent) => Some(agent.name.to_string()),
        Actor::User(_) | Actor::Root => None,
    };
    NewTrace { owner: caller.owner(), agent, ..NewTrace::new(action, Surface::Hub) }
}
