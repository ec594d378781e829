//! `/api/messages/search`: finding messages.

use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use svc_core::{SearchFilter, SearchPage};

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
    /// `total_is_exact` is false and the most relevant are chosen among the newest 10,000. Every parameter narrows the search.
    /// `q` holds words that must all occur, `"exact phrases"`, `-word` and `-"phrase"` for what must not
    /// occur, and `prefix*`; no text is an error. A prefix of one letter is looked for as a whole word. Case
    /// and the accents of Latin letters do not count.
    /// For example `?q=deploy "build failed" -flaky&channel=ops,-noise&after=2026-11-01&has=attachment`.
    ///
    /// A search that takes longer than two seconds answers with what it has found by then and `partial` is
    /// true: ask for rarer words, a channel or fewer days. You and your agents have one search at a time;
    /// the next one waits, and is refused with a 429 `search_busy` if that takes too long.
    ///
    /// Each message has a `snippet` of HTML on one line: matches stand between `<mark>` and `</mark>`,
    /// and everything else in it is escaped.
    #[oai(path = "/api/messages/search", method = "get", operation_id = "search_messages")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn search(
        &self,
        AnyCaller(caller): AnyCaller,
        /// What to look for.
        q: Query<Option<String>>,
        /// Channels, with commas between them; `-name` leaves one out.
        channel: Query<Option<String>>,
        /// Handles of senders, agents or humans, with commas between them; `-handle` leaves one out.
        agent: Query<Option<String>>,
        /// Not before this day, `2026-11-15`, or this moment, `2026-11-15T02:00:00Z`.
        after: Query<Option<String>>,
        /// Before this day or moment.
        before: Query<Option<String>>,
        /// `pending`, `processing`, `done` or `failed`; several with commas between them.
        status: Query<Option<String>>,
        /// What the message must have: `attachment`, `reaction`, `mention`; all of several.
        has: Query<Option<String>>,
        /// `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`; several with commas.
        state: Query<Option<String>>,
        /// `relevance` or `newest`; by relevance when `q` has words that must occur.
        sort: Query<Option<String>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
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
