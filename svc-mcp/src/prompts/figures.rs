//! Figures that several prompts share.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use svc_core::channels::{Channel, ChannelFilter};
use svc_core::formats::spans;
use svc_core::messages::{InboxFilter, Message, MessageStatus};
use svc_core::reactions::{StateFilter, WorkflowState};
use svc_core::traces::{TraceFilter, TraceStats};
use svc_core::{Caller, Error, ErrorKind, Hub, Page, Result, Timestamp, limits};

/// Period of the figures.
const DAY: Duration = Duration::from_hours(24);

/// Workflow states in which a message waits for an action.
const UNFINISHED: [WorkflowState; 3] = [WorkflowState::Proposed, WorkflowState::Approved, WorkflowState::InProgress];

/// The hub and the caller of a prompt.
pub(super) struct Viewer<'a> {
    pub(super) hub: &'a Hub,
    pub(super) caller: &'a Caller,
}

/// The result, or `None` where the caller lacks the permission.
pub(super) fn permitted<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.kind() == ErrorKind::Forbidden => Ok(None),
        Err(error) => Err(error),
    }
}

/// A count that is limited to one page.
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

/// Messages of an inbox by status.
pub(super) struct Work {
    pub(super) pending: Vec<Message>,
    pub(super) processing: Vec<Message>,
    pub(super) failed: Vec<Message>,
    more: [bool; 3],
}

impl Work {
    /// The counts for one recipient.
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

impl Viewer<'_> {
    pub(super) fn day_ago(&self) -> Timestamp {
        self.hub.clock().now().minus(DAY)
    }

    /// Messages of the inbox of one agent, or of all the caller's inboxes; `None` where the key has no access to
    /// inboxes.
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

    /// Statistics of the last 24 hours, by action.
    pub(super) async fn actions(&self, agent: Option<&str>) -> Result<TraceStats> {
        let filter =
            TraceFilter { agent: agent.map(ToOwned::to_owned), after: Some(self.day_ago()), ..TraceFilter::default() };
        self.hub.traces().stats(self.caller, filter).await
    }

    /// The channels that the caller may see, up to one page, and their total number.
    pub(super) async fn channels(&self) -> Result<(Vec<Channel>, i64)> {
        let page = Page::new(Some(i64::from(limits::PAGE_MAX)), None)?;
        let found = self.hub.channels().list(self.caller, ChannelFilter { page, ..ChannelFilter::default() }).await?;
        Ok((found.channels, found.total))
    }

    /// Number of messages of a channel in each state.
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

    /// Messages that have not changed state for longer than their channel allows, the longest first. The oldest of
    /// each state are read, up to one page.
    pub(super) async fn stalled_messages(&self, channels: &[Channel], only: Option<&str>) -> Result<Vec<Stalled>> {
        let patience: HashMap<&str, Duration> = channels.iter().filter_map(patience).collect();
        let mut stalled = Vec::new();
        for state in UNFINISHED {
            for message in self.oldest_in(state, only).await? {
                let Some(allowed) = message.channel.as_deref().and_then(|name| patience.get(name)) else { continue };
                let moved = message.reactions.iter().map(|one| one.created_at).fold(message.created_at, Ord::max);
                if self.hub.clock().now().since(moved) >= *allowed {
                    stalled.push(Stalled { message, state, moved });
                }
            }
        }
        stalled.sort_by_key(|stalled| (stalled.moved, stalled.message.id));
        Ok(stalled)
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

/// A stalled message.
pub(super) struct Stalled {
    pub(super) message: Message,
    pub(super) state: WorkflowState,
    /// Time of the last change of state.
    pub(super) moved: Timestamp,
}

impl Stalled {
    pub(super) fn print(&self, said: &str) -> String {
        let channel = self.message.channel.as_deref().unwrap_or_default();
        format!("{} in {channel} since {}: {said}", self.state.as_str(), self.moved)
    }
}

/// Time limit of a message of a channel in one state, with the name of the channel.
fn patience(channel: &Channel) -> Option<(&str, Duration)> {
    let allowed = spans::parse_or_off(&channel.stalemate_remind_after).ok()?;
    (channel.workflow_enabled && !allowed.is_zero()).then_some((channel.name.as_str(), allowed))
}

/// Failed actions, the most frequent first.
pub(super) fn failures(stats: &TraceStats) -> Vec<String> {
    let mut failed: Vec<_> = stats.actions.iter().filter(|action| action.errors > 0).collect();
    failed.sort_by_key(|action| std::cmp::Reverse(action.errors));
    failed
        .into_iter()
        .map(|action| format!("{}: {} of {} failed", action.action, action.errors, action.count))
        .collect()
}

/// The number of lines of a list.
pub(super) fn total(items: &[String]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

/// Error for an agent that does not exist or that is not the caller's.
pub(super) fn no_agent() -> Error {
    Error::not_found("agent")
}
