//! Finishing, renewing and releasing what was claimed.

use svc_macros::boxed_futures;
use svc_model::messages::{Ending, Finish, Message, MessageStatus};

use super::expire::EXHAUSTED;
use super::leases::TABLE;
use super::lifecycle::{Happening, lease_lost, next};
use super::service::Messages;
use super::sight::Sight;
use super::{changed, claim, store};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::dead_letters;
use crate::store::db::Tx;
use crate::store::queue::table::Hold;
use crate::timestamp::Timestamp;

/// The reason of a failure that came without one.
const UNSAID: &str = "the worker gave no reason";

/// What a worker wants to happen to a message.
#[derive(Debug, Clone)]
struct Wish {
    caller: Caller,
    id: MessageId,
    token: Option<String>,
    deed: Deed,
}

#[derive(Debug, Clone)]
enum Deed {
    Finish(Ending, String),
    Renew(std::time::Duration),
    Release,
}

crate::row! {
    /// The claim on a message, if there is one, and what has become of it.
    struct Held {
        status: MessageStatus,
        claim_token: Option<String>,
        lease_expires_at: Option<Timestamp>,
        last_claim: Option<String>,
        failure: Option<String>,
        holder: Option<String>,
    }
}

impl Held {
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
    /// Says how work on a message ended. Saying the same again changes nothing; a worker whose lease
    /// has ended is refused.
    pub async fn finish(&self, caller: &Caller, id: MessageId, finish: Finish) -> Result<Message> {
        let reason = checked_reason(finish.status, finish.reason)?;
        self.wish(caller, id, finish.claim_token, Deed::Finish(finish.status, reason)).await
    }

    /// Keeps a claim for longer: `lease_seconds` from now, 900 unless given.
    pub async fn renew(
        &self,
        caller: &Caller,
        id: MessageId,
        claim_token: &str,
        lease_seconds: Option<u32>,
    ) -> Result<Message> {
        let lease = claim::lease(lease_seconds)?;
        self.wish(caller, id, Some(claim_token.to_owned()), Deed::Renew(lease)).await
    }

    /// Gives a message back for others to claim.
    pub async fn release(&self, caller: &Caller, id: MessageId, claim_token: &str) -> Result<Message> {
        self.wish(caller, id, Some(claim_token.to_owned()), Deed::Release).await
    }

    async fn wish(&self, caller: &Caller, id: MessageId, token: Option<String>, deed: Deed) -> Result<Message> {
        claim::worker(caller)?;
        let wish = Wish { caller: caller.clone(), id, token, deed };
        self.db.write_by(caller, wish, |tx, wish| Box::pin(grant(tx, wish))).await
    }
}

fn checked_reason(ending: Ending, reason: Option<String>) -> Result<String> {
    let reason = reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    if ending == Ending::Done && reason.is_some() {
        return Err(Error::invalid("reason", "is for messages that failed"));
    }
    let reason = reason.unwrap_or_else(|| UNSAID.to_owned());
    if reason.chars().count() > limits::REASON_MAX || reason.contains('\0') {
        return Err(Error::invalid(
            "reason",
            format!("must be at most {} characters, without NUL", limits::REASON_MAX),
        ));
    }
    Ok(reason)
}

async fn grant(tx: &mut Tx, wish: &Wish) -> Result<Message> {
    let sight = Sight::of(&wish.caller);
    let row = store::visible(tx, &sight, wish.id).await?;
    if row.channel_id.is_some() {
        return Err(Error::conflict("channel_message", "Channel messages have a workflow state: react instead."));
    }
    if row.recipient_id != wish.caller.participant() {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "not_addressee",
            "This message is addressed to somebody else, and only they can work on it.",
        ));
    }
    // What is refused takes nothing, so that whoever claims meanwhile does not step over it.
    let now = tx.now();
    decide(now, &held(tx, wish.id).await?, wish)?;
    TABLE.hold(tx, wish.id).await?;
    let held = held(tx, wish.id).await?;
    match (decide(now, &held, wish)?, &wish.deed) {
        (Change::None, _) => {}
        (Change::Wanted, Deed::Finish(ending, reason)) => finish(tx, wish, *ending, reason).await?,
        (Change::Wanted, Deed::Renew(lease)) => {
            TABLE.renew(tx, wish.id, *lease).await?;
            changed::tell(tx, &[wish.id]).await?;
        }
        (Change::Wanted, Deed::Release) => {
            TABLE.give_back(tx, &[wish.id]).await?;
            // Whoever gives a message back has not tried it.
            TABLE.uncount(tx, wish.id).await?;
            changed::tell(tx, &[wish.id]).await?;
        }
    }
    let row = store::visible(tx, &sight, wish.id).await?;
    store::complete_one(tx, &sight, row).await
}

async fn held(tx: &mut Tx, id: MessageId) -> Result<Held> {
    tx.query(
        "SELECT m.status, m.claim_token, m.lease_expires_at, m.last_claim, m.failure, h.handle AS holder
           FROM messages m
           LEFT JOIN participants h ON h.id = m.claimed_by
          WHERE m.id = $1",
    )
    .bind(id)
    .fetch_optional()
    .await?
    .ok_or_else(|| Error::not_found("message"))
}

/// Whether a wish changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Wanted,
}

/// Whether a wish can be granted as things are.
fn decide(now: Timestamp, held: &Held, wish: &Wish) -> Result<Change> {
    let lease = held.hold();
    let is_theirs = lease.is_of(now, wish.token.as_deref());
    let ending = match &wish.deed {
        Deed::Finish(ending, _) => *ending,
        Deed::Renew(_) if is_theirs => return Ok(Change::Wanted),
        Deed::Release if is_theirs => return next(held.status, Happening::Released).map(|_| Change::Wanted),
        Deed::Renew(_) | Deed::Release => return Err(lease_lost()),
    };
    match &wish.token {
        // Whoever says it twice, because the first answer was lost, is told the same again. One that
        // the hub itself gave up was lost before.
        Some(token) if !is_theirs && lease.was_last_of(token) => {
            let given_up = held.failure.as_deref() == Some(EXHAUSTED);
            match held.status {
                MessageStatus::Done | MessageStatus::Failed if !given_up => {}
                _ => return Err(lease_lost()),
            }
        }
        Some(_) if !is_theirs => return Err(lease_lost()),
        None if lease.is_alive(now) => return Err(claimed_by_another(held)),
        _ => {}
    }
    let status = next(held.status, Happening::Finished(ending))?;
    Ok(if status == held.status { Change::None } else { Change::Wanted })
}

async fn finish(tx: &mut Tx, wish: &Wish, ending: Ending, reason: &str) -> Result<()> {
    in_passing(tx, wish).await?;
    if ending == Ending::Failed {
        TABLE.give_up(tx, &[wish.id], reason).await?;
        dead_letters::bury(tx, &[wish.id]).await?;
        return claim::read_past(tx, wish.id).await;
    }
    TABLE.finish(tx, &[wish.id]).await?;
    changed::tell(tx, &[wish.id]).await?;
    claim::read_past(tx, wish.id).await
}

/// Notes a claim for whoever finishes without one.
async fn in_passing(tx: &mut Tx, wish: &Wish) -> Result<()> {
    if wish.token.is_some() {
        return Ok(());
    }
    let now = tx.now();
    tx.query(
        "UPDATE messages
            SET attempts = attempts + 1, last_claim = NULL, claimed_at = $2, offered_at = coalesce(offered_at, $2)
          WHERE id = $1",
    )
    .bind(wish.id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Only the addressee comes this far, so the claim is one of another worker of theirs.
fn claimed_by_another(held: &Held) -> Error {
    let end = held.lease_expires_at.map_or_else(String::new, |end| format!(" until {end}"));
    Error::conflict(
        "already_claimed",
        format!("Another worker of yours has claimed this message{end}: present its claim_token, or wait."),
    )
    .with_detail("holder", held.holder.clone())
    .with_detail("lease_expires_at", held.lease_expires_at.map(|end| end.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_for_failures_and_short() {
        assert_eq!(checked_reason(Ending::Failed, None).unwrap(), UNSAID);
        assert_eq!(checked_reason(Ending::Failed, Some("  no access ".into())).unwrap(), "no access");
        assert!(checked_reason(Ending::Done, Some("well".into())).is_err());
        assert!(checked_reason(Ending::Failed, Some("x".repeat(limits::REASON_MAX + 1))).is_err());
        assert!(checked_reason(Ending::Failed, Some("a\0b".into())).is_err());
    }

    fn held(status: MessageStatus, failure: Option<&str>) -> Held {
        Held {
            status,
            claim_token: None,
            lease_expires_at: None,
            last_claim: Some("ab12-77".into()),
            failure: failure.map(Into::into),
            holder: None,
        }
    }

    #[test]
    fn only_the_token_of_the_last_claim_may_say_it_again() {
        let now = Timestamp::from_micros(7);
        let wish = |token: &str| Wish {
            caller: Caller::root(),
            id: MessageId(77),
            token: Some(token.into()),
            deed: Deed::Finish(Ending::Done, String::new()),
        };
        let done = held(MessageStatus::Done, None);
        assert_eq!(decide(now, &done, &wish("ab12-77")).unwrap(), Change::None);
        for token in ["ab13-77", "", "77", "ab12-78", "ab12-77-1"] {
            assert_eq!(decide(now, &done, &wish(token)).unwrap_err().code(), "lease_lost", "{token}");
        }
        for lost in [held(MessageStatus::Failed, Some(EXHAUSTED)), held(MessageStatus::Pending, None)] {
            assert_eq!(decide(now, &lost, &wish("ab12-77")).unwrap_err().code(), "lease_lost");
        }
    }
}
