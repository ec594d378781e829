//! Reactions, and the workflow states that they set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::ids::MessageId;
use svc_core::reactions::{ReactionAction, ReactionKind, StateFilter, WorkflowState};
use svc_core::trust::{OwnerRelation, Standing};
use svc_core::{Page, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::paging::{MessageCursor, Rest, fit_in_order, offset, some_of};
use crate::shown::{Shown, neutralized};

const ALSO_ID: &[(&str, &str)] = &[("message_id", "id"), ("type", "reaction"), ("reaction_type", "reaction")];

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("react", Effect::Reaches, "Toggle your reaction. in_progress claims the message.", react)
            .answers::<Changed>()
            .also(ALSO_ID),
        Entry::new("unreact", Effect::Reaches, "Remove your reaction.", unreact).answers::<Changed>().also(ALSO_ID),
        Entry::new("get_reactions", Effect::Lists, "List reactions on a message, and its state.", get_reactions)
            .answers::<ReactionList>()
            .also(ALSO_ID),
        Entry::new("list_by_state", Effect::Lists, "List workflow messages by state.", list_by_state)
            .answers::<InState>(),
    ]
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Approve,
    Reject,
    InProgress,
    Done,
    Published,
}

impl From<Kind> for ReactionKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Approve => Self::Approve,
            Kind::Reject => Self::Reject,
            Kind::InProgress => Self::InProgress,
            Kind::Done => Self::Done,
            Kind::Published => Self::Published,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct React {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    reaction: Kind,
    /// only set
    #[serde(default)]
    set: Option<bool>,
    /// for programs
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

async fn react(call: Call, args: React) -> Outcome {
    let metadata = args.metadata.map(Value::Object);
    let (reactions, message, reaction) = (call.hub.reactions(), MessageId(args.id), args.reaction.into());
    let changed = if args.set == Some(true) {
        reactions.set(&call.caller, message, reaction, metadata).await?
    } else {
        reactions.toggle(&call.caller, message, reaction, metadata).await?
    };
    Answer::of(&Changed { id: message, action: changed.action, state: changed.workflow_state })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Unreact {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
    reaction: Kind,
}

async fn unreact(call: Call, args: Unreact) -> Outcome {
    let changed = call.hub.reactions().remove(&call.caller, MessageId(args.id), args.reaction.into()).await?;
    Answer::of(&Changed { id: MessageId(args.id), action: changed.action, state: changed.workflow_state })
}

/// Outcome of setting or removing a reaction.
#[derive(Serialize, JsonSchema)]
struct Changed {
    #[schemars(with = "answers::Id")]
    id: MessageId,
    #[schemars(with = "answers::Action")]
    action: ReactionAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::State>")]
    state: Option<WorkflowState>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMessage {
    /// message
    #[schemars(range(min = 1))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct ReactionEntry {
    by: String,
    #[schemars(with = "answers::Kind")]
    by_kind: svc_core::participants::ParticipantKind,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
    #[schemars(with = "answers::Reaction")]
    reaction: ReactionKind,
    #[schemars(with = "answers::Moment")]
    at: svc_core::Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
}

#[derive(Serialize, JsonSchema)]
struct ReactionList {
    id: i64,
    reactions: Vec<ReactionEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::State>")]
    state: Option<WorkflowState>,
    #[serde(flatten)]
    rest: Rest,
}

async fn get_reactions(call: Call, args: OfMessage) -> Outcome {
    let found = call.hub.reactions().list(&call.caller, MessageId(args.id)).await?;
    let from = offset(call.cursor.as_deref())?;
    let total = i64::try_from(found.reactions.len()).unwrap_or(i64::MAX);
    let known = call
        .hub
        .trust()
        .acquaintances(&call.caller, found.reactions.iter().map(|one| one.by.clone()).collect::<Vec<_>>());
    let known = known.await?;
    let reactions =
        found.reactions.into_iter().skip(usize::try_from(from).unwrap_or(usize::MAX)).map(|reaction| ReactionEntry {
            owner: known.get(&reaction.by).map_or(OwnerRelation::Other, |known| known.owner),
            trust: known.get(&reaction.by).map_or(Standing::Score(0.0), |known| known.trust),
            metadata: reaction
                .metadata
                .as_object()
                .filter(|fields| !fields.is_empty())
                .map(|_| neutralized(&reaction.metadata)),
            by: reaction.by,
            by_kind: reaction.by_kind,
            reaction: reaction.reaction,
            at: reaction.created_at,
        });
    let reactions = some_of(call.max_tokens, reactions.collect());
    let rest = Rest::after(from, reactions.len(), total);
    Answer::of(&ReactionList { id: args.id, reactions, state: found.workflow_state, rest })
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Proposed,
    Approved,
    InProgress,
    Rejected,
    Done,
    Published,
}

impl From<State> for WorkflowState {
    fn from(state: State) -> Self {
        match state {
            State::Proposed => Self::Proposed,
            State::Approved => Self::Approved,
            State::InProgress => Self::InProgress,
            State::Rejected => Self::Rejected,
            State::Done => Self::Done,
            State::Published => Self::Published,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListByState {
    state: State,
    /// name
    #[serde(default)]
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct InState {
    messages: Vec<Shown>,
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

async fn list_by_state(call: Call, args: ListByState) -> Outcome {
    // The cursor is the last message and not a count: removing an entry of a list must not shift the rest.
    let before = MessageCursor::parse(call.cursor.as_deref())?.before;
    let page = Page::new(Some(i64::from(limits::PAGE_DEFAULT)), None)?;
    let filter = StateFilter { state: args.state.into(), channel: args.channel, before: Some(before), page };
    let found = call.hub.reactions().by_state(&call.caller, filter).await?;
    let messages = fit_in_order(&call.hub, &call.caller, call.max_tokens, &found.messages).await?;
    let left = found.messages.len() - messages.len();
    let more = left > 0 || found.messages.len() >= limits::PAGE_DEFAULT as usize;
    let cursor = messages.last().filter(|_| more).map(|last| last.id.to_string());
    let omitted = Some(left).filter(|left| *left > 0);
    Answer::of(&InState { messages, total: found.total, omitted, cursor })
}
