//! Creating a goal with its channel.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{Autonomy, Goal, GoalStatus, NewGoal, TimelineKind, slug_of};

use super::channel;
use super::record::{About, changed, reread};
use super::service::{Goals, Scope};
use super::store::{self, GoalRow, NewEntry};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{AgentId, GoalId, UserId};
use crate::limits;
use crate::messaging::channels;
use crate::store::db::Tx;

/// Number of slugs that are tried for a title.
const SLUGS: u32 = 100;

#[boxed_futures]
impl Goals {
    /// Creates a goal with its private channel. It is a draft until a task tree is proposed.
    pub async fn create(&self, caller: &Caller, new: NewGoal) -> Result<Goal> {
        let scope = Scope::of(caller, Permission::Write)?;
        let new = new.checked()?;
        let once = caller.idempotency("goals.create", &new)?;
        let input = (caller.clone(), scope, new);
        let created =
            self.db.write_once(once, input, |tx, (caller, scope, new)| Box::pin(create(tx, caller, scope, new)));
        Ok(created.await?.value)
    }
}

async fn create(tx: &mut Tx, caller: &Caller, scope: &Scope, new: &NewGoal) -> Result<Goal> {
    let owner = scope.owner.ok_or_else(|| {
        Error::invalid("owner", "is missing: a goal belongs to a human, who creates it or whose agent does")
    })?;
    if new.autonomy == Some(Autonomy::Autonomous) {
        require_autonomous(tx, caller).await?;
    }
    if store::count_open(tx, owner).await? >= limits::GOALS_OPEN_MAX {
        let message = format!("An owner can have {} open goals: complete or cancel one first.", limits::GOALS_OPEN_MAX);
        return Err(Error::conflict("too_many_goals", message));
    }
    let coordinator = match (&new.coordinator, caller.actor()) {
        (Some(name), _) => Some(own_agent(tx, owner, "coordinator", name).await?),
        (None, Actor::Agent(agent)) => Some(agent.id),
        (None, _) => None,
    };
    let id = insert(tx, owner, coordinator, new).await?;
    let goal = reread(tx, id).await?;
    channel::follow(tx, &goal).await?;
    let entry = NewEntry { by: scope.by, to: Some(GoalStatus::Draft.as_str()), ..NewEntry::default() };
    store::insert_entry(tx, id, TimelineKind::Goal, &entry).await?;
    changed(tx, scope, &goal, About { is_move: true, ..About::default() }).await?;
    Ok(goal.shown())
}

/// Stores a goal under the slug that is asked for, or under the first free one of its title, with its channel.
async fn insert(tx: &mut Tx, owner: UserId, coordinator: Option<AgentId>, new: &NewGoal) -> Result<GoalId> {
    let base = new.slug.clone().unwrap_or_else(|| slug_of(&new.title));
    let tries = if new.slug.is_some() { 1 } else { SLUGS };
    for number in 1..=tries {
        let slug = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let topic: String = new.title.chars().take(limits::TOPIC_MAX).collect();
        let Some(channel) = channels::create_managed(tx, &channel::name(&slug), &topic, owner).await? else { continue };
        let taken = || Error::internal("the slug of a goal is taken, but not the name of its channel");
        let id = store::insert(tx, owner, &slug, coordinator, new).await?.ok_or_else(taken)?;
        store::set_channel(tx, id, channel).await?;
        return Ok(id);
    }
    let message = "A goal or a channel of this name exists or existed: choose another slug.";
    Err(Error::conflict("slug_taken", message).with_detail("slug", base))
}

/// Fails for an agent that is supervised itself.
pub(super) async fn require_autonomous(tx: &mut Tx, caller: &Caller) -> Result<()> {
    let Actor::Agent(agent) = caller.actor() else { return Ok(()) };
    match store::spawned(tx, agent.id).await? {
        Some((_, Autonomy::Supervised)) => {
            Err(Error::invalid("autonomy", "must be supervised: this agent is supervised itself"))
        }
        Some((_, Autonomy::Autonomous)) | None => Ok(()),
    }
}

/// An agent of the owner by its name; the field is named in the error.
pub(super) async fn own_agent(tx: &mut Tx, owner: UserId, field: &str, name: &str) -> Result<AgentId> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let found = agents::store::find_of(tx, owner, name).await?;
    found.map(|agent| agent.id).ok_or_else(|| Error::invalid(field, "is not an agent of the owner of this goal"))
}

/// The goal, which must not have ended.
pub(super) fn require_open(goal: &GoalRow) -> Result<()> {
    if !goal.status.is_final() {
        return Ok(());
    }
    Err(Error::conflict("goal_ended", format!("This goal is {}: it cannot change any more.", goal.status)))
}
