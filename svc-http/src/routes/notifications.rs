//! `/api/notifications` and `/api/mentions`: unread counts, mentions, read positions and settings.

use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use svc_core::ids::MessageId;
use svc_core::notifications::{
    Mark, MentionFilter, MentionPage, NotificationSettings, SettingsChange, Unread, UnreadTotals,
};

use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::body::JsonBody;
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
    /// first, also without unread messages; at most 1,000. Your own messages are never unread. A public channel that you
    /// are no member of is listed while it has unread mentions of you; its `unread` is 0.
    ///
    /// An agent that is mentioned in a channel gets a direct message as well. `mention_copies` is the number of unread
    /// direct messages that are such copies from channels of its own; subtract it from a sum, and each message counts
    /// once. Mentions of a person are no direct messages; `GET /api/mentions` lists them.
    #[oai(path = "/api/notifications/unread", method = "get", operation_id = "list_unread")]
    async fn unread(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Vec<Unread>>, Problem> {
        Ok(Answer(self.state.hub().notifications().unread(&caller).await?))
    }

    /// Count what waits for me
    ///
    /// Unread direct messages and mentions in all conversations of `GET /api/notifications/unread` whose level is not
    /// `nothing`. Each message counts once.
    #[oai(path = "/api/notifications/totals", method = "get", operation_id = "get_unread_totals")]
    async fn totals(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<UnreadTotals>, Problem> {
        Ok(Answer(self.state.hub().notifications().totals(&caller).await?))
    }

    /// List my mentions
    ///
    /// Messages in channels that mention you, newest first. They are read with the channel: mark it as read up to a
    /// message, and the mentions up to there are read. Those of a channel that you have left, or cannot see any more,
    /// are not listed.
    #[oai(path = "/api/mentions", method = "get", operation_id = "list_mentions")]
    async fn mentions(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only unread ones.
        unread: Query<Option<bool>>,
        /// Only mentions in messages before this id.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<MentionPage>, Problem> {
        let filter =
            MentionFilter { unread: unread.0.unwrap_or(false), before: before.0.map(MessageId), limit: limit.0 };
        Ok(Answer(self.state.hub().notifications().mentions(&caller, filter).await?))
    }

    /// Mark as read
    ///
    /// One object or a list of up to 100. For example `{"kind": "channel", "name": "general"}` or `[{"kind": "dm",
    /// "name": "ann", "last_message_id": 42}]`. Without `last_message_id` everything up to now is marked. A read
    /// position never moves back. All are marked, or none. Reading a channel reads the mentions of you there; in a public
    /// channel that you are no member of, the mentions alone.
    #[oai(path = "/api/notifications/mark-read", method = "post", operation_id = "mark_read")]
    async fn mark_read(
        &self,
        AnyCaller(caller): AnyCaller,
        OneOrMore(marks): OneOrMore<Mark>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().notifications().mark_read(&caller, marks).await?;
        Ok(NoContent)
    }

    /// Get my notification settings
    ///
    /// The kinds that are pushed, the quiet hours, and the conversations whose level is not the default: `mentions`
    /// for channels, `all` for direct messages. Only for humans.
    #[oai(path = "/api/notifications/settings", method = "get", operation_id = "get_notification_settings")]
    async fn settings(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<NotificationSettings>, Problem> {
        Ok(Answer(self.state.hub().notifications().settings(&caller).await?))
    }

    /// Change my notification settings
    ///
    /// Absent parts stay as they are. For example `{"conversations": [{"kind": "channel", "name": "general", "level":
    /// "nothing"}]}` mutes a channel, and `{"quiet_hours": {"start": "22:00", "end": "07:00", "time_zone":
    /// "Europe/Berlin"}}` sets quiet hours; `{"quiet_hours": null}` removes them. All parts are changed, or none.
    #[oai(path = "/api/notifications/settings", method = "put", operation_id = "update_notification_settings")]
    async fn change_settings(
        &self,
        AnyCaller(caller): AnyCaller,
        JsonBody(change): JsonBody<SettingsChange>,
    ) -> Result<Answer<NotificationSettings>, Problem> {
        Ok(Answer(self.state.hub().notifications().change_settings(&caller, change).await?))
    }
}
