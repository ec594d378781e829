//! `/api/notifications`: unread counts, read positions and settings.

use poem_openapi::OpenApi;
use svc_core::notifications::{Mark, NotificationSettings, SettingsChange, Unread};

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
    /// One object or a list of up to 100. For example `{"kind": "channel", "name": "general"}` or `[{"kind": "dm",
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
