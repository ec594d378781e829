//! `/api/traces`: actions of the caller and their agents.

mod export;

use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use svc_core::Result;
use svc_core::formats::when;
use svc_core::traces::{TraceFilter, TracePage, TraceStats};

use self::export::{Export, ExportFormat};
use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct TraceRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Traces")]
#[expect(clippy::too_many_arguments, reason = "each is a parameter of the query, and documented as one")]
impl TraceRoutes {
    /// List traces
    ///
    /// Actions of you and your agents, newest first; an agent sees its own actions.
    #[oai(path = "/api/traces", method = "get", operation_id = "list_traces")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only actions of this agent.
        agent: Query<Option<String>>,
        /// Only this action, such as `create_agent`.
        action: Query<Option<String>>,
        /// Only from this date or time on, such as `2026-11-15` or `2026-11-15T02:00:00Z`.
        after: Query<Option<String>>,
        /// Only before this date or time.
        before: Query<Option<String>>,
        /// `true`: only failed actions; `false`: only successful ones.
        error: Query<Option<bool>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<TracePage>, Problem> {
        let filter = TraceFilter { cursor: cursor.0, limit: limit.0, ..filter(agent, action, after, before, error)? };
        Ok(Answer(self.state.hub().traces().list(&caller, filter).await?))
    }

    /// Export traces
    ///
    /// All of them, oldest first, as one JSON array or as CSV with a header row. The response is streamed; an
    /// incomplete one breaks the connection, so that it cannot be mistaken for a complete one. In CSV a cell that a
    /// spreadsheet would interpret as a formula begins with an apostrophe.
    #[oai(path = "/api/traces/export", method = "get", operation_id = "export_traces")]
    async fn export(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Format; default `json`.
        format: Query<Option<ExportFormat>>,
        /// Only actions of this agent.
        agent: Query<Option<String>>,
        /// Only this action.
        action: Query<Option<String>>,
        /// Only from this date or time on.
        after: Query<Option<String>>,
        /// Only before this date or time.
        before: Query<Option<String>>,
        /// `true`: only failed actions; `false`: only successful ones.
        error: Query<Option<bool>>,
    ) -> Result<Export, Problem> {
        let filter = filter(agent, action, after, before, error)?;
        let pages = self.state.hub().traces().export(&caller, filter).await?;
        Ok(Export::begin(pages, format.0.unwrap_or(ExportFormat::Json), &self.state).await?)
    }

    /// Count traces
    ///
    /// Number of calls and failures of each action, the most frequent first.
    #[oai(path = "/api/traces/stats", method = "get", operation_id = "trace_stats")]
    async fn stats(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only actions of this agent.
        agent: Query<Option<String>>,
        /// Only this action.
        action: Query<Option<String>>,
        /// Only from this date or time on.
        after: Query<Option<String>>,
        /// Only before this date or time.
        before: Query<Option<String>>,
        /// `true`: only failed actions; `false`: only successful ones.
        error: Query<Option<bool>>,
    ) -> Result<Answer<TraceStats>, Problem> {
        let filter = filter(agent, action, after, before, error)?;
        Ok(Answer(self.state.hub().traces().stats(&caller, filter).await?))
    }
}

fn filter(
    agent: Query<Option<String>>,
    action: Query<Option<String>>,
    after: Query<Option<String>>,
    before: Query<Option<String>>,
    Query(error): Query<Option<bool>>,
) -> Result<TraceFilter> {
    let moment = |field, text: Query<Option<String>>| text.0.map(|text| when::parse(field, &text)).transpose();
    Ok(TraceFilter {
        agent: agent.0,
        action: action.0,
        after: moment("after", after)?,
        before: moment("before", before)?,
        error,
        ..TraceFilter::default()
    })
}
