//! Recording what an attempt did, in one transaction with the item in the queue.

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
use crate::store::queue::{ClaimedItem, Failure, Queue};
use crate::surface::Surface;

/// The answer of an endpoint that wants nothing more.
const GONE: u32 = 410;

/// Records an attempt. Fails with `lease_lost`, and changes nothing, when another worker may have the delivery.
pub(super) async fn record(
    tx: &mut Tx,
    queue: &Queue,
    claimed: &ClaimedItem,
    job: &Job,
    attempt: &Attempt,
) -> Result<Ended> {
    let made = &attempt.attempt;
    let Some(error) = made.error else {
        queue.finish_in(tx, claimed).await?;
        if write_attempt(tx, job, attempt, Stored::Delivered).await? {
            store::note_success(tx, job.webhook_id, &job.url).await?;
        }
        return Ok(Ended::Delivered);
    };
    let is_gone = made.status == Some(GONE);
    let is_last = is_gone || claimed.item.attempts >= claimed.item.max_attempts;
    if is_last {
        queue.finish_in(tx, claimed).await?;
    } else {
        let failure = Failure::new(error.as_str()).not_before(attempt.retry_after);
        queue.fail_in(tx, claimed, &failure).await?;
    }
    if !write_attempt(tx, job, attempt, if is_last { Stored::Dead } else { Stored::Open }).await? {
        return Ok(Ended::Stopped);
    }
    if is_last {
        let reason = reason(error, made.status);
        let (owner, agent) = (job.owner_id, ParticipantId(job.agent_id.0));
        dead_letters::create_for_delivery(tx, owner, agent, job.id, &reason, made.number.into()).await?;
    }
    // The answer of an endpoint that the webhook no longer has says nothing about the present one.
    let failures = store::note_failure(tx, job.webhook_id, &job.url).await?.unwrap_or_default();
    if is_gone && failures > 0 {
        disable(tx, job.webhook_id, DisabledReason::Gone).await?;
    } else if failures >= limits::WEBHOOK_FAILURES_MAX {
        disable(tx, job.webhook_id, DisabledReason::Failures).await?;
    }
    Ok(if is_last { Ended::Dead } else { Ended::Retried })
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
    store::set_status(tx, job.id, Stored::Stopped, Some(error), None, job.attempts).await?;
    if error == DeliveryError::Hidden {
        store::remove_body(tx, job.id).await?;
    }
    Ok(())
}

/// Writes an attempt and the new status. Returns `false` when the delivery was deleted meanwhile.
async fn write_attempt(tx: &mut Tx, job: &Job, attempt: &Attempt, status: Stored) -> Result<bool> {
    let made = &attempt.attempt;
    if !store::set_status(tx, job.id, status, made.error, made.status, made.number).await? {
        return Ok(false);
    }
    store::insert_attempt(tx, &NewAttempt { delivery: job.id, webhook: job.webhook_id, url: &job.url, attempt: made })
        .await?;
    Ok(true)
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
