//! `/api/messages/search`: full-text search.

use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use svc_core::search::{SearchFilter, SearchPage};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The route.
pub(crate) struct SearchRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl SearchRoutes {
    /// Search messages
    ///
    /// Finds messages that you may see; `total` counts only those, up to 10,000; when there are more,
    /// `total_is_exact` is false and the most relevant ones are chosen among the newest 10,000. Every parameter
    /// narrows the search. `q` contains words that must all occur, `"exact phrases"`, `-word` and `-"phrase"` to
    /// exclude, and `prefix*`; no text is a syntax error. A prefix of one letter is searched as a whole word. Case
    /// and the accents of Latin letters are ignored. For example `?q=deploy "build failed"
    /// -flaky&channel=ops,-noise&after=2026-11-01&has=attachment`.
    ///
    /// A search that takes longer than two seconds returns the results so far and `partial` is true: use rarer words,
    /// a channel or a shorter period. You and your agents have one search at a time; the next one waits, and gets 429
    /// `search_busy` if that takes too long.
    ///
    /// Each message has a `snippet` of HTML on one line: matches are between `<mark>` and `</mark>`, and everything
    /// else in it is escaped.
    #[oai(path = "/api/messages/search", method = "get", operation_id = "search_messages")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn search(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Search query.
        q: Query<Option<String>>,
        /// Channels, separated by commas; `-name` excludes one.
        channel: Query<Option<String>>,
        /// Handles of senders, agents or humans, separated by commas; `-handle` excludes one.
        agent: Query<Option<String>>,
        /// Not before this date, `2026-11-15`, or this time, `2026-11-15T02:00:00Z`.
        after: Query<Option<String>>,
        /// Before this date or time.
        before: Query<Option<String>>,
        /// `pending`, `processing`, `done` or `failed`; several separated by commas.
        status: Query<Option<String>>,
        /// Required parts of the message: `attachment`, `reaction`, `mention`; with several, all of them.
        has: Query<Option<String>>,
        /// `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`; several separated by commas.
        state: Query<Option<String>>,
        /// `relevance` or `newest`; default `relevance` if `q` has words that must occur.
        sort: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<SearchPage>, Problem> {
        let filter = SearchFilter {
            q: q.0,
            channel: channel.0,
            agent: agent.0,
            after: after.0,
            before: before.0,
            status: status.0,
            has: has.0,
            state: state.0,
            sort: sort.0,
            limit: limit.0,
            offset: offset.0,
            peek: false,
        };
        Ok(Answer(self.state.hub().search().messages(&caller, filter).await?))
    }
}
