//! The inbox: read it, wait for messages, and mark messages as read.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::conversations::ConversationKind;
use svc_core::ids::MessageId;
use svc_core::messages::{InboxFilter, MessagePage, MessageStatus};
use svc_core::notifications::Mark;
use svc_core::{Error, limits};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::budget::tokens;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;
use crate::paging::{Listed, MessageCursor, Order, Window, fit, fit_in_order, hand_out};
use crate::shown::Shown;
use crate::waiting::arrival;

/// Most messages that are read for one result.
const WINDOW: i64 = 200;
/// With fewer tokens left than this, other messages wait for the next page.
const LEAST_REST: u32 = 150;
/// Interval of progress notifications during a wait.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("read_inbox", Effect::Lists, "Your direct messages and mentions, most urgent first.", read_inbox)
            .for_agents()
            .notes()
            .answers::<Listed>()
            .everyday(),
        Entry::new(
            "wait_for_messages",
            Effect::Reads,
            "Wait for unclaimed messages to you, oldest first. Go on with after.",
            wait_for_messages,
        )
        .for_agents()
        .notes()
        .answers::<Waited>()
        .everyday(),
        Entry::new("mark_read", Effect::Adds, "Mark a channel or a sender as read.", mark_read).answers::<Read>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadInbox {
    /// default pending
    #[serde(default)]
    status: Option<Status>,
    /// sender
    #[serde(default)]
    #[schemars(length(max = limits::HANDLE_MAX))]
    from: Option<String>,
    /// 1-10
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    min_priority: Option<u32>,
    /// only unread
    #[serde(default)]
    unread: Option<bool>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    Processing,
    Done,
    Failed,
    All,
}

impl Status {
    fn filter(self) -> Option<MessageStatus> {
        match self {
            Self::Pending => Some(MessageStatus::Pending),
            Self::Processing => Some(MessageStatus::Processing),
            Self::Done => Some(MessageStatus::Done),
            Self::Failed => Some(MessageStatus::Failed),
            Self::All => None,
        }
    }
}

/// Messages from this priority on are urgent, and come before all others however old they are.
const URGENT: u32 = limits::PRIORITY_DEFAULT + 1;
/// Prefix of a cursor that points into the urgent messages.
const AMONG_URGENT: char = 'u';

async fn read_inbox(call: Call, args: ReadInbox) -> Outcome {
    let cursor = call.cursor.as_deref();
    let mut shown: Option<Listed> = None;
    let mut rest = cursor;
    if let Some(urgent) = cursor.map_or(Some(None), |cursor| cursor.strip_prefix(AMONG_URGENT).map(Some)) {
        let place = MessageCursor::parse(urgent)?;
        let least = args.min_priority.map_or(URGENT, |least| least.max(URGENT));
        let page = read_window(&call, &args, place, Some(least)).await?;
        let window = Window::of(page.messages, page.has_more);
        let mut found = fit(&call, call.max_tokens, place, window, Order::Urgent).await?;
        if let Some(cursor) = found.cursor.take() {
            found.cursor = Some(format!("{AMONG_URGENT}{cursor}"));
            return answer(&call, &found).await;
        }
        if args.min_priority.is_some_and(|least| least >= URGENT) {
            return answer(&call, &found).await;
        }
        shown = Some(found);
        rest = None;
    }
    let place = MessageCursor::parse(rest)?;
    let page = read_window(&call, &args, place, args.min_priority).await?;
    let window = Window::of(page.messages, page.has_more).only(|message| message.priority < URGENT);
    let spent = shown.as_ref().map_or(0, |shown| tokens(&serde_json::to_string(&shown.messages).unwrap_or_default()));
    let left = call.max_tokens.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
    let others = fit(&call, left, place, window, Order::Urgent).await?;
    let Some(mut shown) = shown else { return answer(&call, &others).await };
    if left < LEAST_REST && !shown.messages.is_empty() {
        // There is no room for another message: the next page begins with the others.
        shown.omitted = Some(others.messages.len() + others.omitted.unwrap_or(0)).filter(|left| *left > 0);
        shown.cursor =
            shown.omitted.and(others.messages.iter().map(|message| message.id.0 + 1).max()).map(|id| id.to_string());
        return answer(&call, &shown).await;
    }
    shown.messages.extend(others.messages);
    answer(&call, &Listed { messages: shown.messages, ..others }).await
}

/// A window of the inbox.
async fn read_window(
    call: &Call,
    args: &ReadInbox,
    place: MessageCursor,
    min_priority: Option<u32>,
) -> Result<MessagePage, Refusal> {
    let filter = InboxFilter {
        status: args.status.unwrap_or(Status::Pending).filter(),
        from: args.from.clone(),
        min_priority,
        unread: args.unread.unwrap_or(false),
        before: Some(place.before),
        limit: Some(WINDOW),
        peek: true,
        ..InboxFilter::default()
    };
    Ok(call.hub.messages().inbox(&call.caller, filter).await?)
}

/// Returns these messages, and records their delivery.
async fn answer(call: &Call, shown: &Listed) -> Outcome {
    hand_out(call, &shown.messages).await?;
    Answer::of(shown)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WaitForMessages {
    /// 0-55; default 25
    #[serde(default)]
    #[schemars(range(max = limits::WAIT_SECONDS_MAX))]
    timeout_seconds: Option<u32>,
    /// message id
    #[serde(default)]
    #[schemars(range(min = 0))]
    after: Option<i64>,
}

/// Messages that arrived, or a timeout.
#[derive(Serialize, JsonSchema)]
struct Waited {
    messages: Vec<Shown>,
    /// Number of omitted messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
    /// Whether there are newer ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    newer: bool,
    /// Whether the wait timed out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    timed_out: bool,
}

async fn wait_for_messages(call: Call, args: WaitForMessages) -> Outcome {
    let seconds = args.timeout_seconds.unwrap_or(limits::WAIT_SECONDS_DEFAULT);
    if seconds > limits::WAIT_SECONDS_MAX {
        return Err(Error::invalid("timeout_seconds", format!("must be at most {}", limits::WAIT_SECONDS_MAX)).into());
    }
    let patience = Duration::from_secs(seconds.into());
    let waiting = arrival(&call.hub, &call.caller, args.after.map(MessageId), patience);
    let arrived = match call.progress.clone() {
        None => waiting.await?,
        Some(progress) => tokio::select! {
            arrived = waiting => arrived?,
            never = report(progress, f64::from(seconds)) => match never {},
        },
    };
    let Some(arrived) = arrived else {
        return Answer::of(&Waited { messages: Vec::new(), omitted: None, newer: false, timed_out: true });
    };
    // In order of arrival, so that waiting on after the last one misses none.
    let messages = fit_in_order(&call.hub, &call.caller, call.max_tokens, &arrived.messages).await?;
    let omitted = Some(arrived.messages.len() - messages.len()).filter(|left| *left > 0);
    hand_out(&call, &messages).await?;
    Answer::of(&Waited { messages, omitted, newer: arrived.has_more, timed_out: false })
}

/// Sends progress notifications while the wait goes on.
async fn report(progress: crate::catalogue::Progress, total: f64) -> std::convert::Infallible {
    let begun = Instant::now();
    let mut ticks = interval_at(begun, PROGRESS_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        progress(begun.elapsed().as_secs_f64().min(total), total).await;
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarkRead {
    /// name
    #[serde(default)]
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: Option<String>,
    /// sender
    #[serde(default)]
    #[schemars(length(max = limits::HANDLE_MAX))]
    with: Option<String>,
    /// message; default all
    #[serde(default)]
    #[schemars(range(min = 1))]
    up_to: Option<i64>,
}

/// The channel or sender that was marked as read.
#[derive(Serialize, JsonSchema)]
struct Read {
    read: String,
}

async fn mark_read(call: Call, args: MarkRead) -> Outcome {
    let (kind, name) = match (args.channel, args.with) {
        (Some(channel), None) => (ConversationKind::Channel, channel),
        (None, Some(with)) => (ConversationKind::Dm, with),
        _ => return Err(Error::invalid("channel", "pass exactly one of channel and with").into()),
    };
    let mark = Mark { kind, name: name.clone(), last_message_id: args.up_to.map(MessageId) };
    call.hub.notifications().mark_read(&call.caller, vec![mark]).await?;
    Answer::of(&Read { read: name })
}
