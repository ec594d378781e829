//! Accepting a bid, at most once per task; every bidder is notified in the same transaction.

use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::Task;

use super::access::{locked, participant, require_poster};
use super::announce::{self, Origin};
use super::lifecycle::{Transition, next, too_late};
use super::service::Tasks;
use super::{notice, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{BidId, TaskId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

struct Request {
    by: Party,
    viewer: Viewer,
    task: TaskId,
    bid: BidId,
}

#[boxed_futures]
impl Tasks {
    /// Accepts a bid for the caller's task. Of several concurrent requests one succeeds, and the
    /// others get the error `task_not_open`.
    pub async fn accept(&self, caller: &Caller, task: TaskId, bid: BidId) -> Result<Task> {
        let key = caller.idempotency("tasks.accept", &(task, bid))?;
        let request = Request { by: participant(caller)?, viewer: Viewer::of(caller), task, bid };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(accept(tx, request))).await?.value)
    }
}

async fn accept(tx: &mut Tx, request: &Request) -> Result<Task> {
    let task = locked(tx, &request.viewer, request.task).await?;
    require_poster(&request.by, &task)?;
    let status = next(task.status, Transition::Accepted)?;
    if task.deadline.is_some_and(|deadline| deadline <= tx.now()) {
        return Err(too_late());
    }
    let bids = store::bids(tx, task.id).await?;
    let chosen = bids.iter().find(|bid| bid.id == request.bid).ok_or_else(|| Error::not_found("bid"))?;
    if chosen.gone_at.is_some() {
        return Err(Error::conflict("bidder_gone", "The bidder has been deleted. Accept another bid."));
    }
    store::decide(tx, task.id, chosen.id).await?;
    store::assign(tx, task.id, status, chosen).await?;
    let task = store::by_id(tx, task.id).await?;
    let mut notices: Vec<_> = bids.iter().map(|bid| notice::decided(&task, bid, chosen.id)).collect();
    if request.by.id != task.poster_id {
        notices.push(notice::assigned(&task, chosen, &request.by.handle));
    }
    notice::send(tx, notices).await?;
    announce::record(tx, EventBody::TaskAssigned, &task, Origin { by: Some(&request.by), bid: Some(chosen.id) })
        .await?;
    Ok(task.into())
}
