//! `traces.*`: traces of actions.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::messages::Prune;
use svc_core::traces::{PurgedTraces, TraceFilter, TracePage, TraceStats};
use svc_core::{Result, Timestamp};

use super::messages::PruneParams;
use super::{Method, Server, root};

/// Lists traces.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only actions of this agent; it need not exist any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only this action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Only from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Timestamp>,
    /// Only before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Timestamp>,
    /// Only failed, or only successful actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<bool>,
    /// The `next_cursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl ListParams {
    fn filter(self) -> TraceFilter {
        let Self { agent, action, after, before, error, cursor, limit } = self;
        TraceFilter { agent, action, after, before, error, cursor, limit }
    }
}

impl Method for List {
    const NAME: &'static str = "traces.list";
    const ABOUT: &'static str = "List all traces, newest first.";
    type Params = ListParams;
    type Answer = TracePage;

    async fn run(server: &Server, params: ListParams) -> Result<TracePage> {
        server.hub.traces().list(&root(), params.filter()).await
    }
}

/// Counts traces.
pub struct Stats;

/// Parameters of [`Stats`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsParams {
    /// Only actions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only this action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Only from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Timestamp>,
    /// Only before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Timestamp>,
    /// Only failed, or only successful actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<bool>,
}

impl Method for Stats {
    const NAME: &'static str = "traces.stats";
    const ABOUT: &'static str = "Count all traces by action.";
    type Params = StatsParams;
    type Answer = TraceStats;

    async fn run(server: &Server, params: StatsParams) -> Result<TraceStats> {
        let StatsParams { agent, action, after, before, error } = params;
        let filter = TraceFilter { agent, action, after, before, error, ..TraceFilter::default() };
        server.hub.traces().stats(&root(), filter).await
    }
}

/// Deletes old traces.
pub struct Purge;

impl Method for Purge {
    const NAME: &'static str = "traces.purge";
    const ABOUT: &'static str = "Delete traces older than a given age.";
    type Params = PruneParams;
    type Answer = PurgedTraces;

    async fn run(server: &Server, params: PruneParams) -> Result<PurgedTraces> {
        let prune = if params.dry_run { Prune::Count } else { Prune::Remove };
        let older_than = Duration::from_secs(params.older_than_seconds);
        server.hub.traces().purge(&root(), older_than, prune).await
    }
}
