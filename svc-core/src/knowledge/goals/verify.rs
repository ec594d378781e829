//! Verification by a run: the hub starts a run of the named agent, and its end decides.

use async_trait::async_trait;
use svc_model::events::RunChanged;
use svc_model::goals::{GoalTaskStatus, VerifierKind};
use svc_model::harness::RunFailure;
use svc_model::runs::RunStatus;

use super::decide::{self, Verdict};
use super::notice::{self, Waits};
use super::record::HUB;
use super::service::{Goals, held};
use super::store::{self, GoalRow, TaskRow};
use crate::automation::runs::{self, Lanes, RequestedStart};
use crate::error::Result;
use crate::ids::GoalTaskId;
use crate::limits;
use crate::store::db::Tx;
use crate::store::workers::{Cadence, Progress, Worker};

/// The worker that starts the runs that verify tasks.
pub(crate) struct GoalVerification {
    goals: Goals,
}

impl GoalVerification {
    pub(crate) fn new(goals: Goals) -> Self {
        Self { goals }
    }
}

#[async_trait]
impl Worker for GoalVerification {
    fn name(&self) -> &'static str {
        "goal_verification"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(limits::GOAL_VERIFY_PACE)
    }

    async fn run_once(&self) -> Result<Progress> {
        let Goals { db, runs, .. } = &self.goals;
        let waiting = db.read((), |tx, ()| Box::pin(store::unverified(tx, limits::GOAL_VERIFY_BATCH))).await?;
        for task in waiting {
            db.write((runs.lanes.clone(), task), |tx, (lanes, task)| Box::pin(begin(tx, lanes, *task))).await?;
        }
        Ok(Progress::Done)
    }
}

/// Starts the run that verifies a task. It waits while the agent cannot run, and the owner decides if it never can.
async fn begin(tx: &mut Tx, lanes: &Lanes, id: GoalTaskId) -> Result<()> {
    let Some(found) = store::task(tx, None, id).await? else { return Ok(()) };
    let goal = held(tx, &HUB, found.goal_id).await?;
    let Some(task) = store::task(tx, None, id).await? else { return Ok(()) };
    let is_waiting = task.status == GoalTaskStatus::AwaitingVerification
        && task.verifier == VerifierKind::Command
        && task.verifier_run_id.is_none();
    let Some(verifier) = task.verifier_id.filter(|_| is_waiting) else { return Ok(()) };
    match runs::start_requested(tx, lanes, verifier, &prompt(&goal, &task)).await? {
        RequestedStart::Started(run) => {
            store::set_verifier_run(tx, id, Some(run)).await?;
            store::link_run(tx, run, id).await
        }
        RequestedStart::Later => Ok(()),
        RequestedStart::Never => {
            store::set_human_verifier(tx, id).await?;
            let name = task.verifier_name.as_deref().unwrap_or("the verifier");
            let words = format!("the hub does not run @{name}, so you have to accept or reject ");
            let statement = notice::named(notice::about(&goal, &words), &goal, &task).say(".");
            notice::owner_decides(tx, &goal, Waits::Verification(id), &statement).await
        }
    }
}

/// The prompt of a run that verifies a task.
fn prompt(goal: &GoalRow, task: &TaskRow) -> String {
    let mut text = format!(
        "Verify the result of task {} of goal {}. End with success only if it meets the acceptance criteria.\n\n# Task\n\n{}\n",
        task.id, goal.id, task.title
    );
    for (heading, words) in [
        ("Description", task.description.as_str()),
        ("Acceptance criteria", task.acceptance_criteria.as_str()),
        ("Result", task.result.as_deref().unwrap_or_default()),
    ] {
        if !words.is_empty() {
            text.extend(["\n# ", heading, "\n\n", words, "\n"]);
        }
    }
    text
}

/// Records the verdict of a run that verified a task. A run that was interrupted or could not begin is started again.
/// Returns whether a task changed.
pub(super) async fn conclude(tx: &mut Tx, run: &RunChanged) -> Result<bool> {
    let Some((id, goal)) = store::verified_by(tx, run.run_id).await? else { return Ok(false) };
    let goal = held(tx, &HUB, goal).await?;
    let Some(task) = store::task(tx, None, id).await? else { return Ok(true) };
    if task.status != GoalTaskStatus::AwaitingVerification || task.verifier_run_id != Some(run.run_id) {
        return Ok(true);
    }
    let is_interrupted = run.error.as_deref() == Some(RunFailure::Interrupted.as_str());
    let (passed, note) = match run.status {
        RunStatus::Succeeded => (true, format!("run {} succeeded", run.run_id)),
        RunStatus::Failed | RunStatus::Cancelled if !is_interrupted => {
            let reason = run.error.as_deref().unwrap_or("without a reason");
            (false, format!("run {} {}: {reason}", run.run_id, run.status))
        }
        _ => {
            store::set_verifier_run(tx, id, None).await?;
            return Ok(true);
        }
    };
    decide::verify(tx, &HUB, &goal, &task, &Verdict { passed, note: Some(&note) }).await?;
    Ok(true)
}
