//! Items that wait for the decision of a human, and the cost of the goals of a human.

use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::ApprovalList;
use svc_model::governance::{Period, RunUsage, UsageGrouping};

use super::charges;
use super::service::{Goals, Scope};
use super::store;
use crate::automation::governance::checked_days;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::limits;

#[boxed_futures]
impl Goals {
    /// Lists what waits for the decision of the calling human: tasks, results, agents and secrets, oldest first.
    pub async fn approvals(&self, caller: &Caller) -> Result<ApprovalList> {
        let scope = Scope::of(caller, Permission::Read)?;
        if matches!(caller.actor(), Actor::Agent(_)) {
            let message = "An agent cannot decide: its owner can, with a login or with a key of their own.";
            return Err(Error::new(ErrorKind::Forbidden, "owner_required", message));
        }
        let Some(owner) = scope.owner else { return Ok(ApprovalList::default()) };
        let mut approvals =
            self.db.read(owner, |tx, owner| Box::pin(store::waiting(tx, *owner, limits::PAGE_MAX))).await?;
        let total = i64::try_from(approvals.len()).unwrap_or(i64::MAX);
        approvals.truncate(limits::PAGE_MAX as usize);
        Ok(ApprovalList { approvals, total })
    }

    /// The cost of the goals of the caller's owner in the last days, today included, largest first.
    pub async fn usage(&self, caller: &Caller, days: Option<i64>) -> Result<RunUsage> {
        let scope = Scope::of(caller, Permission::Read)?;
        let days = checked_days(days)?;
        let Some(owner) = scope.owner else {
            return Err(Error::invalid("by", "needs a user or an agent: the admin socket has no goals"));
        };
        self.db
            .read((owner, days), |tx, (owner, days)| {
                let since = Period::Day.start(tx.now()).minus(Duration::from_hours(24) * (days - 1));
                Box::pin(async move {
                    let groups = charges::usage(tx, *owner, since).await?;
                    Ok(RunUsage { by: UsageGrouping::Goal, since, groups })
                })
            })
            .await
    }
}
