//! `/api/machines`: the registered machine principals.

use poem_openapi::OpenApi;
use svc_core::principals::RegistryView;

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct MachinesRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Machines")]
impl MachinesRoutes {
    /// List machine principals
    ///
    /// The current registry, and its principals by name: whether they are enabled, their number of keys, and the
    /// scopes of those. Keys themselves are not shown. Each principal comes with the data it has sent: its status,
    /// which is `stale` after three missed heartbeats, its number of events, and its sources. A principal that was
    /// removed from the registry stays in the list for that, with `registered: false`. `problem` is present while the
    /// server's registry file cannot be loaded; the previous registry stays in force meanwhile. For example
    /// `{"registry": {"audience": "svc-brain", "sha256": "9f86…", "source": "machines.json",
    /// "loaded_at": "2026-01-01T00:00:00Z", "principals": 1, "keys": 1}, "principals": [{"principal_id":
    /// "svc:sense:door-1", "enabled": true, "active_keys": 1, "revoked_keys": 0, "scopes":
    /// ["events:ingest"], "registered": true, "status": {"state": "running", "stale": false, …}, "events": 12,
    /// "last_event_at": "2026-01-01T00:00:00Z", "sources": [{"source": "door", "version": 3, …}]}], "truncated":
    /// false}`. At most 1,000 are listed, and `truncated` says whether there are more. The source of the registry and
    /// the error of its file are shown to admins only: others see that loading failed, and since when.
    #[oai(path = "/api/machines", method = "get", operation_id = "list_machines")]
    async fn list(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<RegistryView>, Problem> {
        Ok(Answer(self.state.hub().principals().list(&caller).await?))
    }
}
