//! Scheduling a message.

use svc_macros::boxed_futures;
use svc_model::scheduled::{NewScheduledMessage, ScheduledMessage, ScheduledStatus};

use super::service::{Scheduled, author, record};
use super::store::{self, NewRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::identity::users;
use crate::ids::UserId;
use crate::limits;
use crate::messaging::messages::{self, Party};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

struct Request {
    caller: Caller,
    by: Party,
    owner: UserId,
    new: NewScheduledMessage,
}

#[boxed_futures]
impl Scheduled {
    /// Schedules a message of text. What can be checked now is checked; the rest when it is sent.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use std::time::Duration;
    ///
    /// use svc_core::prelude::*;
    /// use svc_core::scheduled::NewScheduledMessage;
    ///
    /// let monday = hub.clock().now().plus(Duration::from_hours(60));
    /// let report = NewMessage::in_channel("general", "The report is due today.");
    /// let waiting = hub.scheduled().create(&ann, NewScheduledMessage::at(monday, report)).await?;
    /// hub.scheduled().delete(&ann, waiting.id).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewScheduledMessage) -> Result<ScheduledMessage> {
        let key = caller.idempotency("scheduled.create", &new)?;
        let (by, owner) = author(caller)?;
        let request = Request { caller: caller.clone(), by, owner, new };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(create(tx, request))).await?.value)
    }
}

async fn create(tx: &mut Tx, request: &Request) -> Result<ScheduledMessage> {
    let Request { caller, by, owner, new } = request;
    check_time(tx.now(), new.send_at)?;
    // The name is stored as it is written by its owner, without a sign before it.
    let target = messages::check_later(tx, caller, new.message()).await?;
    users::store::hold(tx, *owner).await?;
    require_room(tx, *owner).await?;
    let row = NewRow {
        author: by.id,
        owner: *owner,
        credential: caller.credential(),
        recipient: new.to.is_some().then_some(target.as_str()),
        channel: new.channel.is_some().then_some(target.as_str()),
        // Its cause may be finished when it is sent.
        depth: messages::depth_of_cause(tx, by, caller.depth()).await?,
        new,
    };
    let id = store::insert(tx, &row).await?;
    let row = store::by_id(tx, id).await?.ok_or_else(|| Error::internal("the scheduled message was not found"))?;
    record(tx, &row, Some(ScheduledStatus::Waiting)).await?;
    Ok(row.into())
}

/// Fails unless a message may be scheduled for this time.
pub(super) fn check_time(now: Timestamp, at: Timestamp) -> Result<()> {
    if at < now.plus(limits::SCHEDULE_MIN) {
        return Err(Error::invalid("send_at", "must be at least one minute from now"));
    }
    if at > now.plus(limits::SCHEDULE_MAX) {
        let days = limits::SCHEDULE_MAX.as_secs() / (24 * 60 * 60);
        return Err(Error::invalid("send_at", format!("must be at most {days} days from now")));
    }
    Ok(())
}

/// Fails unless one more message of the owner may wait; the account is locked.
pub(super) async fn require_room(tx: &mut Tx, owner: UserId) -> Result<()> {
    if store::count_waiting(tx, owner).await? < limits::SCHEDULED_MAX {
        return Ok(());
    }
    let message = format!(
        "You and your agents have {} messages that wait to be sent, which is the maximum. Send or delete some first.",
        limits::SCHEDULED_MAX
    );
    Err(Error::conflict("too_many_scheduled", message))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_is_a_minute_to_a_year_ahead() {
        let now = Timestamp::from_micros(1_767_225_600_000_000);
        for ahead in [limits::SCHEDULE_MIN, Duration::from_hours(5), limits::SCHEDULE_MAX] {
            assert!(check_time(now, now.plus(ahead)).is_ok(), "{ahead:?}");
        }
        let (early, late) = (Duration::from_secs(59), limits::SCHEDULE_MAX + Duration::from_micros(1));
        for at in [now.minus(early), now, now.plus(early), now.plus(late)] {
            assert_eq!(check_time(now, at).unwrap_err().fields()[0].field, "send_at", "{at}");
        }
    }
}
