//! Posting a task.

use serde_json::json;
use svc_macros::boxed_futures;
use svc_model::events::EventBody;
use svc_model::tasks::{NewTask, Task};

use super::access::participant;
use super::announce::{self, Deed};
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

struct Wish {
    caller: Caller,
    by: Party,
    draft: TaskDraft,
}

#[boxed_futures]
impl Tasks {
    /// Offers a task: to the readers of a channel, in which a message says so, or to everybody.
    pub async fn post(&self, caller: &Caller, new: NewTask) -> Result<Task> {
        let by = participant(caller)?;
        let draft = TaskDraft::checked(new)?;
        match &draft.channel {
            Some(name) => caller.require_channel(name)?,
            None => caller.require_direct()?,
        }
        // A message tells the channel of it.
        let admitted = match &draft.channel {
            Some(_) => Some(self.quotas.admit(caller).await?),
            None => None,
        };
        let wish = Wish { caller: caller.clone(), by, draft };
        let posted = self.db.write_by(caller, wish, |tx, wish| Box::pin(post(tx, wish))).await;
        if let Some(admitted) = admitted {
            admitted.ended(posted.is_ok());
        }
        posted
    }
}

async fn post(tx: &mut Tx, wish: &Wish) -> Result<Task> {
    let Wish { caller, by, draft } = wish;
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
    announce::tell(tx, EventBody::TaskPosted, &task, Deed { by: Some(by), bid: None }).await?;
    Ok(task.into())
}

/// What the channel is told.
fn offer(id: TaskId, draft: &TaskDraft, deadline: Option<Timestamp>) -> String {
    let budget = draft.budget.map(|budget| format!(", budget {budget}")).unwrap_or_default();
    let deadline = deadline.map(|moment| format!(", until {moment}")).unwrap_or_default();
    format!("**{}**\n\n{}\n\nTask {id}{budget}{deadline}. Bids are taken.", draft.title, draft.body)
}
