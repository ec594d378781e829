//! `/api/notifications`: unread counts and read positions.

use poem_openapi::OpenApi;
use svc_core::notifications::{Mark, Unread};

use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::loose_body::OneOrMore;
use crate::state::AppState;

/// The routes.
pub(crate) struct NotificationRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Notifications")]
impl NotificationRoutes {
    /// List unread counts
    ///
    /// Every channel that you are a member of and every participant with whom you exchanged direct messages, latest
    /// first, also without unread messages; at most 1,000. Your own messages are never unread.
    ///
    /// A participant that is mentioned in a channel gets a direct message as well. `mention_copies` is the number of
    /// unread direct messages that are such copies from channels of yours; subtract it from a sum, and each message
    /// counts once.
    #[oai(path = "/api/notifications/unread", method = "get", operation_id = "list_unread")]
    async fn unread(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Vec<Unread>>, Problem> {
        Ok(Answer(self.state.hub().notifications().unread(&caller).await?))
    }

    /// Mark as read
    ///
    /// One object or a list of up to 100, for example `{"kind": "channel", "name": "general"}` or `[{"kind": "dm",
    /// "name": "ann", "last_message_id": 42}]`. Without `last_message_id` everything up to now is marked. A read
    /// position never moves back. All are marked, or none.
    #[oai(path = "/api/notifications/mark-read", method = "post", operation_id = "mark_read")]
    async fn mark_read(
        &self,
        AnyCaller(caller): AnyCaller,
        OneOrMore(marks): OneOrMore<Mark>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().notifications().mark_read(&caller, marks).await?;
        Ok(NoContent)
    }
}
