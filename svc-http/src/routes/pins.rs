//! `/api/messages/{id}/pin` and `/api/pins`: pinned messages.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::ids::{MessageId, PinId};
use svc_core::pins::{Pin, PinFilter, PinPage};

use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct PinRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl PinRoutes {
    /// Pin a message
    ///
    /// For members of its channel, and for the sender and the recipient of a direct message. Everybody who sees the
    /// message sees the pin. A message that is pinned stays as it is. A conversation has at most 100 pins; beyond that
    /// the response is 409 `too_many_pins`.
    #[oai(path = "/api/messages/:id/pin", method = "put", operation_id = "pin_message")]
    async fn pin(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<Answer<Pin>, Problem> {
        Ok(Answer(self.state.hub().pins().pin(&caller, MessageId(id.0)).await?))
    }

    /// Remove a pin
    ///
    /// For those who may pin the message. A message without a pin stays as it is.
    #[oai(path = "/api/messages/:id/pin", method = "delete", operation_id = "unpin_message")]
    async fn unpin(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().pins().unpin(&caller, MessageId(id.0)).await?;
        Ok(NoContent)
    }

    /// List pins
    ///
    /// Of a channel, or of your direct messages with a participant about all subjects: exactly one of `channel` and
    /// `with`. The newest pin first.
    #[oai(path = "/api/pins", method = "get", operation_id = "list_pins")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of a channel.
        channel: Query<Option<String>>,
        /// Handle of a participant.
        with: Query<Option<String>>,
        /// Only pins before this id.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<PinPage>, Problem> {
        let filter = PinFilter { channel: channel.0, with: with.0, before: before.0.map(PinId), limit: limit.0 };
        Ok(Answer(self.state.hub().pins().list(&caller, filter).await?))
    }
}
