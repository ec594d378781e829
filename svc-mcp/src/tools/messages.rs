//! Messages: send, edit and delete them, and read one with its replies and receipts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::formats::neutral;
use svc_core::ids::MessageId;
use svc_core::messages::{Message, MessageEdit, NewMessage, Receipt, ReceiptState};
use svc_core::participants::ParticipantKind;
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::{Page, Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::paging::{Rest, fit_in_order, offset, some_of};
use crate::shown::{Reader, Shown};

/// Aliases of the body that clients often try first.
const ALSO_BODY: &[(&str, &str)] =
    &[("message", "body"), ("text", "body"), ("content", "body"), ("recipient", "to"), ("channel_name", "channel")];
const ALSO_ID: &[(&str, &str)] = &[("message_id", "id")];
const ALSO_EDIT: &[(&str, &str)] = &[("message_id", "id"), ("message", "body"), ("text", "body"), ("content", "body")];

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("send_message", Effect::Adds, "Message a person or an agent.", send_message)
            .also(ALSO_BODY)
            .answers::<Sent>()
            .everyday(),
        Entry::new(
            "send_channel_message",
            Effect::Adds,
            "Post to a channel; @name reaches that inbox.",
            send_channel_message,
        )
        .also(ALSO_BODY)
        .answers::<Sent>()
        .everyday(),
        Entry::new("edit_message", Effect::Sets, "Edit your message.", edit_message)
            .also(ALSO_EDIT)
            .answers::<Change>(),
        Entry::new("delete_message", Effect::Removes, "Delete your message.", delete_message)
            .also(ALSO_ID)
            .answers::<Removal>(),
        Entry::new("get_message", Effect::Reads, "Get a message. from_char reads on.", get_message)
            .notes()
            .answers::<Shown>()
            .also(ALSO_ID),
        Entry::new("get_replies", Effect::Lists, "List replies to a message.", get_replies)
            .notes()
            .answers::<RepliesShown>()
            .also(ALSO_ID),
        Entry::new("get_receipts", Effect::Lists, "Delivery of your message, by recipient.", get_receipts)
            .answers::<ReceiptsShown>()
            .also(ALSO_ID),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// name
    #[schemars(length(max = limits::HANDLE_MAX))]
    to: String,
    /// Markdown
    #[schemars(length(max = limits::BODY_MAX))]
    body: String,
    /// own conversation
    #[serde(default)]
    #[schemars(length(max = limits::SUBJECT_MAX))]
    subject: Option<String>,
    /// 1-10; default 5
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    priority: Option<u32>,
    /// message
    #[serde(default)]
    #[schemars(range(min = 1))]
    reply_to: Option<i64>,
    /// hashes
    #[serde(default)]
    #[schemars(length(max = limits::ATTACHMENTS_PER_MESSAGE), inner(length(max = 64)))]
    attachments: Option<Vec<String>>,
    /// for programs
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

async fn send_message(call: Call, args: SendMessage) -> Outcome {
    let new = NewMessage {
        to: Some(args.to),
        body: args.body,
        subject: args.subject,
        priority: args.priority,
        reply_to: args.reply_to.map(MessageId),
        metadata: args.metadata.map(Value::Object),
        attachments: args.attachments,
        ..NewMessage::default()
    };
    send(&call, new).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendChannelMessage {
    /// name
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: String,
    /// Markdown
    #[schemars(length(max = limits::BODY_MAX))]
    body: String,
    /// 1-10; default 5
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    priority: Option<u32>,
    /// message
    #[serde(default)]
    #[schemars(range(min = 1))]
    reply_to: Option<i64>,
    /// hashes
    #[serde(default)]
    #[schemars(length(max = limits::ATTACHMENTS_PER_MESSAGE), inner(length(max = 64)))]
    attachments: Option<Vec<String>>,
    /// for programs
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

async fn send_channel_message(call: Call, args: SendChannelMessage) -> Outcome {
    let new = NewMessage {
        channel: Some(args.channel),
        body: args.body,
        priority: args.priority,
        reply_to: args.reply_to.map(MessageId),
        metadata: args.metadata.map(Value::Object),
        attachments: args.attachments,
        ..NewMessage::default()
    };
    send(&call, new).await
}

/// The stored message, without the content that the sender has just passed.
#[derive(Serialize, JsonSchema)]
struct Sent {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::State>")]
    state: Option<svc_core::reactions::WorkflowState>,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
}

async fn send(call: &Call, mut new: NewMessage) -> Outcome {
    new.traceparent = call.traceparent.clone();
    let sent: Message = call.hub.messages().send(&call.caller, new).await?;
    Answer::of(&Sent {
        id: sent.id,
        channel: sent.channel,
        to: sent.to,
        status: "stored",
        state: sent.workflow_state,
        at: sent.created_at,
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditMessage {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    /// Markdown
    #[schemars(length(max = limits::BODY_MAX))]
    body: String,
}

/// The edited message, without the content that its author has just passed.
#[derive(Serialize, JsonSchema)]
struct Change {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    edited_at: Option<Timestamp>,
}

async fn edit_message(call: Call, args: EditMessage) -> Outcome {
    let edited = call.hub.messages().edit(&call.caller, MessageId(args.id), MessageEdit::of(args.body)).await?;
    Answer::of(&Change { id: edited.id, version: edited.version, edited_at: edited.edited_at })
}

/// The tombstone of a message.
#[derive(Serialize, JsonSchema)]
struct Removal {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    deleted_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_by: Option<String>,
}

async fn delete_message(call: Call, args: OfMessage) -> Outcome {
    let gone = call.hub.messages().delete(&call.caller, MessageId(args.id)).await?;
    Answer::of(&Removal { id: gone.id, deleted_at: gone.deleted_at, deleted_by: gone.deleted_by })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetMessage {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    /// offset
    #[serde(default)]
    from_char: Option<u32>,
}

async fn get_message(call: Call, args: GetMessage) -> Outcome {
    let message = call.hub.messages().get(&call.caller, MessageId(args.id)).await?;
    let reader = Reader::of(&call.hub, &call.caller, std::slice::from_ref(&message)).await?;
    let mut shown = reader.show(&message);
    if let Some(characters) = args.from_char {
        shown.skip(characters as usize);
    }
    shown.shrink(call.max_tokens as usize);
    call.hub.messages().handed_out(&call.caller, vec![shown.id]).await?;
    Answer::of(&shown)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMessage {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct RepliesShown {
    replies: Vec<Shown>,
    total: i64,
    #[serde(flatten)]
    rest: Rest,
}

async fn get_replies(call: Call, args: OfMessage) -> Outcome {
    let from = offset(call.cursor.as_deref())?;
    let page = Page::new(Some(i64::from(limits::PAGE_MAX)), Some(from))?;
    let found = call.hub.messages().replies(&call.caller, MessageId(args.id), page).await?;
    let replies = fit_in_order(&call.hub, &call.caller, call.max_tokens, &found.replies).await?;
    call.hub.messages().handed_out(&call.caller, replies.iter().map(|reply| reply.id).collect()).await?;
    let rest = Rest::after(from, replies.len(), found.total);
    Answer::of(&RepliesShown { replies, total: found.total, rest })
}

#[derive(Serialize, JsonSchema)]
struct ReceiptsShown {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    receipts: Vec<ReceiptShown>,
    #[serde(flatten)]
    rest: Rest,
}

/// A receipt without unknown timestamps.
#[derive(Serialize, JsonSchema)]
struct ReceiptShown {
    participant: String,
    #[schemars(with = "answers::Kind")]
    kind: ParticipantKind,
    #[schemars(with = "answers::Receipt")]
    state: ReceiptState,
    #[schemars(with = "answers::Moment")]
    stored_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    offered_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    read_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    claimed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    finished_at: Option<Timestamp>,
    /// Reason of the failure, written by the participant.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Owner>")]
    owner: Option<OwnerRelation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Trust>")]
    trust: Option<Standing>,
}

async fn get_receipts(call: Call, args: OfMessage) -> Outcome {
    let from = offset(call.cursor.as_deref())?;
    let page = Page::new(Some(i64::from(limits::PAGE_MAX)), Some(from))?;
    let found = call.hub.messages().receipts(&call.caller, MessageId(args.id), page).await?;
    let handles: Vec<String> = found.receipts.iter().map(|receipt| receipt.participant.clone()).collect();
    let known = call.hub.trust().acquaintances(&call.caller, handles).await?;
    let receipts = found.receipts.into_iter().map(|receipt| {
        let known = known.get(&receipt.participant);
        compact(receipt, known)
    });
    let receipts = some_of(call.max_tokens, receipts.collect());
    let rest = Rest::after(from, receipts.len(), found.total);
    Answer::of(&ReceiptsShown { id: MessageId(args.id), receipts, rest })
}

/// Converts a receipt. The reason of a failure is text by its participant.
fn compact(receipt: Receipt, known: Option<&Acquaintance>) -> ReceiptShown {
    let says = receipt.reason.is_some();
    ReceiptShown {
        participant: receipt.participant,
        kind: receipt.kind,
        state: receipt.state,
        stored_at: receipt.stored_at,
        offered_at: receipt.offered_at,
        read_at: receipt.read_at,
        claimed_at: receipt.claimed_at,
        finished_at: receipt.finished_at,
        reason: receipt.reason.map(|reason| neutral(&reason).into_owned()),
        owner: says.then(|| known.map_or(OwnerRelation::Other, |known| known.owner)),
        trust: says.then(|| known.map_or(Standing::Score(0.0), |known| known.trust)),
    }
}
