//! The figures that several prompts show.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use svc_core::{
    Caller, Channel, ChannelFilter, Error, ErrorKind, Hub, InboxFilter, Message, MessageStatus, Page, Result,
    StateFilter, Timestamp, TraceFilter, TraceStats, WorkflowState, limits, spans,
};

/// The time that the figures are about.
const DAY: Duration = Duration::from_hours(24);

/// States in which a message waits for somebody.
const UNFINISHED: [WorkflowState; 3] = [WorkflowState::Proposed, WorkflowState::Approved, WorkflowState::InProgress];

/// Who asks, and whom.
pub(super) struct Asker<'a> {
    pub(super) hub: &'a Hub,
    pub(super) caller: &'a Caller,
}

/// What the hub lets the caller see; `None` where it refuses.
pub(super) fn permitted<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.kind() == ErrorKind::Forbidden => Ok(None),
        Err(error) => Err(error),
    }
}

/// How many there are, as far as one page tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) number: usize,
    pub(super) more: bool,
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.number, if self.more { " or more" } else { "" })
    }
}

/// Messages by what becomes of them.
pub(super) struct Work {
    pub(super) pending: Vec<Message>,
    pub(super) processing: Vec<Message>,
    pub(super) failed: Vec<Message>,
    more: [bool; 3],
}

impl Work {
    /// The same for one addressee.
    pub(super) fn of(&self, handle: &str) -> [Count; 3] {
        let count = |messages: &[Message]| messages.iter().filter(|one| one.to.as_deref() == Some(handle)).count();
        let counts = [count(&self.pending), count(&self.processing), count(&self.failed)];
        std::array::from_fn(|place| Count { number: counts[place], more: self.more[place] })
    }

    pub(super) fn print(&self) -> String {
        let [pending, processing, failed] = self.counts();
        format!("{pending} pending, {processing} processing, {failed} failed")
    }

    fn counts(&self) -> [Count; 3] {
        let counts = [self.pending.len(), self.processing.len(), self.failed.len()];
        std::array::from_fn(|place| Count { number: counts[place], more: self.more[place] })
    }
}

impl Asker<'_> {
    pub(super) fn day_ago(&self) -> Timestamp {
        self.hub.clock().now().minus(DAY)
    }

    /// The inbox: of one agent, or all that is the caller's; `None` where the key is not for it.
    pub(super) async fn work(&self, agent: Option<&str>) -> Result<Option<Work>> {
        let mut pages = Vec::new();
        for status in [MessageStatus::Pending, MessageStatus::Processing, MessageStatus::Failed] {
            let filter = InboxFilter {
                agent: agent.map(ToOwned::to_owned),
                status: Some(status),
                limit: Some(i64::from(limits::PAGE_MAX)),
                peek: true,
                ..InboxFilter::default()
            };
            match permitted(self.hub.messages().inbox(self.caller, filter).await)? {
                Some(page) => pages.push(page),
                None => return Ok(None),
            }
        }
        let more = std::array::from_fn(|place| pages.get(place).is_some_and(|page| page.has_more));
        let mut lists = pages.into_iter().map(|page| page.messages);
        let mut next = || lists.next().unwrap_or_default();
        Ok(Some(Work { pending: next(), processing: next(), failed: next(), more }))
    }

    /// What was done in the last 24 hours, by action.
    pub(super) async fn actions(&self, agent: Option<&str>) -> Result<TraceStats> {
        let filter =
            TraceFilter { agent: agent.map(ToOwned::to_owned), after: Some(self.day_ago()), ..TraceFilter::default() };
        self.hub.traces().stats(self.caller, filter).await
    }

    /// The channels that the caller sees, as many as a page holds, and how many there are.
    pub(super) async fn channels(&self) -> Result<(Vec<Channel>, i64)> {
        let page = Page::new(Some(i64::from(limits::PAGE_MAX)), None)?;
        let found = self.hub.channels().list(self.caller, ChannelFilter { page, ..ChannelFilter::default() }).await?;
        Ok((found.channels, found.total))
    }

    /// How many messages of a channel are in each state.
    pub(super) async fn states(&self, channel: &str) -> Result<String> {
        let mut parts = Vec::new();
        for state in WorkflowState::ALL {
            let page = Page::new(Some(1), None)?;
            let filter = StateFilter { state, channel: Some(channel.to_owned()), before: None, page };
            let total = self.hub.reactions().by_state(self.caller, filter).await?.total;
            if total > 0 {
                parts.push(format!("{total} {}", state.as_str()));
            }
        }
        Ok(if parts.is_empty() { "nothing in any state".into() } else { parts.join(", ") })
    }

    /// Messages that nobody has moved for longer than their channel allows, the longest first. Of each
    /// state the oldest are looked at, as many as a page holds.
    pub(super) async fn standing_still(&self, channels: &[Channel], only: Option<&str>) -> Result<Vec<Still>> {
        let patience: HashMap<&str, Duration> = channels.iter().filter_map(patience).collect();
        let mut still = Vec::new();
        for state in UNFINISHED {
            for message in self.oldest_in(state, only).await? {
                let Some(allowed) = message.channel.as_deref().and_then(|name| patience.get(name)) else { continue };
                let moved = message.reactions.iter().map(|one| one.created_at).fold(message.created_at, Ord::max);
                if self.hub.clock().now().since(moved) >= *allowed {
                    still.push(Still { message, state, moved });
                }
            }
        }
        still.sort_by_key(|still| (still.moved, still.message.id));
        Ok(still)
    }

    async fn oldest_in(&self, state: WorkflowState, channel: Option<&str>) -> Result<Vec<Message>> {
        let many = i64::from(limits::PAGE_MAX);
        let filter = |offset| -> Result<StateFilter> {
            let page = Page::new(Some(many), Some(offset))?;
            Ok(StateFilter { state, channel: channel.map(ToOwned::to_owned), before: None, page })
        };
        let newest = self.hub.reactions().by_state(self.caller, filter(0)?).await?;
        if newest.total <= many {
            return Ok(newest.messages);
        }
        Ok(self.hub.reactions().by_state(self.caller, filter(newest.total - many)?).await?.messages)
    }
}

/// A message that stands still.
pub(super) struct Still {
    pub(super) message: Message,
    pub(super) state: WorkflowState,
    /// When it was last moved.
    pub(super) moved: Timestamp,
}

impl Still {
    pub(super) fn print(&self, said: &str) -> String {
        let channel = self.message.channel.as_deref().unwrap_or_default();
        format!("{} in {channel} since {}: {said}", self.state.as_str(), self.moved)
    }
}

/// How long a message of a channel may stand still.
fn patience(channel: &Channel) -> Option<(&str, Duration)> {
    let allowed = spans::parse_or_off(&channel.stalemate_remind_after).ok()?;
    (channel.workflow_enabled && !allowed.is_zero()).then_some((channel.name.as_str(), allowed))
}

/// What failed, by action, the most frequent first.
pub(super) fn failures(stats: &TraceStats) -> Vec<String> {
    let mut failed: Vec<_> = stats.actions.iter().filter(|action| action.errors > 0).collect();
    failed.sort_by_key(|action| std::cmp::Reverse(action.errors));
    failed
        .into_iter()
        .map(|action| format!("{}: {} of {} failed", action.action, action.errors, action.count))
        .collect()
}

/// How many lines a list has.
pub(super) fn total(items: &[String]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

/// The same error for what is not there and what is not the caller's.
pub(super) fn no_agent() -> Error {
    Error::not_found("agent")
}
