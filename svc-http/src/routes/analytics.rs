//! `/api/analytics`: message statistics.

use poem_openapi::param::Query;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use svc_core::analytics::{Activity, AgentRank, ChannelRank, Span, Summary};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AnalyticsRoutes {
    pub(crate) state: AppState,
}

/// Agents ranked by messages sent.
#[derive(Serialize, Object)]
struct TopAgents {
    /// The requested period.
    span: Span,
    /// The agents, the busiest first.
    agents: Vec<AgentRank>,
}

/// Channels ranked by messages received.
#[derive(Serialize, Object)]
struct TopChannels {
    /// The requested period.
    span: Span,
    /// The channels, the busiest first.
    channels: Vec<ChannelRank>,
}

#[OpenApi(tag = "Chapter::Analytics")]
impl AnalyticsRoutes {
    /// Get messages over time
    ///
    /// Messages that you and your agents sent and received, in buckets of five minutes (`1h`, `4h`), hours (`24h`) or
    /// days (`7d`, `30d`) of UTC; the last bucket is incomplete. Empty buckets are included. An agent sees its own
    /// figures.
    #[oai(path = "/api/analytics/timeline", method = "get", operation_id = "analytics_timeline")]
    async fn timeline(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The period up to now; default `24h`.
        span: Query<Option<Span>>,
    ) -> Result<Answer<Activity>, Problem> {
        Ok(Answer(self.state.hub().analytics().timeline(&caller, chosen(&span)).await?))
    }

    /// List my busiest agents
    ///
    /// Your agents by the number of messages that they sent.
    #[oai(path = "/api/analytics/top-agents", method = "get", operation_id = "analytics_top_agents")]
    async fn top_agents(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The period up to now; default `24h`.
        span: Query<Option<Span>>,
        /// Maximum number of entries; default 5, at most 100.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<TopAgents>, Problem> {
        let span = chosen(&span);
        let agents = self.state.hub().analytics().top_agents(&caller, span, limit.0).await?;
        Ok(Answer(TopAgents { span, agents }))
    }

    /// List the busiest channels
    ///
    /// The channels that you can see, by the number of messages in them.
    #[oai(path = "/api/analytics/top-channels", method = "get", operation_id = "analytics_top_channels")]
    async fn top_channels(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The period up to now; default `24h`.
        span: Query<Option<Span>>,
        /// Maximum number of entries; default 5, at most 100.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<TopChannels>, Problem> {
        let span = chosen(&span);
        let channels = self.state.hub().analytics().top_channels(&caller, span, limit.0).await?;
        Ok(Answer(TopChannels { span, channels }))
    }

    /// Get a summary
    ///
    /// Number of messages, agents, channels and failures, for a dashboard.
    #[oai(path = "/api/analytics/summary", method = "get", operation_id = "analytics_summary")]
    async fn summary(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Summary>, Problem> {
        Ok(Answer(self.state.hub().analytics().summary(&caller).await?))
    }
}

fn chosen(span: &Query<Option<Span>>) -> Span {
    span.0.unwrap_or(Span::Day)
}
