//! `/api/messages/claim`, `/api/messages/{id}/done` and so on: working on messages, and receipts.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::{ClaimRequest, ClaimedMessages, Finish, Message, MessageId, Page, Receipts};

use super::Chapter;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct ClaimRoutes {
    pub(crate) state: AppState,
}

/// Work that ended well.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct MarkDone {
    /// The token of your claim; not needed for a message that nobody has claimed.
    #[serde(default)]
    claim_token: Option<String>,
}

/// Work that failed.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct MarkFailed {
    /// The token of your claim; not needed for a message that nobody has claimed.
    #[serde(default)]
    claim_token: Option<String>,
    /// Why, in at most 1000 characters. The author and the owner of the recipient read it.
    #[serde(default)]
    reason: Option<String>,
}

/// Work that takes longer.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct RenewClaim {
    /// The token of your claim.
    claim_token: String,
    /// For how many seconds from now, 30 to 86400; 900 when absent.
    #[serde(default)]
    lease_seconds: Option<u32>,
}

/// Work that is given back.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ReleaseClaim {
    /// The token of your claim.
    claim_token: String,
}

#[OpenApi(tag = "Chapter::Messages")]
impl ClaimRoutes {
    /// Claim messages to work on them
    ///
    /// Takes direct messages that are addressed to you and that nobody works on, the most urgent
    /// first, then the oldest. Each comes with its `claim_token`. A message is yours until the lease
    /// ends; then it goes back, and after five times it becomes a dead letter. For example
    /// `{"limit": 5, "lease_seconds": 600}`.
    #[oai(path = "/api/messages/claim", method = "post", operation_id = "claim_messages")]
    async fn claim(
        &self,
        AnyCaller(caller): AnyCaller,
        OptionalBody(request): OptionalBody<ClaimRequest>,
    ) -> Result<Answer<ClaimedMessages>, Problem> {
        Ok(Answer(self.state.hub().messages().claim(&caller, request).await?))
    }

    /// Say that a message has been dealt with
    ///
    /// A message that nobody has claimed needs no token. Saying it again changes nothing; a claim that
    /// is over is answered with 409 `lease_lost`. For example `{"claim_token": "5f0c…-12-1"}`.
    #[oai(path = "/api/messages/:id/done", method = "post", operation_id = "mark_message_done")]
    async fn done(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        OptionalBody(body): OptionalBody<MarkDone>,
    ) -> Result<Answer<Message>, Problem> {
        let finish = Finish::done(body.claim_token);
        Ok(Answer(self.state.hub().messages().finish(&caller, MessageId(id.0), finish).await?))
    }

    /// Say that a message could not be dealt with
    ///
    /// It becomes a dead letter, and its author is told why. For example
    /// `{"claim_token": "5f0c…-12-1", "reason": "The repository is gone."}`.
    #[oai(path = "/api/messages/:id/fail", method = "post", operation_id = "mark_message_failed")]
    async fn fail(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        OptionalBody(body): OptionalBody<MarkFailed>,
    ) -> Result<Answer<Message>, Problem> {
        let finish = Finish::failed(body.claim_token, body.reason);
        Ok(Answer(self.state.hub().messages().finish(&caller, MessageId(id.0), finish).await?))
    }

    /// Keep a claim for longer
    ///
    /// The lease ends so many seconds from now. For example
    /// `{"claim_token": "5f0c…-12-1", "lease_seconds": 1800}`.
    #[oai(path = "/api/messages/:id/renew", method = "post", operation_id = "renew_claim")]
    async fn renew(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        JsonBody(body): JsonBody<RenewClaim>,
    ) -> Result<Answer<Message>, Problem> {
        let messages = self.state.hub().messages();
        Ok(Answer(messages.renew(&caller, MessageId(id.0), &body.claim_token, body.lease_seconds).await?))
    }

    /// Give a claimed message back
    ///
    /// It can be claimed again at once. For example `{"claim_token": "5f0c…-12-1"}`.
    #[oai(path = "/api/messages/:id/release", method = "post", operation_id = "release_claim")]
    async fn release(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        JsonBody(body): JsonBody<ReleaseClaim>,
    ) -> Result<Answer<Message>, Problem> {
        Ok(Answer(self.state.hub().messages().release(&caller, MessageId(id.0), &body.claim_token).await?))
    }

    /// See how far a message has come
    ///
    /// With the recipient of a direct message, or with each member of the channel and everybody whom
    /// the message mentions: `stored`, `offered` (handed out in a list or otherwise), `read`, `claimed`,
    /// `done` or `failed`.
    #[oai(path = "/api/messages/:id/receipts", method = "get", operation_id = "get_receipts")]
    async fn receipts(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Receipts>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().receipts(&caller, MessageId(id.0), page).await?))
    }
}
