//! `/api/scheduled-messages`: messages that are sent later.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::ids::ScheduledMessageId;
use svc_core::messages::Message;
use svc_core::scheduled::{
    NewScheduledMessage, ScheduledFilter, ScheduledMessage, ScheduledMessageUpdate, ScheduledPage, ScheduledStatus,
};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct ScheduledRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl ScheduledRoutes {
    /// Schedule a message
    ///
    /// It is sent once, as you, within a few seconds of `send_at`, which is at least one minute and at most 365 days
    /// from now. It cannot have files. All rules of sending hold at that time; if it is refused then, its status is
    /// `failed` and `error_code` says why. It is also refused when the managed key, or the access of the OAuth client,
    /// with which it was scheduled has ended. You and your agents can have 100 messages that wait; beyond that the
    /// response is 409 `too_many_scheduled`. For example `{"channel": "general", "body": "Good morning!", "send_at":
    /// "2030-01-31T09:00:00Z"}`.
    #[oai(path = "/api/scheduled-messages", method = "post", operation_id = "schedule_message")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<NewScheduledMessage>,
    ) -> Result<Created<ScheduledMessage>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Created(self.state.hub().scheduled().create(&caller, body).await?))
    }

    /// List scheduled messages
    ///
    /// Yours and those of your agents, the one that was scheduled last first. Those that were sent or refused are
    /// listed for 30 days.
    #[oai(path = "/api/scheduled-messages", method = "get", operation_id = "list_scheduled_messages")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those with this status.
        status: Query<Option<ScheduledStatus>>,
        /// Only those before this id.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<ScheduledPage>, Problem> {
        let filter = ScheduledFilter { status: status.0, before: before.0.map(ScheduledMessageId), limit: limit.0 };
        Ok(Answer(self.state.hub().scheduled().list(&caller, filter).await?))
    }

    /// Get a scheduled message
    #[oai(path = "/api/scheduled-messages/:id", method = "get", operation_id = "get_scheduled_message")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the scheduled message.
        id: Path<i64>,
    ) -> Result<Answer<ScheduledMessage>, Problem> {
        Ok(Answer(self.state.hub().scheduled().get(&caller, ScheduledMessageId(id.0)).await?))
    }

    /// Change a scheduled message
    ///
    /// Its text, its time, or both; only for its author. One that was refused waits again when it gets a time. 409
    /// `already_sent` after it was sent. For example `{"send_at": "2030-01-31T10:00:00Z"}`.
    #[oai(path = "/api/scheduled-messages/:id", method = "patch", operation_id = "update_scheduled_message")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the scheduled message.
        id: Path<i64>,
        JsonBody(body): JsonBody<ScheduledMessageUpdate>,
    ) -> Result<Answer<ScheduledMessage>, Problem> {
        Ok(Answer(self.state.hub().scheduled().update(&caller, ScheduledMessageId(id.0), body).await?))
    }

    /// Delete a scheduled message
    ///
    /// For its author and the human who owns that agent. 409 `already_sent` after it was sent.
    #[oai(path = "/api/scheduled-messages/:id", method = "delete", operation_id = "delete_scheduled_message")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the scheduled message.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().scheduled().delete(&caller, ScheduledMessageId(id.0)).await?;
        Ok(NoContent)
    }

    /// Send a scheduled message now
    ///
    /// Only for its author. The response is the message as it was stored. If it is refused, the scheduled message stays
    /// as it is. 409 `already_sent` after it was sent.
    #[oai(path = "/api/scheduled-messages/:id/send", method = "post", operation_id = "send_scheduled_message")]
    async fn send(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the scheduled message.
        id: Path<i64>,
        /// A repeated request with the same key gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
    ) -> Result<Answer<Message>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Answer(self.state.hub().scheduled().send(&caller, ScheduledMessageId(id.0)).await?))
    }
}
