//! Claims: taking messages to work on, and saying how that ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{ClaimRequest, Finish, Message, MessageId};

use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::shown::{Eyes, Shown};

const ALSO_ID: &[(&str, &str)] = &[("message_id", "id")];
/// How much a claim answers: what does not fit is read with `get_message`.
const CLAIM_TOKENS: usize = 4_000;
/// What each of many gets at least.
const LEAST_EACH: usize = 160;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("claim_messages", Effect::Adds, "Takes the most urgent messages that are addressed to you: they are yours until the lease ends. Finish each with mark_done and its claim_token.", claim_messages)
            .everyday(),
        Entry::new("mark_done", Effect::Sets, "Says that a message has been dealt with, or that it failed and why.", mark_done).also(ALSO_ID).everyday(),
        Entry::new("renew_claim", Effect::Adds, "Keeps a claim for longer: call it before the lease ends.", renew_claim).also(ALSO_ID),
        Entry::new("release_claim", Effect::Sets, "Gives a claimed message back for others to take.", release_claim).also(ALSO_ID),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimMessages {
    /// 1 to 50, 1 when left out
    #[serde(default)]
    limit: Option<u32>,
    /// 30 to 86400, 900 when left out
    #[serde(default)]
    lease_seconds: Option<u32>,
}

#[derive(Serialize)]
struct Claimed {
    messages: Vec<Shown>,
}

async fn claim_messages(call: Call, args: ClaimMessages) -> Outcome {
    let request = ClaimRequest { limit: args.limit, lease_seconds: args.lease_seconds };
    let claimed = call.hub.messages().claim(&call.caller, request).await?.messages;
    let messages: Vec<Message> = claimed.iter().map(|claimed| claimed.message.clone()).collect();
    // They are claimed by now: whatever else goes wrong, their tokens are told.
    let eyes = Eyes::of_or_strangers(&call.hub, &call.caller, &messages).await;
    // Whatever was claimed is told, however much it is; each in a part of the room.
    let each = (CLAIM_TOKENS / claimed.len().max(1)).max(LEAST_EACH);
    let shown = claimed.into_iter().map(|claimed| {
        let mut shown = eyes.show(&claimed.message);
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
    id: i64,
    #[serde(default)]
    claim_token: Option<String>,
    /// done when left out
    #[serde(default)]
    status: Option<Ending>,
    /// why it failed
    #[serde(default)]
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
    Ok(json!({ "id": message.id, "status": message.status }).into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenewClaim {
    id: i64,
    claim_token: String,
    #[serde(default)]
    lease_seconds: Option<u32>,
}

async fn renew_claim(call: Call, args: RenewClaim) -> Outcome {
    let messages = call.hub.messages();
    let message = messages.renew(&call.caller, MessageId(args.id), &args.claim_token, args.lease_seconds).await?;
    Ok(json!({ "id": message.id, "lease_expires_at": message.lease_expires_at }).into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReleaseClaim {
    id: i64,
    claim_token: String,
}

async fn release_claim(call: Call, args: ReleaseClaim) -> Outcome {
    let message = call.hub.messages().release(&call.caller, MessageId(args.id), &args.claim_token).await?;
    Ok(json!({ "id": message.id, "status": message.status }).into())
}
