//! Accepting a bid: once, and every bidder is told in the same transaction.

use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::Task;

use super::access::{held, participant, require_poster};
use super::announce::{self, Deed};
use super::lifecycle::{Transition, next, too_late};
use super::service::Tasks;
use super::{notice, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{BidId, TaskId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

struct Wish {
    by: Party,
    viewer: Viewer,
    task: TaskId,
    bid: BidId,
}

#[boxed_futures]
impl Tasks {
    /// Gives the caller's task to one of those who bid for it. Of several at once one succeeds, and the
    /// others are refused with `task_not_open`.
    pub async fn accept(&self, caller: &Caller, task: TaskId, bid: BidId) -> Result<Task> {
        let wish = Wish { by: participant(caller)?, viewer: Viewer::of(caller), task, bid };
        self.db.write_by(caller, wish, |tx, wish| Box::pin(accept(tx, wish))).await
    }
}

async fn accept(tx: &mut Tx, wish: &Wish) -> Result<Task> {
    let task = held(tx, &wish.viewer, wish.task).await?;
    require_poster(&wish.by, &task)?;
    let status = next(task.status, Transition::Accepted)?;
    if task.deadline.is_some_and(|deadline| deadline <= tx.now()) {
        return Err(too_late());
    }
    let bids = store::bids(tx, task.id).await?;
    let chosen = bids.iter().find(|bid| bid.id == wish.bid).ok_or_else(|| Error::not_found("bid"))?;
    if chosen.gone_at.is_some() {
        return Err(Error::conflict("bidder_gone", "Whoever made this bid has been deleted: accept another one."));
    }
    store::decide(tx, task.id, chosen.id).await?;
    store::assign(tx, task.id, status, chosen).await?;
    let task = store::by_id(tx, task.id).await?;
    let mut notices: Vec<_> = bids.iter().map(|bid| notice::decided(&task, bid, chosen.id)).collect();
    if wish.by.id != task.poster_id {
        notices.push(notice::assigned(&task, chosen, &wish.by.handle));
    }
    notice::send(tx, notices).await?;
    announce::tell(tx, EventBody::TaskAssigned, &task, Deed { by: Some(&wish.by), bid: Some(chosen.id) }).await?;
    Ok(task.into())
}
