//! Finishing, renewing and releasing claimed messages.

use std::time::Duration;

use serde::Serialize;
use svc_macros::boxed_futures;
use svc_model::messages::{Ending, Finish, Message, MessageStatus};

use super::expire::EXHAUSTED;
use super::lifecycle::{Transition, lease_lost, message_deleted, next};
use super::service::Messages;
use super::store::claims::{self, ClaimState};
use super::store::leases::TABLE;
use super::viewer::Viewer;
use super::{changed, claim, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::dead_letters;
use crate::store::db::Tx;
use crate::store::queue::table::Hold;
use crate::timestamp::Timestamp;

/// The stored reason of a failure for which the worker gave none.
const NO_REASON: &str = "the worker gave no reason";

/// A worker's request to change a message.
#[derive(Debug, Clone)]
struct Request {
    caller: Caller,
    id: MessageId,
    token: Option<String>,
    action: Action,
}

#[derive(Debug, Clone, Serialize)]
enum Action {
    Finish(Ending, String),
    Renew(Duration),
    Release,
}

impl ClaimState {
    fn hold(&self) -> Hold<'_> {
        Hold {
            claim_token: self.claim_token.as_deref(),
            lease_expires_at: self.lease_expires_at,
            last_claim: self.last_claim.as_deref(),
        }
    }
}

#[boxed_futures]
impl Messages {
    /// Finishes a message as done or failed. Repeating the same request changes nothing. A worker
    /// whose lease has ended gets the error `lease_lost`; one whose message was deleted,
    /// `message_deleted`.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, scout: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let inbox = hub.messages().inbox(&scout, InboxFilter::default()).await?;
    /// for message in inbox.messages {
    ///     // Without a claim, the message is claimed and finished in one step.
    ///     hub.messages().finish(&scout, message.id, Finish::done(None)).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn finish(&self, caller: &Caller, id: MessageId, finish: Finish) -> Result<Message> {
        let reason = checked_reason(finish.status, finish.reason)?;
        self.submit(caller, id, finish.claim_token, Action::Finish(finish.status, reason)).await
    }

    /// Extends a claim to end after `lease` from now, by default after 15 minutes.
    pub async fn renew(
        &self,
        caller: &Caller,
        id: MessageId,
        claim_token: &str,
        lease: Option<Duration>,
    ) -> Result<Message> {
        let lease = claim::lease(lease)?;
        self.submit(caller, id, Some(claim_token.to_owned()), Action::Renew(lease)).await
    }

    /// Releases a message so that other workers can claim it.
    pub async fn release(&self, caller: &Caller, id: MessageId, claim_token: &str) -> Result<Message> {
        self.submit(caller, id, Some(claim_token.to_owned()), Action::Release).await
    }

    async fn submit(&self, caller: &Caller, id: MessageId, token: Option<String>, action: Action) -> Result<Message> {
        claim::worker(caller)?;
        let key = caller.idempotency("messages.finish", &(id, &token, &action))?;
        let request = Request { caller: caller.clone(), id, token, action };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(apply(tx, request))).await?.value)
    }
}

fn checked_reason(ending: Ending, reason: Option<String>) -> Result<String> {
    let reason = reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    if ending == Ending::Done && reason.is_some() {
        return Err(Error::invalid("reason", "is only allowed when the status is failed"));
    }
    let reason = reason.unwrap_or_else(|| NO_REASON.to_owned());
    if reason.chars().count() > limits::REASON_MAX || reason.contains('\0') {
        return Err(Error::invalid(
            "reason",
            format!("must be at most {} characters, without NUL", limits::REASON_MAX),
        ));
    }
    Ok(reason)
}

async fn apply(tx: &mut Tx, request: &Request) -> Result<Message> {
    let viewer = Viewer::of(&request.caller);
    let row = store::visible(tx, &viewer, request.id).await?;
    claim::require_addressee(&row, request.caller.participant())?;
    // A request that fails locks nothing, so that a concurrent claim does not skip the message.
    let now = tx.now();
    decide(now, &state(tx, request.id).await?, request)?;
    TABLE.hold(tx, request.id).await?;
    let state = state(tx, request.id).await?;
    match (decide(now, &state, request)?, &request.action) {
        (Change::None, _) => {}
        (Change::Wanted, Action::Finish(ending, reason)) => finish(tx, request, *ending, reason).await?,
        (Change::Wanted, Action::Renew(lease)) => {
            TABLE.renew(tx, request.id, *lease).await?;
            changed::record(tx, &[request.id]).await?;
        }
        (Change::Wanted, Action::Release) => {
            TABLE.give_back(tx, &[request.id]).await?;
            // A released message does not count as an attempt.
            TABLE.uncount(tx, request.id).await?;
            changed::record(tx, &[request.id]).await?;
        }
    }
    let row = store::visible(tx, &viewer, request.id).await?;
    store::complete_one(tx, &viewer, row).await
}

async fn state(tx: &mut Tx, id: MessageId) -> Result<ClaimState> {
    claims::state(tx, id).await?.ok_or_else(|| Error::not_found("message"))
}

/// The effect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Wanted,
}

/// Decides whether a request is allowed in the current state, and whether it changes anything.
fn decide(now: Timestamp, state: &ClaimState, request: &Request) -> Result<Change> {
    if let Some(deleted_at) = state.deleted_at {
        return Err(message_deleted(deleted_at));
    }
    let lease = state.hold();
    let is_current = lease.is_of(now, request.token.as_deref());
    let ending = match &request.action {
        Action::Finish(ending, _) => *ending,
        Action::Renew(_) if is_current => return Ok(Change::Wanted),
        Action::Release if is_current => return next(state.status, Transition::Released).map(|_| Change::Wanted),
        Action::Renew(_) | Action::Release => return Err(lease_lost()),
    };
    match &request.token {
        // A request that is repeated because the first answer was lost gets the same answer. A
        // message that the hub itself gave up was lost before.
        Some(token) if !is_current && lease.was_last_of(token) => {
            let given_up = state.failure.as_deref() == Some(EXHAUSTED);
            match state.status {
                MessageStatus::Done | MessageStatus::Failed if !given_up => {}
                _ => return Err(lease_lost()),
            }
        }
        Some(_) if !is_current => return Err(lease_lost()),
        None if lease.is_alive(now) => return Err(claimed_by_another(state)),
        _ => {}
    }
    let status = next(state.status, Transition::Finished(ending))?;
    Ok(if status == state.status { Change::None } else { Change::Wanted })
}

async fn finish(tx: &mut Tx, request: &Request, ending: Ending, reason: &str) -> Result<()> {
    if request.token.is_none() {
        claims::record_unclaimed(tx, request.id).await?;
    }
    if ending == Ending::Failed {
        TABLE.give_up(tx, &[request.id], reason).await?;
        dead_letters::create(tx, &[request.id]).await?;
        return claim::advance_cursor_past(tx, request.id).await;
    }
    TABLE.finish(tx, &[request.id]).await?;
    changed::record(tx, &[request.id]).await?;
    claim::advance_cursor_past(tx, request.id).await
}

/// Only the recipient reaches this point, so the claim is held by another worker of the same
/// participant.
fn claimed_by_another(state: &ClaimState) -> Error {
    let end = state.lease_expires_at.map_or_else(String::new, |end| format!(" until {end}"));
    Error::conflict(
        "already_claimed",
        format!("Another worker of yours has claimed this message{end}. Pass its claim_token, or wait."),
    )
    .with_detail("holder", state.holder.clone())
    .with_detail("lease_expires_at", state.lease_expires_at.map(|end| end.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_short_and_only_for_failures() {
        assert_eq!(checked_reason(Ending::Failed, None).unwrap(), NO_REASON);
        assert_eq!(checked_reason(Ending::Failed, Some("  no access ".into())).unwrap(), "no access");
        assert!(checked_reason(Ending::Done, Some("well".into())).is_err());
        assert!(checked_reason(Ending::Failed, Some("x".repeat(limits::REASON_MAX + 1))).is_err());
        assert!(checked_reason(Ending::Failed, Some("a\0b".into())).is_err());
    }

    fn state(status: MessageStatus, failure: Option<&str>) -> ClaimState {
        ClaimState {
            status,
            claim_token: None,
            lease_expires_at: None,
            last_claim: Some("ab12-77".into()),
            failure: failure.map(Into::into),
            holder: None,
            deleted_at: None,
        }
    }

    #[test]
    fn only_the_token_of_the_last_claim_may_repeat_a_request() {
        let now = Timestamp::from_micros(7);
        let request = |token: &str| Request {
            caller: Caller::root(),
            id: MessageId(77),
            token: Some(token.into()),
            action: Action::Finish(Ending::Done, String::new()),
        };
        let done = state(MessageStatus::Done, None);
        assert_eq!(decide(now, &done, &request("ab12-77")).unwrap(), Change::None);
        for token in ["ab13-77", "", "77", "ab12-78", "ab12-77-1"] {
            assert_eq!(decide(now, &done, &request(token)).unwrap_err().code(), "lease_lost", "{token}");
        }
        for lost in [state(MessageStatus::Failed, Some(EXHAUSTED)), state(MessageStatus::Pending, None)] {
            assert_eq!(decide(now, &lost, &request("ab12-77")).unwrap_err().code(), "lease_lost");
        }
    }
}
