//! Posting a task.

use serde_json::json;
use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::{NewTask, Task};

use super::access::participant;
use super::announce::{self, Origin};
use super::draft::TaskDraft;
use super::service::Tasks;
use super::store;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::TaskId;
use crate::messaging::channels;
use crate::messaging::messages::{self, Party};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

struct Request {
    caller: Caller,
    by: Party,
    draft: TaskDraft,
}

#[boxed_futures]
impl Tasks {
    /// Posts a task: in a channel, announced by a message, or to everybody.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller, scout: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let new = NewTask {
    ///     title: "Translate the manual".into(),
    ///     body: "Into French, by the glossary. A native speaker will read it.".into(),
    ///     deadline: Some("3d".into()),
    ///     ..NewTask::default()
    /// };
    /// let task = hub.tasks().post(&ann, new).await?;
    /// let bid = hub.tasks().bid(&scout, task.id, NewBid { amount: Some(20.0), ..NewBid::default() }).await?;
    /// hub.tasks().accept(&ann, task.id, bid.id).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn post(&self, caller: &Caller, new: NewTask) -> Result<Task> {
        let key = caller.idempotency("tasks.post", &new)?;
        let by = participant(caller)?;
        let draft = TaskDraft::checked(new)?;
        match &draft.channel {
            Some(name) => caller.require_channel(name)?,
            None => caller.require_direct()?,
        }
        // The message in the channel counts against the quota.
        let admitted = match &draft.channel {
            Some(_) => Some(self.quotas.admit(caller).await?),
            None => None,
        };
        let request = Request { caller: caller.clone(), by, draft };
        let posted = self.db.write_once(key, request, |tx, request| Box::pin(post(tx, request))).await;
        if let Some(admitted) = admitted {
            admitted.ended(posted.as_ref().is_ok_and(|posted| !posted.replayed));
        }
        Ok(posted?.value)
    }
}

async fn post(tx: &mut Tx, request: &Request) -> Result<Task> {
    let Request { caller, by, draft } = request;
    let deadline = draft.deadline.map(|deadline| deadline.moment(tx.now())).transpose()?;
    let id = match &draft.channel {
        None => store::insert(tx, by, draft, None, deadline).await?,
        Some(name) => {
            let room = channels::for_posting(tx, caller, by, name).await?;
            let id = store::insert(tx, by, draft, Some(room.id), deadline).await?;
            let metadata = json!({ "auction": { "task_id": id, "kind": "posted" } });
            let message = messages::post_in_channel(tx, caller, by, name, offer(id, draft, deadline), metadata).await?;
            store::set_message(tx, id, message).await?;
            id
        }
    };
    let task = store::by_id(tx, id).await?;
    announce::record(tx, EventBody::TaskPosted, &task, Origin { by: Some(by), bid: None }).await?;
    Ok(task.into())
}

/// The message that announces the task in its channel.
fn offer(id: TaskId, draft: &TaskDraft, deadline: Option<Timestamp>) -> String {
    let budget = draft.budget.map(|budget| format!(", budget {budget}")).unwrap_or_default();
    let deadline = deadline.map(|moment| format!(", until {moment}")).unwrap_or_default();
    format!("**{}**\n\n{}\n\nTask {id}{budget}{deadline}. Bids are taken.", draft.title, draft.body)
}
