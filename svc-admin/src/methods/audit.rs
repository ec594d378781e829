//! `audit.*`: the audit log of accounts and credentials.

use serde::{Deserialize, Serialize};
use svc_core::audit::{AuditEntry, AuditFilter, AuditStats};
use svc_core::ids::AuditId;
use svc_core::{Result, Timestamp};

use super::{Method, Server, root};

/// Lists entries.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only this event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Only about this account; it need not exist any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Only actions of this account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Only from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Only before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Only entries before this id, for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<AuditId>,
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// A page of the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entries {
    /// The entries, newest first.
    pub entries: Vec<AuditEntry>,
}

impl Method for List {
    const NAME: &'static str = "audit.list";
    const ABOUT: &'static str = "List entries of the audit log, newest first.";
    type Params = ListParams;
    type Answer = Entries;

    async fn run(server: &Server, params: ListParams) -> Result<Entries> {
        let ListParams { event, user, actor, since, until, before, limit } = params;
        let filter = AuditFilter { event, username: user, actor, since, until, before, limit };
        Ok(Entries { entries: server.hub.audit().list(&root(), filter).await? })
    }
}

/// Counts entries.
pub struct Stats;

/// Parameters of [`Stats`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    /// Only from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// Number of entries of each event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StatsAnswer {
    /// One entry for each event that occurred, by name.
    pub stats: Vec<AuditStats>,
}

impl Method for Stats {
    const NAME: &'static str = "audit.stats";
    const ABOUT: &'static str = "Count the entries of the audit log by event.";
    type Params = StatsParams;
    type Answer = StatsAnswer;

    async fn run(server: &Server, params: StatsParams) -> Result<StatsAnswer> {
        let since = params.since.unwrap_or(Timestamp::from_micros(i64::MIN));
        Ok(StatsAnswer { stats: server.hub.audit().stats(&root(), since).await? })
    }
}
