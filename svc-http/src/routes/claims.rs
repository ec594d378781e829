//! `/api/messages/claim`, `/api/messages/{id}/claim`, `…/done` and related routes: claims and receipts.

use std::time::Duration;

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::Page;
use svc_core::ids::MessageId;
use svc_core::messages::{ClaimRequest, ClaimedMessage, ClaimedMessages, Finish, Message, Receipts};

use super::Chapter;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct ClaimRoutes {
    pub(crate) state: AppState,
}

/// A claim on one message.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ClaimOne {
    /// The duration of the lease in seconds, 30 to 86400; default 900.
    #[serde(default)]
    lease_seconds: Option<u32>,
}

/// Completion of a message.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct MarkDone {
    /// The token of your claim; not needed for an unclaimed message.
    #[serde(default)]
    claim_token: Option<String>,
}

/// Failure of a message.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct MarkFailed {
    /// The token of your claim; not needed for an unclaimed message.
    #[serde(default)]
    claim_token: Option<String>,
    /// The reason, at most 1000 characters. The author and the owner of the recipient can read it.
    #[serde(default)]
    reason: Option<String>,
}

/// Extension of a claim.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct RenewClaim {
    /// The token of your claim.
    claim_token: String,
    /// Lease from now on in seconds, 30 to 86400; default 900.
    #[serde(default)]
    lease_seconds: Option<u32>,
}

/// Release of a claim.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ReleaseClaim {
    /// The token of your claim.
    claim_token: String,
}

#[OpenApi(tag = "Chapter::Messages")]
impl ClaimRoutes {
    /// Claim messages
    ///
    /// Claims unclaimed direct messages that are addressed to you, the most urgent first, then the oldest. Each comes
    /// with its `claim_token`. A message is yours until the lease expires; then it can be claimed again, and after
    /// five expired claims it becomes a dead letter. For example `{"limit": 5, "lease_seconds": 600}`.
    #[oai(path = "/api/messages/claim", method = "post", operation_id = "claim_messages")]
    async fn claim(
        &self,
        AnyCaller(caller): AnyCaller,
        OptionalBody(request): OptionalBody<ClaimRequest>,
    ) -> Result<Answer<ClaimedMessages>, Problem> {
        Ok(Answer(self.state.hub().messages().claim(&caller, request).await?))
    }

    /// Claim a message
    ///
    /// Claims one unclaimed direct message to you, also when others are more urgent. 409 `already_claimed` while
    /// another worker of yours has it, 409 `already_finished` when it is done or failed. For example
    /// `{"lease_seconds": 600}`.
    #[oai(path = "/api/messages/:id/claim", method = "post", operation_id = "claim_message")]
    async fn claim_one(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(body): OptionalBody<ClaimOne>,
    ) -> Result<Answer<ClaimedMessage>, Problem> {
        let caller = idempotency_key.of(caller)?;
        let lease = body.lease_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        Ok(Answer(self.state.hub().messages().claim_one(&caller, MessageId(id.0), lease).await?))
    }

    /// Mark a message as done
    ///
    /// An unclaimed message needs no token. Repeating the call changes nothing; an expired claim results in 409
    /// `lease_lost`. For example `{"claim_token": "5f0c…-12-1"}`.
    #[oai(path = "/api/messages/:id/done", method = "post", operation_id = "mark_message_done")]
    async fn done(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        OptionalBody(body): OptionalBody<MarkDone>,
    ) -> Result<Answer<Message>, Problem> {
        let finish = Finish::done(body.claim_token);
        Ok(Answer(self.state.hub().messages().finish(&caller, MessageId(id.0), finish).await?))
    }

    /// Mark a message as failed
    ///
    /// It becomes a dead letter, and its author is notified of the reason. For example `{"claim_token": "5f0c…-12-1",
    /// "reason": "The repository is gone."}`.
    #[oai(path = "/api/messages/:id/fail", method = "post", operation_id = "mark_message_failed")]
    async fn fail(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        OptionalBody(body): OptionalBody<MarkFailed>,
    ) -> Result<Answer<Message>, Problem> {
        let finish = Finish::failed(body.claim_token, body.reason);
        Ok(Answer(self.state.hub().messages().finish(&caller, MessageId(id.0), finish).await?))
    }

    /// Renew a claim
    ///
    /// The lease expires `lease_seconds` from now. For example `{"claim_token": "5f0c…-12-1", "lease_seconds":
    /// 1800}`.
    #[oai(path = "/api/messages/:id/renew", method = "post", operation_id = "renew_claim")]
    async fn renew(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        JsonBody(body): JsonBody<RenewClaim>,
    ) -> Result<Answer<Message>, Problem> {
        let messages = self.state.hub().messages();
        let lease = body.lease_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        Ok(Answer(messages.renew(&caller, MessageId(id.0), &body.claim_token, lease).await?))
    }

    /// Release a claim
    ///
    /// The message can be claimed again at once. For example `{"claim_token": "5f0c…-12-1"}`.
    #[oai(path = "/api/messages/:id/release", method = "post", operation_id = "release_claim")]
    async fn release(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        JsonBody(body): JsonBody<ReleaseClaim>,
    ) -> Result<Answer<Message>, Problem> {
        Ok(Answer(self.state.hub().messages().release(&caller, MessageId(id.0), &body.claim_token).await?))
    }

    /// List the receipts of a message
    ///
    /// Of the recipient of a direct message, or of each member of the channel and each mentioned participant:
    /// `stored`, `offered` (delivered in a list or otherwise), `read`, `claimed`, `done` or `failed`.
    #[oai(path = "/api/messages/:id/receipts", method = "get", operation_id = "get_receipts")]
    async fn receipts(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Receipts>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().receipts(&caller, MessageId(id.0), page).await?))
    }
}
