//! Stalled messages of workflow channels: first a reminder, then an escalation to the channel
//! owner.
//!
//! Invariant: each state of a message causes at most one reminder and one escalation, however many
//! processes run, because the transaction that sends it also sets a mark, and only if it was not
//! set.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_model::reactions::WorkflowState;

use super::announce;
use super::store::stalemate::{self as marks, Due, Step};
use super::store::{self, Subject};
use crate::error::Result;
use crate::messaging::messages::{self, Statement};
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Messages processed in one transaction, for each of the two steps.
const BATCH: u32 = 100;

/// The worker that finds stalled messages.
pub(crate) struct Stalemate {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for Stalemate {
    fn name(&self) -> &'static str {
        "stalemate"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(1))
    }

    async fn run_once(&self) -> Result<Progress> {
        let due = self.db.read((), |tx, ()| Box::pin(marks::due(tx, BATCH))).await?;
        if due.is_empty() {
            return Ok(Progress::Done);
        }
        let full = |step| due.iter().filter(|due| due.step == step).count() == BATCH as usize;
        let progress = if full(Step::Reminder) || full(Step::Escalation) { Progress::More } else { Progress::Done };
        self.db.write(due, |tx, due| Box::pin(process(tx, due))).await?;
        Ok(progress)
    }
}

async fn process(tx: &mut Tx, due: &[Due]) -> Result<()> {
    for due in due {
        if marks::mark(tx, due).await? {
            notify(tx, due).await?;
        }
    }
    Ok(())
}

/// Notifies the participant that can continue the work.
async fn notify(tx: &mut Tx, due: &Due) -> Result<()> {
    let subject = store::subject(tx, due.id).await?;
    let claimant = match due.step {
        Step::Reminder => marks::claimant(tx, due.id).await?,
        Step::Escalation => None,
    };
    let owner = subject.channel_owner_id;
    let to = match (claimant, owner) {
        (Some(claimant), _) => claimant,
        (None, Some(owner)) => marks::reachable(tx, owner).await?,
        (None, None) => return Ok(()),
    };
    let stalled_for = tx.now().since(due.changed_at);
    let body = body(&subject, due, stalled_for);
    let channel = subject.channel.as_deref().unwrap_or_default();
    let metadata = json!({
        "stalemate": { "message_id": due.id, "channel": channel, "state": due.state, "kind": due.step }
    });
    messages::notify(tx, to, &Statement::default().say(body), metadata).await?;
    if due.step == Step::Escalation {
        announce::escalated(tx, &subject).await?;
    }
    Ok(())
}

fn body(subject: &Subject, due: &Due, stalled_for: Duration) -> String {
    let channel = subject.channel.as_deref().unwrap_or_default();
    let what = match due.state {
        WorkflowState::InProgress => "in progress",
        WorkflowState::Approved => "approved, and nobody has begun it,",
        _ => "proposed, and nobody has judged it,",
    };
    let todo = match (due.state, due.step) {
        (WorkflowState::InProgress, Step::Reminder) => {
            "React with done or reject when you have finished, or take in_progress back so that somebody else can go on."
        }
        (WorkflowState::InProgress, Step::Escalation) => {
            "You own the channel: ask who works on it, or remove in_progress so that somebody else can go on."
        }
        (WorkflowState::Approved, _) => "Somebody should take it with in_progress, or reject it.",
        _ => "Somebody should approve or reject it.",
    };
    format!("Message {} in #{channel} has been {what} for {}. {todo}", due.id, duration_in_words(stalled_for))
}

/// A duration in words, in the largest unit of which there are at least two.
fn duration_in_words(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    let (number, unit) = match minutes {
        0..120 => (minutes, "minute"),
        120..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_in_words() {
        for (seconds, words) in [
            (59, "0 minutes"),
            (60, "1 minute"),
            (7199, "119 minutes"),
            (7200, "2 hours"),
            (86_400, "24 hours"),
            (172_800, "2 days"),
            (259_200, "3 days"),
        ] {
            assert_eq!(duration_in_words(Duration::from_secs(seconds)), words);
        }
    }
}
