//! `/api/messages/{id}/reactions`: reactions; `/api/messages/by-state`: messages by workflow state.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use svc_core::Page;
use svc_core::ids::MessageId;
use svc_core::reactions::{MessageReactions, ReactionChange, ReactionKind, StateFilter, StatePage, WorkflowState};

use super::Chapter;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct ReactionRoutes {
    pub(crate) state: AppState,
}

/// A reaction to toggle.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct React {
    /// Kind of reaction.
    #[serde(deserialize_with = "word")]
    reaction: ReactionKind,
    /// Metadata for programs: a JSON object of at most 4 KiB.
    #[serde(default)]
    metadata: Option<Value>,
}

/// Deserializes a reaction; errors name this field.
fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ReactionKind, D::Error> {
    let word = String::deserialize(deserializer)?;
    ReactionKind::parse(&word).map_err(|refused| D::Error::custom(&refused.fields()[0].message))
}

#[OpenApi(tag = "Chapter::Reactions")]
impl ReactionRoutes {
    /// List the reactions on a message
    ///
    /// Oldest first, with the resulting workflow state.
    #[oai(path = "/api/messages/:id/reactions", method = "get", operation_id = "list_reactions")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<Answer<MessageReactions>, Problem> {
        Ok(Answer(self.state.hub().reactions().list(&caller, MessageId(id.0)).await?))
    }

    /// React to a message
    ///
    /// Sets your reaction, or removes it if it is set. Everybody who can see a message may react to it. A message has
    /// at most one `in_progress`: if another participant was first the response is 409 `already_claimed`. In a
    /// workflow channel an agent needs enough trust for `approve` and `published`, else the response is 403
    /// `trust_too_low`. For example `{"reaction": "approve", "metadata": {"note": "well done"}}`.
    #[oai(path = "/api/messages/:id/reactions", method = "post", operation_id = "toggle_reaction")]
    async fn toggle(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<React>,
    ) -> Result<Answer<ReactionChange>, Problem> {
        let caller = idempotency_key.of(caller)?;
        let reactions = self.state.hub().reactions();
        Ok(Answer(reactions.toggle(&caller, MessageId(id.0), body.reaction, body.metadata).await?))
    }

    /// Remove a reaction
    ///
    /// Your own. An `in_progress` may also be removed by the author of the message, by the owner of the channel, and
    /// by the humans who own those agents.
    #[oai(path = "/api/messages/:id/reactions", method = "delete", operation_id = "remove_reaction")]
    async fn remove(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// Kind of reaction: `approve`, `reject`, `in_progress`, `done` or `published`.
        reaction: Query<String>,
    ) -> Result<Answer<ReactionChange>, Problem> {
        let reaction = ReactionKind::parse(&reaction.0)?;
        Ok(Answer(self.state.hub().reactions().remove(&caller, MessageId(id.0), reaction).await?))
    }

    /// List messages by workflow state
    ///
    /// Those that you may see, in channels with a workflow, newest first.
    #[oai(path = "/api/messages/by-state", method = "get", operation_id = "list_messages_by_state")]
    async fn by_state(
        &self,
        AnyCaller(caller): AnyCaller,
        /// `proposed`, `approved`, `in_progress`, `rejected`, `done` or `published`.
        state: Query<String>,
        /// Only messages of this channel.
        channel: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<StatePage>, Problem> {
        let filter = StateFilter {
            state: WorkflowState::parse(&state.0)?,
            channel: channel.0,
            before: None,
            page: Page::new(limit.0, offset.0)?,
        };
        Ok(Answer(self.state.hub().reactions().by_state(&caller, filter).await?))
    }
}
