//! Traces that tests record, and exports that do not end well.

use futures_util::StreamExt;
use svc_core::auth::Surface;
use svc_core::ids::UserId;
use svc_core::traces::NewTrace;

use super::people::Person;
use super::server::TestServer;
use super::wait::soon;

impl TestServer {
    /// The account of a person.
    pub(crate) async fn owner_id(&self, person: &Person) -> UserId {
        self.caller(person).await.owner().unwrap()
    }

    /// Records something that an agent did.
    pub(crate) async fn record(&self, owner: UserId, agent: &str, action: &'static str) {
        let trace =
            NewTrace { owner: Some(owner), agent: Some(agent.to_owned()), ..NewTrace::new(action, Surface::Hub) };
        self.hub.traces().record(trace).await.unwrap();
    }
}

/// Whether a body ends with a failure and not as one that is complete.
pub(crate) async fn breaks_off(
    body: &mut (impl futures_util::Stream<Item = reqwest::Result<impl Sized>> + Unpin),
) -> bool {
    loop {
        match soon("more of the body", body.next()).await {
            Some(Ok(_)) => {}
            Some(Err(_)) => return true,
            None => return false,
        }
    }
}
