//! Claims: take messages to work on, and report the outcome.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::ids::MessageId;
use svc_core::messages::{ClaimRequest, Finish, Message, MessageStatus};
use svc_core::{Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::shown::{Reader, Shown};

const ALSO_ID: &[(&str, &str)] = &[("message_id", "id")];
/// Token budget of a claim: longer messages are read with `get_message`.
const CLAIM_TOKENS: usize = 4_000;
/// Minimum number of tokens for each message.
const LEAST_EACH: usize = 160;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "claim_messages",
            Effect::Adds,
            "Claim your most urgent messages. Finish each with mark_done and its claim_token.",
            claim_messages,
        )
        .answers::<Claimed>()
        .everyday(),
        Entry::new("mark_done", Effect::Sets, "Mark a message as done or failed.", mark_done)
            .also(ALSO_ID)
            .answers::<Ended>()
            .everyday(),
        Entry::new("renew_claim", Effect::Adds, "Extend a claim.", renew_claim).also(ALSO_ID).answers::<Renewed>(),
        Entry::new("release_claim", Effect::Sets, "Release a claimed message.", release_claim)
            .also(ALSO_ID)
            .answers::<Ended>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimMessages {
    /// 1-50; default 1
    #[serde(default)]
    #[schemars(range(min = 1, max = limits::CLAIM_MAX))]
    limit: Option<u32>,
    /// default 900
    #[serde(default)]
    #[schemars(range(min = 30, max = 86_400))]
    lease_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct Claimed {
    messages: Vec<Shown>,
}

/// Status of a message after the call.
#[derive(Serialize, JsonSchema)]
struct Ended {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    #[schemars(with = "answers::Status")]
    status: MessageStatus,
}

/// Expiry of the extended claim.
#[derive(Serialize, JsonSchema)]
struct Renewed {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    #[schemars(with = "Option<answers::Moment>")]
    lease_expires_at: Option<Timestamp>,
}

async fn claim_messages(call: Call, args: ClaimMessages) -> Outcome {
    let request = ClaimRequest { limit: args.limit, lease_seconds: args.lease_seconds };
    let claimed = call.hub.messages().claim(&call.caller, request).await?.messages;
    let messages: Vec<Message> = claimed.iter().map(|claimed| claimed.message.clone()).collect();
    // The messages are claimed by now: their tokens are returned even if authors cannot be loaded.
    let reader = Reader::of_or_unknown(&call.hub, &call.caller, &messages).await;
    // Every claimed message is returned, each within its share of the budget.
    let each = (CLAIM_TOKENS / claimed.len().max(1)).max(LEAST_EACH);
    let shown = claimed.into_iter().map(|claimed| {
        let mut shown = reader.show(&claimed.message);
        shown.claim_token = Some(claimed.claim_token);
        shown.claimed_by = None;
        shown.shrink(each);
        shown
    });
    Answer::of(&Claimed { messages: shown.collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarkDone {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    /// as claimed
    #[serde(default)]
    #[schemars(length(max = 64))]
    claim_token: Option<String>,
    /// default done
    #[serde(default)]
    status: Option<Ending>,
    /// if failed
    #[serde(default)]
    #[schemars(length(max = limits::REASON_MAX))]
    reason: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Ending {
    Done,
    Failed,
}

async fn mark_done(call: Call, args: MarkDone) -> Outcome {
    let finish = match args.status.unwrap_or(Ending::Done) {
        Ending::Done => Finish { reason: args.reason, ..Finish::done(args.claim_token) },
        Ending::Failed => Finish::failed(args.claim_token, args.reason),
    };
    let message = call.hub.messages().finish(&call.caller, MessageId(args.id), finish).await?;
    Answer::of(&Ended { id: message.id, status: message.status })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenewClaim {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    /// as claimed
    #[schemars(length(max = 64))]
    claim_token: String,
    /// default 900
    #[serde(default)]
    #[schemars(range(min = 30, max = 86_400))]
    lease_seconds: Option<u32>,
}

async fn renew_claim(call: Call, args: RenewClaim) -> Outcome {
    let messages = call.hub.messages();
    let lease = args.lease_seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let message = messages.renew(&call.caller, MessageId(args.id), &args.claim_token, lease).await?;
    Answer::of(&Renewed { id: message.id, lease_expires_at: message.lease_expires_at })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReleaseClaim {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    /// as claimed
    #[schemars(length(max = 64))]
    claim_token: String,
}

async fn release_claim(call: Call, args: ReleaseClaim) -> Outcome {
    let message = call.hub.messages().release(&call.caller, MessageId(args.id), &args.claim_token).await?;
    Answer::of(&Ended { id: message.id, status: message.status })
}
