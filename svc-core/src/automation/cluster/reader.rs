//! The reader of the event log that turns events into runs of handlers.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::service::{Cluster, READER};
use super::store::{self, Listener, Place};
use crate::automation::occurrence::{Concerned, Occurrence};
use crate::automation::runs::{EventStart, Lanes, start_event};
use crate::error::Result;
use crate::ids::HandlerId;
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::workers::{Cadence, Progress, Worker};

/// While there is no handler, the position is moved this often, so that sending costs nothing more.
const IDLE_PACE: Duration = Duration::from_secs(10);

/// The worker that turns events into runs, each once.
pub(crate) struct ClusterReader {
    cluster: Cluster,
    /// When the position was last moved while there was no handler.
    skipped: Mutex<Option<Instant>>,
}

impl ClusterReader {
    pub(crate) fn new(cluster: Cluster) -> Self {
        Self { cluster, skipped: Mutex::default() }
    }

    /// Reads the next events. Returns whether there may be more.
    async fn read(&self) -> Result<bool> {
        let lanes = self.cluster.runs.lanes.clone();
        let read = self.cluster.events.consume_some(READER, limits::CLUSTER_READER_BATCH, move |tx, events| {
            let lanes = lanes.clone();
            Box::pin(async move { Ok((handle_some(tx, &lanes, events).await?, ())) })
        });
        let read = read.await?;
        Ok(read.passed < read.offered || read.offered == limits::CLUSTER_READER_BATCH as usize)
    }

    /// Passes over events that concern nobody.
    async fn skip(&self) -> Result<()> {
        let last = *self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < IDLE_PACE) {
            return Ok(());
        }
        self.cluster.events.skip(READER, |tx| Box::pin(async move { Ok(!store::is_any(tx).await?) })).await?;
        *self.skipped.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(())
    }
}

#[async_trait]
impl Worker for ClusterReader {
    fn name(&self) -> &'static str {
        "cluster_reader"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        if !self.cluster.db.read((), |tx, ()| Box::pin(store::is_any(tx))).await? {
            self.skip().await?;
            return Ok(Progress::Done);
        }
        Ok(if self.read().await? { Progress::More } else { Progress::Done })
    }
}

/// Handles events until one of them has made runs: each of these transactions locks the agents of one event, so it
/// waits for no other one while it holds more. Returns the number of events that all their handlers have seen.
async fn handle_some(tx: &mut Tx, lanes: &Lanes, events: &[Event]) -> Result<usize> {
    let place = store::place(tx).await?;
    for (passed, event) in events.iter().enumerate() {
        // An event that cannot be read must not stop those after it.
        let occurrence = match Occurrence::of(event) {
            Ok(Some(occurrence)) => occurrence,
            Ok(None) => continue,
            Err(error) => {
                tracing::warn!(seq = event.seq.0, error = error.log_line(), "an event starts no job");
                continue;
            }
        };
        let after = if place.event_seq == event.seq { place.handler_id } else { HandlerId(0) };
        let listeners = concerned(tx, &occurrence, after).await?;
        for listener in &listeners {
            handle(tx, lanes, event, &occurrence, listener).await?;
        }
        if let Some(last) = listeners.last().filter(|_| listeners.len() == limits::CLUSTER_READER_ROOM as usize) {
            store::set_place(tx, Place { event_seq: event.seq, handler_id: last.id }).await?;
            return Ok(passed);
        }
        if !listeners.is_empty() {
            return Ok(passed + 1);
        }
    }
    Ok(events.len())
}

/// The next handlers of everybody whom an event concerns, in the order of their ids, after one of them.
async fn concerned(tx: &mut Tx, occurrence: &Occurrence, after: HandlerId) -> Result<Vec<Listener>> {
    let Concerned { agents, channel } = occurrence.audience();
    let room = limits::CLUSTER_READER_ROOM;
    let mut found = match channel {
        Some(channel) => store::of_members(tx, channel, after, room).await?,
        None => Vec::new(),
    };
    for agent in agents {
        found.extend(store::of_agent(tx, agent, after, room).await?);
    }
    found.sort_by_key(|listener| listener.id);
    found.dedup_by_key(|listener| listener.id);
    found.truncate(room as usize);
    Ok(found)
}

/// Makes the run of an event for one handler, if it wants the event.
async fn handle(tx: &mut Tx, lanes: &Lanes, event: &Event, occurrence: &Occurrence, listener: &Listener) -> Result<()> {
    // A handler gets nothing of the time before it was registered.
    let agent = (listener.agent_id, listener.agent.as_str());
    if listener.enabled_after >= event.seq || !occurrence.is_wanted(agent, &listener.events.0) {
        return Ok(());
    }
    let Some(seen) = occurrence.seen_by(tx, listener.agent_id).await? else { return Ok(()) };
    let body = occurrence.told(tx, event, agent).await?;
    let start = EventStart {
        agent: listener.agent_id,
        handler: listener.id,
        image: &listener.image,
        event: occurrence.name(),
        seq: event.seq,
        body: &body,
        trigger: match occurrence {
            Occurrence::Direct { message, .. } => Some(*message),
            _ => None,
        },
        depth: seen.depth,
        is_held: occurrence.is_held(tx, listener.agent_id).await?,
    };
    start_event(tx, lanes, &start).await
}
