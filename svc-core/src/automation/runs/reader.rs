//! The reader of the event log that evaluates triggers, and the timer of work that waits.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_model::events::EventBody;
use svc_model::messages::MessageStatus;
use tokio::time::Instant;

use super::lanes::{LOCAL, Lanes};
use super::service::Runs;
use super::{start, store};
use crate::error::Result;
use crate::ids::{AgentId, MessageId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::workers::{Cadence, Progress, Worker};

/// While no agent is reactive, the position is moved this often, so that sending costs nothing more.
const IDLE_PACE: Duration = Duration::from_secs(10);

/// The worker that evaluates triggers, each once, and starts runs with work that has waited.
pub(crate) struct RunReader {
    runs: Runs,
    /// When the position was last moved while no agent was reactive.
    skipped: Mutex<Option<Instant>>,
}

impl RunReader {
    pub(crate) fn new(runs: Runs) -> Self {
        Self { runs, skipped: Mutex::default() }
    }

    /// Reads the next events. Returns whether there may be more.
    async fn read(&self) -> Result<bool> {
        let db = &self.runs.db;
        if !db.read((), |tx, ()| Box::pin(store::is_any_reactive(tx))).await? {
            self.skip().await?;
            return Ok(false);
        }
        let lanes = self.runs.lanes.clone();
        let read = self.runs.events.consume_some(LOCAL, limits::RUN_READER_BATCH, move |tx, events| {
            let lanes = lanes.clone();
            Box::pin(async move { Ok((react_to_some(tx, &lanes, events).await?, ())) })
        });
        let read = read.await?;
        Ok(read.passed < read.offered || read.offered == limits::RUN_READER_BATCH as usize)
    }

    /// Passes over events that concern nobody.
    async fn skip(&self) -> Result<()> {
        let last = *self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < IDLE_PACE) {
            return Ok(());
        }
        let skipped =
            self.runs.events.skip(LOCAL, |tx| Box::pin(async move { Ok(!store::is_any_reactive(tx).await?) }));
        skipped.await?;
        *self.skipped.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(())
    }

    /// Looks at the work of agents whose time has come. Returns whether there may be more.
    async fn wake(&self) -> Result<bool> {
        let db = &self.runs.db;
        let due = db.read((), |tx, ()| Box::pin(store::due(tx, limits::RUN_READER_BATCH))).await?;
        for agent in &due {
            // Each in its own transaction: one agent keeps no other waiting.
            let input = (self.runs.lanes.clone(), *agent);
            db.write(input, |tx, (lanes, agent)| Box::pin(start::look(tx, lanes, *agent))).await?;
        }
        Ok(due.len() == limits::RUN_READER_BATCH as usize)
    }
}

#[async_trait]
impl Worker for RunReader {
    fn name(&self) -> &'static str {
        "run_reader"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(2))
    }

    async fn run_once(&self) -> Result<Progress> {
        let read = self.read().await?;
        let woken = self.wake().await?;
        Ok(if read || woken { Progress::More } else { Progress::Done })
    }
}

/// The meaning of an event for runs.
enum Occurrence {
    /// A direct message to somebody who may be an agent.
    Sent(MessageId, AgentId),
    /// A message waits again for somebody who may be an agent.
    Back(AgentId),
    /// The settings of an agent changed.
    Changed(String),
    /// A loop of one or two agents was lifted.
    Lifted(String, Option<String>),
}

fn occurrence(event: &Event) -> Option<Occurrence> {
    // Most kinds concern no run; their payloads are not parsed.
    if !matches!(event.kind.as_str(), "message.created" | "message.updated" | "agent.updated" | "loop.lifted") {
        return None;
    }
    // An event that cannot be read must not stop those after it.
    let body = match event.body() {
        Ok(body) => body,
        Err(error) => {
            tracing::warn!(seq = event.seq.0, error = error.log_line(), "an event starts no run");
            return None;
        }
    };
    match body {
        EventBody::MessageCreated(created) => {
            created.audience.recipient_id.map(|to| Occurrence::Sent(created.message_id, AgentId(to.0)))
        }
        EventBody::MessageUpdated(updated) if updated.status == Some(MessageStatus::Pending) => {
            updated.audience.recipient_id.map(|to| Occurrence::Back(AgentId(to.0)))
        }
        EventBody::AgentUpdated(changed) => changed.agent.map(Occurrence::Changed),
        EventBody::LoopLifted(lifted) => Some(Occurrence::Lifted(lifted.agent, lifted.other)),
        _ => None,
    }
}

/// Reads events up to the first one that concerns an agent, and returns their number: a transaction locks one agent, so
/// that it waits for no other one while it holds the queue.
async fn react_to_some(tx: &mut Tx, lanes: &Lanes, events: &[Event]) -> Result<usize> {
    for (passed, event) in events.iter().enumerate() {
        if react(tx, lanes, event).await? {
            return Ok(passed + 1);
        }
    }
    Ok(events.len())
}

/// Returns whether the event concerned an agent that the hub runs.
async fn react(tx: &mut Tx, lanes: &Lanes, event: &Event) -> Result<bool> {
    let Some(occurrence) = occurrence(event) else { return Ok(false) };
    match occurrence {
        Occurrence::Sent(message, to) => {
            let is_reactive = store::is_reactive(tx, to, event.seq).await?;
            if is_reactive {
                start::evaluate(tx, lanes, message).await?;
            }
            Ok(is_reactive)
        }
        Occurrence::Back(to) => {
            let is_reactive = store::is_reactive(tx, to, event.seq).await?;
            if is_reactive {
                start::come_back(tx, to).await?;
            }
            Ok(is_reactive)
        }
        Occurrence::Changed(agent) => {
            store::wake(tx, &agent).await?;
            Ok(true)
        }
        Occurrence::Lifted(agent, Some(other)) => {
            // In the order of their ids, as everything that locks both.
            for agent in [agent, other] {
                store::wake(tx, &agent).await?;
            }
            Ok(true)
        }
        // The agent was held alone, so its messages may wait for anyone.
        Occurrence::Lifted(_, None) => {
            store::wake_all(tx).await?;
            Ok(true)
        }
    }
}
