//! Recording what attempts did, in one transaction with their items in the queue.

use std::collections::{BTreeSet, HashSet};

use serde_json::json;
use svc_model::audit::AuditEvent;
use svc_model::webhooks::{DeliveryError, DisabledReason};

use super::attempt::Attempt;
use super::meter::Ended;
use super::store::{self, Job, NewAttempt, Scope, Stored};
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Visit;
use crate::ids::{ParticipantId, WebhookId};
use crate::limits;
use crate::messaging::dead_letters;
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Failure, Queue, Report};
use crate::surface::Surface;

/// The answer of an endpoint that wants nothing more.
const GONE: u32 = 410;

/// An attempt that has ended, to be recorded.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) claimed: ClaimedItem,
    pub(super) job: Job,
    pub(super) attempt: Attempt,
}

impl Outcome {
    fn is_gone(&self) -> bool {
        self.attempt.attempt.status == Some(GONE)
    }

    /// The failure, and whether no other attempt is made.
    fn failure(&self) -> Option<(DeliveryError, bool)> {
        let item = &self.claimed.item;
        self.attempt.attempt.error.map(|error| (error, self.is_gone() || item.attempts >= item.max_attempts))
    }

    /// The report to the queue.
    fn report(&self) -> Report {
        match self.failure() {
            Some((error, false)) => Report::Failed(Failure::new(error.as_str()).not_before(self.attempt.retry_after)),
            // The dead letter is of the delivery, not of its item.
            None | Some((_, true)) => Report::Finished,
        }
    }

    /// The row of the attempt, with the status of the delivery after it.
    fn row(&self) -> NewAttempt<'_> {
        let status = match self.failure() {
            None => Stored::Delivered,
            Some((_, true)) => Stored::Dead,
            Some((_, false)) => Stored::Open,
        };
        let Self { job, attempt, .. } = self;
        NewAttempt { delivery: job.id, webhook: job.webhook_id, url: &job.url, attempt: &attempt.attempt, status }
    }

    fn ended(&self, is_deleted: bool) -> Ended {
        match self.failure() {
            None => Ended::Delivered,
            Some(_) if is_deleted => Ended::Stopped,
            Some((_, true)) => Ended::Dead,
            Some((_, false)) => Ended::Retried,
        }
    }
}

/// Records attempts. One whose lease has expired changes nothing, because another worker may have the delivery; its
/// place in the result is `None`.
pub(super) async fn record_all(tx: &mut Tx, queue: &Queue, all: &[Outcome]) -> Result<Vec<Option<Ended>>> {
    let reports: Vec<_> = all.iter().map(|one| (&one.claimed, one.report())).collect();
    let is_held = queue.report_all_in(tx, &reports).await?;
    let held = all.iter().zip(&is_held).filter(|(_, is_held)| **is_held).map(|(one, _)| one);
    let rows: Vec<_> = held.clone().map(Outcome::row).collect();
    let existing = store::write_attempts(tx, &rows).await?;
    let written: Vec<_> = held.filter(|one| existing.contains(&one.job.id)).collect();
    note(tx, &written).await?;
    let ended = |one: &Outcome| one.ended(!existing.contains(&one.job.id));
    Ok(all.iter().zip(is_held).map(|(one, is_held)| is_held.then(|| ended(one))).collect())
}

/// Records what attempts say about the webhooks, and the end of those deliveries that failed.
async fn note(tx: &mut Tx, written: &[&Outcome]) -> Result<()> {
    let failing: HashSet<_> =
        written.iter().filter(|one| one.failure().is_some()).map(|one| one.job.webhook_id).collect();
    // Where nothing failed, the order is of no importance.
    let (mixed, well): (Vec<&Outcome>, Vec<_>) = written.iter().partition(|one| failing.contains(&one.job.webhook_id));
    if !mixed.is_empty() {
        let webhooks: BTreeSet<_> = written.iter().map(|one| one.job.webhook_id).collect();
        store::lock_webhooks(tx, webhooks.into_iter()).await?;
    }
    let well: BTreeSet<_> = well.iter().map(|one| (one.job.webhook_id, one.job.url.as_str())).collect();
    store::note_successes(tx, well.into_iter()).await?;
    for one in mixed {
        let job = &one.job;
        let Some((error, is_last)) = one.failure() else {
            store::note_successes(tx, std::iter::once((job.webhook_id, job.url.as_str()))).await?;
            continue;
        };
        let made = &one.attempt.attempt;
        if is_last {
            let reason = reason(error, made.status);
            let (owner, agent) = (job.owner_id, ParticipantId(job.agent_id.0));
            dead_letters::create_for_delivery(tx, owner, agent, job.id, &reason, made.number.into()).await?;
        }
        // The answer of an endpoint that the webhook no longer has says nothing about the present one.
        let failures = store::note_failure(tx, job.webhook_id, &job.url).await?.unwrap_or_default();
        if one.is_gone() && failures > 0 {
            disable(tx, job.webhook_id, DisabledReason::Gone).await?;
        } else if failures >= limits::WEBHOOK_FAILURES_MAX {
            disable(tx, job.webhook_id, DisabledReason::Failures).await?;
        }
    }
    Ok(())
}

/// Ends a delivery that must not be sent.
pub(super) async fn stop(
    tx: &mut Tx,
    queue: &Queue,
    claimed: &ClaimedItem,
    job: &Job,
    error: DeliveryError,
) -> Result<()> {
    queue.finish_in(tx, claimed).await?;
    store::stop(tx, job.id, error).await?;
    if error == DeliveryError::Hidden {
        store::remove_body(tx, job.id).await?;
    }
    Ok(())
}

/// The reason of a dead letter.
pub(super) fn reason(error: DeliveryError, status: Option<u32>) -> String {
    match (error, status) {
        (DeliveryError::Status | DeliveryError::Redirect, Some(status)) => {
            format!("the endpoint answered with the status {status}")
        }
        (DeliveryError::Timeout, _) => "the endpoint did not answer in time".into(),
        (DeliveryError::Connect, _) => "no connection to the endpoint could be made".into(),
        (DeliveryError::AddressRefused, _) => "the address of the endpoint is not allowed".into(),
        (DeliveryError::Secret, _) => "the secret of the webhook cannot be opened with this server's key".into(),
        (DeliveryError::Interrupted, _) => "the server stopped before it recorded the outcome".into(),
        _ => "the endpoint did not answer with valid HTTP".into(),
    }
}

/// Disables a webhook and tells its owner, unless it was disabled before.
async fn disable(tx: &mut Tx, id: WebhookId, reason: DisabledReason) -> Result<()> {
    if !store::disable(tx, id, reason).await? {
        return Ok(());
    }
    let Some(webhook) = store::find(tx, &Scope { owner: None, agent: None }, id).await? else { return Ok(()) };
    let entry = NewEntry::new(AuditEvent::WebhookChanged, &Visit::through(Surface::Worker))
        .about(webhook.owner_id, &webhook.owner)
        .detail("action", "disabled")
        .detail("reason", reason.as_str())
        .detail("agent", webhook.agent.as_str())
        .detail("webhook", id.0);
    audit::record(tx, &entry).await?;
    let why = match reason {
        DisabledReason::Gone => "its endpoint answered 410 Gone".to_owned(),
        DisabledReason::Failures | DisabledReason::Request => {
            format!("{} attempts in a row failed", limits::WEBHOOK_FAILURES_MAX)
        }
    };
    let agent = &webhook.agent;
    let words = format!(
        "Webhook {id} of @{agent} was disabled because {why}. Check its endpoint, then enable it; recovering delivers \
         the missed events again."
    );
    let metadata = json!({ "webhook": { "id": id, "agent": agent, "disabled_reason": reason } });
    messages::notify(tx, ParticipantId(webhook.owner_id.0), &Statement::default().say(words), metadata).await?;
    Ok(())
}
