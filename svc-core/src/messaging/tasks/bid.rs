//! Bidding for a task.

use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::{Bid, NewBid};

use super::access::{locked, participant};
use super::announce::{self, Origin};
use super::draft::BidDraft;
use super::lifecycle::{Transition, next, too_late};
use super::notice;
use super::service::Tasks;
use super::store::{self, BidRow, TaskRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::TaskId;
use crate::limits;
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

struct Request {
    by: Party,
    viewer: Viewer,
    task: TaskId,
    draft: BidDraft,
}

#[boxed_futures]
impl Tasks {
    /// Bids for an open task of another participant. A later bid replaces an earlier one, under a
    /// new id; repeating the same bid changes nothing.
    pub async fn bid(&self, caller: &Caller, task: TaskId, new: NewBid) -> Result<Bid> {
        let key = caller.idempotency("tasks.bid", &(task, &new))?;
        let (by, draft) = (participant(caller)?, BidDraft::checked(new)?);
        let request = Request { by, viewer: Viewer::of(caller), task, draft };
        Ok(self.db.write_once(key, request, |tx, request| Box::pin(bid(tx, request))).await?.value)
    }
}

async fn bid(tx: &mut Tx, request: &Request) -> Result<Bid> {
    let task = locked(tx, &request.viewer, request.task).await?;
    check(tx, request, &task)?;
    let earlier = store::bids(tx, task.id).await?.into_iter().find(|bid| bid.bidder_id == request.by.id);
    if let Some(bid) = earlier.as_ref().filter(|bid| is_the_same(bid, &request.draft)) {
        return Ok(bid.clone().into());
    }
    let count = match &earlier {
        Some(bid) => {
            store::delete_bid(tx, bid.id).await?;
            task.bid_count
        }
        None if task.bid_count >= limits::TASK_BIDS_MAX => return Err(too_many()),
        None => task.bid_count + 1,
    };
    let id = store::insert_bid(tx, task.id, &request.by, &request.draft).await?;
    store::set_bid_count(tx, task.id, count).await?;
    let made = store::bids(tx, task.id).await?.into_iter().find(|bid| bid.id == id);
    let made = made.ok_or_else(|| Error::internal("the inserted bid was not found"))?;
    notice::send(tx, vec![notice::bid(&task, &made, earlier.is_some())]).await?;
    announce::record(tx, EventBody::TaskBid, &task, Origin { by: Some(&request.by), bid: Some(id) }).await?;
    Ok(made.into())
}

fn check(tx: &Tx, request: &Request, task: &TaskRow) -> Result<()> {
    if task.poster_id == request.by.id {
        let message = "You cannot bid for a task that you posted.";
        return Err(Error::new(ErrorKind::Forbidden, "own_task", message));
    }
    next(task.status, Transition::Bid)?;
    if task.deadline.is_some_and(|deadline| deadline <= tx.now()) {
        return Err(too_late());
    }
    if task.archived_at.is_some() {
        return Err(Error::conflict(
            "channel_archived",
            "The channel of this task is archived: bids are no longer accepted.",
        ));
    }
    Ok(())
}

fn is_the_same(bid: &BidRow, draft: &BidDraft) -> bool {
    bid.amount == draft.amount && bid.note == draft.note
}

fn too_many() -> Error {
    let message = format!("This task already has {} bids, which is the maximum.", limits::TASK_BIDS_MAX);
    Error::conflict("too_many_bids", message)
}
