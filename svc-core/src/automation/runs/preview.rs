//! The prompt that a run would get, without a run: nothing is claimed or recorded.

use svc_macros::boxed_futures;
use svc_model::messages::Message;
use svc_model::runs::{NewRun, RunPreview};

use super::job::{self, PromptSource};
use super::service::Runs;
use super::{gate, store};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::messages::work::{self, Trigger};
use crate::store::db::Tx;

#[boxed_futures]
impl Runs {
    /// The prompt that [`Runs::start`] would give to one of the caller's agents now. Checks that would refuse the run
    /// are not made.
    pub async fn preview(&self, caller: &Caller, agent: &str, new: NewRun) -> Result<RunPreview> {
        caller.require_manager()?;
        let new = new.checked()?;
        let input = (caller.clone(), agent.to_owned(), new);
        let source = self.db.read(input, |tx, (caller, agent, new)| Box::pin(source(tx, caller, agent, new))).await?;
        if source.agent.harness.as_object().is_none_or(serde_json::Map::is_empty) {
            let message = "This agent has no harness: say how the hub runs it first.";
            return Err(Error::conflict("harness_missing", message));
        }
        let settings = job::settings(&source.agent.harness)?;
        let (prompt, _) = self.prompt(&source, &settings).await?;
        Ok(RunPreview { prompt, message_count: u32::try_from(source.messages.len()).unwrap_or(u32::MAX) })
    }
}

async fn source(tx: &mut Tx, caller: &Caller, name: &str, new: &NewRun) -> Result<PromptSource> {
    let missing = || Error::not_found("agent");
    let agent = agents::store::find(tx, agents::reach(caller), name).await?.ok_or_else(missing)?;
    let row = store::agent(tx, agent.id).await?.ok_or_else(missing)?;
    let viewer = Viewer::agent(agent.id);
    let ids = work::all_waiting(tx, agent.id, row.max_trigger_depth, limits::RUN_MESSAGES).await?;
    let trigger = match work::waiting(tx, agent.id, row.max_trigger_depth).await? {
        Some(waiting) => work::trigger(tx, waiting).await?,
        None => None,
    };
    // The trigger comes first, even before messages of the system that are more urgent.
    let first = trigger.as_ref().map(|trigger| trigger.id);
    let others = ids.into_iter().filter(|id| Some(*id) != first);
    let ids: Vec<_> = first.into_iter().chain(others).take(limits::RUN_MESSAGES as usize).collect();
    let messages = read(tx, &viewer, &ids).await?.into_iter().map(|message| (message, None)).collect();
    let begun_today = gate::runs_today(tx, &row).await?;
    Ok(PromptSource {
        owner_id: row.owner_id,
        run: None,
        messages,
        thread: thread(tx, &viewer, trigger.as_ref()).await?,
        request: new.prompt.clone(),
        // The run itself counts.
        runs_left: row.daily_run_budget.saturating_sub(begun_today).saturating_sub(1),
        agent,
    })
}

/// Messages as their recipient sees them, in this order.
pub(super) async fn read(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<Message>> {
    let rows = messages::store::by_ids(tx, ids).await?;
    let mut found = messages::store::complete_seen(tx, viewer, rows).await?;
    found.sort_by_key(|message| ids.iter().position(|id| *id == message.id));
    Ok(found)
}

/// The messages before a trigger in its thread, oldest first.
pub(super) async fn thread(tx: &mut Tx, viewer: &Viewer, trigger: Option<&Trigger>) -> Result<Vec<Message>> {
    match trigger {
        Some(trigger) => work::thread_before(tx, viewer, trigger.mention_of.unwrap_or(trigger.id)).await,
        None => Ok(Vec::new()),
    }
}
