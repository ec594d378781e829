//! The items that wait for the person, and the rows of the list that they make.

use std::collections::HashSet;
use std::time::Duration;

use svc_core::Timestamp;
use svc_core::agents::Agent;
use svc_core::goals::{Approval, ApprovalKind};
use svc_core::governance::{Loop, PausedReason};
use svc_core::ids::{GoalId, LoopId, MessageId, RunId};
use svc_core::messages::Message;
use svc_core::notifications::Mention;
use svc_core::reactions::WorkflowState;
use svc_core::runs::{Run, RunStatus};

use crate::backend::{Backend, Cause, Place, Result};
use crate::state::conversations::Entry;
use crate::state::kept::Outgoing;
use crate::state::shared::{Connection, Shared};

/// A failed run waits this long, unless a later run of the agent succeeds.
const FAILED_FOR: Duration = Duration::from_hours(24);
/// Runs and proposals that are looked at.
const ASKED: i64 = 50;
/// Proposals that are shown.
const PROPOSALS: usize = 10;

/// What the hub knows to wait for the person.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Unread mentions, newest first.
    pub(crate) mentions: Vec<Mention>,
    /// Tasks, results, agents and secrets, the oldest first.
    pub(crate) approvals: Vec<Approval>,
    /// Proposals of others in channels with a workflow.
    pub(crate) proposals: Vec<Message>,
    /// Whether there are more proposals.
    pub(crate) more_proposals: bool,
    /// The latest runs of agents, where they failed.
    pub(crate) failed: Vec<Run>,
    /// Agents that get no runs until their owner does something.
    pub(crate) stopped: Vec<Agent>,
    /// Loops that are held.
    pub(crate) loops: Vec<Loop>,
    /// Dead letters that are not acknowledged.
    pub(crate) dead_letters: i64,
}

impl Waiting {
    /// Removes an item that was decided, before it is read again.
    pub(super) fn remove(&mut self, key: &Key) {
        self.approvals.retain(|waiting| Item::Approval(waiting).key() != *key);
        self.proposals.retain(|message| Item::Proposal(message).key() != *key);
        self.failed.retain(|run| Item::Failed(run).key() != *key);
    }
}

/// The identity of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// Unread messages of a conversation.
    Place(Place),
    /// Something to decide about a goal.
    Approval(ApprovalKind, Option<GoalId>, i64),
    /// A proposal.
    Message(MessageId),
    /// Further proposals.
    MoreProposals,
    /// A failed run.
    Run(RunId),
    /// A stopped agent.
    Agent(String),
    /// A loop.
    Loop(LoopId),
    /// Dead letters.
    Dead,
    /// A message in the outbox.
    Unsent(String),
    /// A draft.
    Draft(String),
}

/// A thing that waits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item<'w> {
    /// A message that mentions the person.
    Mention(&'w Mention),
    /// Further mentions in a channel, which are not listed one by one.
    Mentions(&'w Entry),
    /// Unread direct messages.
    Letters(&'w Entry),
    /// Something to decide about a goal.
    Approval(&'w Approval),
    /// A proposal in a channel with a workflow.
    Proposal(&'w Message),
    /// Further proposals, which the board shows.
    MoreProposals,
    /// A run that failed.
    Failed(&'w Run),
    /// An agent that gets no runs.
    Stopped(&'w Agent),
    /// A loop that is held.
    Held(&'w Loop),
    /// Dead letters.
    Dead(i64),
    /// A message in the outbox.
    Unsent(&'w Outgoing),
    /// A draft or a text that is not saved, by its name.
    Draft(&'w str, &'w str),
}

impl Item<'_> {
    /// Its identity.
    pub(crate) fn key(&self) -> Key {
        match self {
            Self::Mention(mention) => Key::Message(mention.message_id),
            Self::Mentions(entry) | Self::Letters(entry) => Key::Place(entry.place.clone()),
            Self::Approval(waiting) => Key::Approval(waiting.kind, waiting.goal_id, waiting.id),
            Self::Proposal(message) => Key::Message(message.id),
            Self::MoreProposals => Key::MoreProposals,
            Self::Failed(run) => Key::Run(run.id),
            Self::Stopped(agent) => Key::Agent(agent.name.clone()),
            Self::Held(held) => Key::Loop(held.id),
            Self::Dead(_) => Key::Dead,
            Self::Unsent(outgoing) => Key::Unsent(outgoing.key.clone()),
            Self::Draft(name, _) => Key::Draft((*name).to_owned()),
        }
    }
}

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row<'w> {
    /// The heading of a section, and the number of its items.
    Heading(&'static str, usize),
    /// An item.
    Item(Item<'w>),
}

impl Row<'_> {
    /// The identity of its item; none for a heading.
    pub(crate) fn key(&self) -> Option<Key> {
        match self {
            Self::Heading(..) => None,
            Self::Item(item) => Some(item.key()),
        }
    }
}

/// The rows of the list, in sections. It is empty when nothing waits.
pub(crate) fn rows<'w>(waiting: &'w Waiting, shared: &'w Shared) -> Vec<Row<'w>> {
    let entries = || shared.conversations.entries().iter().filter(|entry| entry.waiting() > 0);
    let mentions = waiting.mentions.iter().filter(|mention| still_waits(mention, shared)).map(Item::Mention);
    let is_listed = |entry: &Entry| waiting.mentions.iter().any(|mention| is_in(mention, entry));
    let others = entries().filter(move |entry| entry.partner.is_none() && !is_listed(entry)).map(Item::Mentions);
    let letters = entries().filter(|entry| entry.partner.is_some()).map(Item::Letters);
    let more = waiting.more_proposals.then_some(Item::MoreProposals);
    let dead = (waiting.dead_letters > 0).then_some(Item::Dead(waiting.dead_letters));
    // With a connection, a message is on its way, unless the hub has refused it.
    let is_live = shared.connection == Connection::Live;
    let unsent = shared.kept.outbox().iter().filter(|outgoing| !is_live || outgoing.refused.is_some());
    let drafts = shared.kept.texts().map(|(name, text)| Item::Draft(name, text));
    let sections: [(&str, Vec<Item<'_>>); 8] = [
        ("Not sent", unsent.map(Item::Unsent).collect()),
        ("Unread", mentions.chain(others).chain(letters).collect()),
        ("To decide", waiting.approvals.iter().map(Item::Approval).collect()),
        ("Proposals", waiting.proposals.iter().map(Item::Proposal).chain(more).collect()),
        ("Failed runs", waiting.failed.iter().map(Item::Failed).collect()),
        (
            "Agents that cannot go on",
            waiting.stopped.iter().map(Item::Stopped).chain(waiting.loops.iter().map(Item::Held)).collect(),
        ),
        ("Failed messages", dead.into_iter().collect()),
        ("Drafts", drafts.collect()),
    ];
    let filled = sections.into_iter().filter(|(_, items)| !items.is_empty());
    filled
        .flat_map(|(title, items)| {
            std::iter::once(Row::Heading(title, items.len())).chain(items.into_iter().map(Row::Item))
        })
        .collect()
}

fn is_in(mention: &Mention, entry: &Entry) -> bool {
    matches!(&entry.place, Place::Channel(name) if *name == mention.channel)
}

/// Whether a mention was not read since it was listed, as far as the counts of its channel tell. A channel that the
/// person has not joined has none.
fn still_waits(mention: &Mention, shared: &Shared) -> bool {
    let entry = shared.conversations.entries().iter().find(|entry| is_in(mention, entry));
    entry.is_none_or(|entry| entry.waiting() > 0)
}

/// Reads all of it. A part that the login may not read is empty: then nothing of it waits for this login.
pub(super) async fn read(hub: &dyn Backend, now: Timestamp, me: &str) -> Result<Waiting> {
    let (mentions, approvals, proposals, runs, agents, loops, dead) = futures_util::join!(
        hub.mentions(),
        hub.approvals(),
        hub.by_state(WorkflowState::Proposed, None, ASKED),
        hub.runs(None, None, ASKED),
        hub.agents(),
        hub.held_loops(),
        hub.dead_letters(0, 1),
    );
    let page = allowed(proposals)?;
    let total = page.as_ref().map_or(0, |page| page.total);
    let all = page.map_or_else(Vec::new, |page| page.messages);
    let is_page_full = usize::try_from(total).unwrap_or(0) > all.len();
    let mut proposals: Vec<_> =
        all.into_iter().filter(|message| message.from != me && message.reply_to.is_none()).collect();
    let more_proposals = is_page_full || proposals.len() > PROPOSALS;
    proposals.truncate(PROPOSALS);
    let mut stopped = allowed(agents)?.unwrap_or_default();
    stopped.retain(is_stopped);
    Ok(Waiting {
        mentions: allowed(mentions)?.unwrap_or_default(),
        approvals: allowed(approvals)?.map_or_else(Vec::new, |list| list.approvals),
        proposals,
        more_proposals,
        failed: last_failures(allowed(runs)?.map_or_else(Vec::new, |page| page.runs), now),
        stopped,
        loops: allowed(loops)?.unwrap_or_default(),
        dead_letters: allowed(dead)?.map_or(0, |page| page.total),
    })
}

fn allowed<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(failure) if failure.cause == Cause::Refused => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Whether an agent gets no runs until its owner does something. A pause of the owner's own is none of these.
fn is_stopped(agent: &Agent) -> bool {
    agent.quarantined_at.is_some() || agent.paused_reason == Some(PausedReason::Budget)
}

/// The runs that failed within a day, if no later run of the same agent was started. Newest first, as they come.
fn last_failures(runs: Vec<Run>, now: Timestamp) -> Vec<Run> {
    let mut seen = HashSet::new();
    let mut failed = Vec::new();
    for run in runs {
        if run.status.is_final() && !run.status.is_outcome() {
            continue;
        }
        let is_last = seen.insert(run.agent.clone());
        let is_recent = run.ended_at.is_some_and(|ended| now.since(ended) < FAILED_FOR);
        if is_last && is_recent && run.status == RunStatus::Failed {
            failed.push(run);
        }
    }
    failed
}

#[cfg(test)]
mod tests {
    use svc_core::runs::RunCause;

    use super::*;

    fn run(id: i64, agent: &str, status: RunStatus, ended: &str) -> Run {
        let at: Timestamp = ended.parse().unwrap();
        Run {
            id: RunId(id),
            agent: agent.into(),
            status,
            cause: RunCause::Message,
            trigger_message_id: None,
            depth: 0,
            messages: 1,
            retry_of: None,
            error: None,
            cancel_requested_at: None,
            created_at: at,
            started_at: Some(at),
            ended_at: status.is_final().then_some(at),
        }
    }

    #[test]
    fn a_failure_waits_for_a_day_unless_a_later_run_followed() {
        let now = "2026-11-17T12:00:00Z".parse().unwrap();
        let recent = "2026-11-17T10:00:00Z";
        let runs = vec![
            run(9, "made-good", RunStatus::Succeeded, recent),
            run(8, "made-good", RunStatus::Failed, recent),
            run(7, "broken", RunStatus::CooldownSkipped, recent),
            run(6, "broken", RunStatus::Failed, recent),
            run(5, "broken", RunStatus::Failed, recent),
            run(4, "again", RunStatus::Running, recent),
            run(3, "again", RunStatus::Failed, recent),
            run(2, "forgotten", RunStatus::Failed, "2026-11-16T11:59:59Z"),
        ];
        let ids: Vec<_> = last_failures(runs, now).iter().map(|run| run.id.0).collect();
        assert_eq!(ids, [6]);
    }
}
