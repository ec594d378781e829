//! The cost of tasks: what agents record, and what their runs cost.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::events::{EventBody, RunChanged};
use svc_model::goals::TimelineKind;
use svc_model::governance::{UsageGroup, usd_of};

use super::record::{self, About, HUB};
use super::service::{Goals, Scope, held};
use super::store::{self, GoalRow, NewEntry, NewSpend, TaskRow};
use super::{budget, verify};
use crate::error::Result;
use crate::ids::{AgentId, RunId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::workers::{Cadence, Progress, Worker};
use crate::timestamp::Timestamp;

/// The name of the reader of the log.
const READER: &str = "goals";

/// A cost of a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charge {
    pub(super) agent: Option<AgentId>,
    pub(super) run: Option<RunId>,
    pub(super) usd: i64,
    pub(super) tokens: i64,
}

/// Records a cost at a task and its goal, and looks at the budget. A run that was recorded before changes nothing.
pub(super) async fn book(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    task: &TaskRow,
    charge: &Charge,
    note: Option<&str>,
) -> Result<()> {
    let Charge { agent, run, usd, tokens } = *charge;
    let new = NewSpend { goal: goal.id, task: task.id, agent, run, usd, tokens };
    if !store::insert_spend(tx, &new).await? {
        return Ok(());
    }
    let entry = NewEntry {
        by: agent.map(|agent| crate::ids::ParticipantId(agent.0)),
        task: Some(task.id),
        subject: Some(&task.title),
        usd: Some(usd),
        tokens: Some(tokens),
        run,
        text: note,
        ..NewEntry::default()
    };
    store::insert_entry(tx, goal.id, TimelineKind::Spend, &entry).await?;
    let goal = record::reread(tx, goal.id).await?;
    record::changed(tx, scope, &goal, About { task: Some(task), ..About::default() }).await?;
    budget::evaluate(tx, &goal).await
}

/// Charges a run that has ended to the task that it worked on, if there is one. Returns whether there is.
async fn charge(tx: &mut Tx, run: &RunChanged) -> Result<bool> {
    let Some(cost) = store::run_cost(tx, run.run_id).await? else { return Ok(false) };
    let task = match store::linked(tx, run.run_id).await? {
        Some(task) => Some(task),
        None => store::claimed_during(tx, cost.agent_id, cost.started_at, cost.ended_at).await?,
    };
    let Some(task) = task else { return Ok(false) };
    let Some(found) = store::task(tx, None, task).await? else { return Ok(false) };
    let goal = held(tx, &HUB, found.goal_id).await?;
    let Some(task) = store::task(tx, None, task).await? else { return Ok(true) };
    let charge = Charge { agent: Some(cost.agent_id), run: Some(run.run_id), usd: cost.usd, tokens: cost.tokens };
    book(tx, &HUB, &goal, &task, &charge, None).await?;
    Ok(true)
}

/// The worker that charges runs to tasks, each once, and records the verdicts of runs that verify.
pub(crate) struct GoalCharges {
    goals: Goals,
}

impl GoalCharges {
    pub(crate) fn new(goals: Goals) -> Self {
        Self { goals }
    }
}

#[async_trait]
impl Worker for GoalCharges {
    fn name(&self) -> &'static str {
        "goal_charges"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        let most = limits::GOAL_READER_BATCH;
        let read = self
            .goals
            .events
            .consume_some(READER, most, |tx, events| Box::pin(async move { Ok((handle_some(tx, events).await?, ())) }))
            .await?;
        let is_more = read.passed < read.offered || read.offered == most as usize;
        Ok(if is_more { Progress::More } else { Progress::Done })
    }
}

/// Handles events until one of them has changed a goal: each of these transactions locks one goal. Returns the number of
/// events that were handled.
async fn handle_some(tx: &mut Tx, events: &[Event]) -> Result<usize> {
    for (passed, event) in events.iter().enumerate() {
        let run = match event.body() {
            Ok(EventBody::RunChanged(run)) if run.status.is_final() => run,
            _ => continue,
        };
        let is_charged = charge(tx, &run).await?;
        let is_decided = verify::conclude(tx, &run).await?;
        if is_charged || is_decided {
            return Ok(passed + 1);
        }
    }
    Ok(events.len())
}

/// The cost of the goals of an owner since a time.
pub(super) async fn usage(tx: &mut Tx, owner: UserId, since: Timestamp) -> Result<Vec<UsageGroup>> {
    let rows = store::usage(tx, owner, since).await?;
    let group = |row: store::UsageRow| UsageGroup {
        agent: None,
        day: None,
        goal: Some(row.slug),
        runs: row.runs,
        usd: usd_of(row.usd),
        tokens: row.tokens,
        reserved_usd: 0.0,
    };
    Ok(rows.into_iter().map(group).collect())
}
