//! Agents that agents propose for a goal, and that a human approves.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::agents::{Agent, AgentSettings, NewAgent, TriggerMode};
use svc_model::auth::Permission;
use svc_model::goals::{DecisionNote, NewProposal, Proposal, ProposalStatus, TimelineKind};
use svc_model::governance::{Budget, Period, micros_of, usd_of};

use super::create::require_open;
use super::notice::{self, Waits};
use super::record::{self, About};
use super::service::{Goals, Scope, agent, held};
use super::store::{self, GoalRow, NewEntry, ProposalRow};
use crate::column::Json;
use crate::error::{Error, Result};
use crate::identity::auth::{AgentActor, Caller, Token, TokenKind};
use crate::identity::{agents, participants};
use crate::ids::GoalId;
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl Goals {
    /// Proposes an agent for a goal. It exists only after a human approved it, and is no wider than the proposer: in its
    /// tools, its budget and its autonomy.
    pub async fn propose_agent(&self, caller: &Caller, id: GoalId, new: NewProposal) -> Result<Proposal> {
        let scope = Scope::of(caller, Permission::Write)?;
        let proposer = agent(caller)?.clone();
        let new = new.checked()?;
        let once = caller.idempotency("goals.propose_agent", &(id, &new))?;
        let input = (scope, proposer, id, new);
        let proposed = self.db.write_once(once, input, |tx, (scope, proposer, id, new)| {
            Box::pin(propose(tx, scope, proposer, *id, new.clone()))
        });
        Ok(proposed.await?.value)
    }

    /// Approves a proposed agent, which exists from then on. Requires the owner of the goal. Nobody gets its key: its
    /// runs act with credentials of their own.
    pub async fn approve_agent(&self, caller: &Caller, id: GoalId, number: i64) -> Result<Proposal> {
        caller.require_lasting()?;
        let scope = Scope::of_manager(caller)?;
        let token = Token::mint(TokenKind::AgentKey, self.entropy.as_ref());
        let work = Arc::new((caller.clone(), token));
        self.db
            .write((scope, id, number), move |tx, (scope, id, number)| {
                let work = work.clone();
                Box::pin(async move { approve(tx, &work.0, &work.1, scope, *id, *number).await })
            })
            .await
    }

    /// Rejects a proposed agent. Requires the owner of the goal.
    pub async fn reject_agent(&self, caller: &Caller, id: GoalId, number: i64, note: DecisionNote) -> Result<Proposal> {
        let scope = Scope::of_manager(caller)?;
        let note = note.checked()?;
        self.db
            .write((scope, id, number, note), |tx, (scope, id, number, note)| {
                Box::pin(reject(tx, scope, *id, *number, note.reason.as_deref()))
            })
            .await
    }
}

async fn propose(
    tx: &mut Tx,
    scope: &Scope,
    proposer: &AgentActor,
    id: GoalId,
    mut new: NewProposal,
) -> Result<Proposal> {
    let goal = held(tx, scope, id).await?;
    require_open(&goal)?;
    let standing = store::proposals(tx, id).await?;
    require_room(&standing, &new)?;
    if participants::is_taken(tx, &new.name).await? {
        return Err(participants::handle_taken());
    }
    let depth = within(tx, &goal, proposer, &mut new).await?;
    let number = standing.first().map_or(0, |last| last.number) + 1;
    store::insert_proposal(tx, &goal, number, proposer.id, depth, &new).await?;
    noted(tx, scope, &goal, number, &new.name, None, ProposalStatus::Proposed, Some(&new.purpose)).await?;
    let words =
        format!("@{} proposes the agent {}. Approve or reject it on the page of the goal.", proposer.name, new.name);
    let statement = notice::about(&goal, &words).quote_block(&proposer.name, &new.purpose);
    notice::owner_decides(tx, &goal, Waits::Proposal(number), &statement).await?;
    shown(tx, id, number).await
}

/// Fails when a goal has too many proposals, or one of this name that is not decided.
fn require_room(standing: &[ProposalRow], new: &NewProposal) -> Result<()> {
    let open = || standing.iter().filter(|proposal| proposal.status == ProposalStatus::Proposed);
    if open().any(|proposal| proposal.name == new.name) {
        let message = "An agent of this name is proposed already and waits for the owner.";
        return Err(Error::conflict("already_proposed", message));
    }
    let is_full = |count: usize, most: i64| i64::try_from(count).is_ok_and(|count| count >= most);
    if is_full(open().count(), limits::PROPOSALS_OPEN_MAX) || is_full(standing.len(), limits::PROPOSALS_MAX) {
        let message = format!(
            "A goal has at most {} proposals, and {} that wait for its owner.",
            limits::PROPOSALS_MAX,
            limits::PROPOSALS_OPEN_MAX
        );
        return Err(Error::conflict("too_many_proposals", message));
    }
    Ok(())
}

/// Checks that a proposal is no wider than its proposer. Returns the depth of the agent.
async fn within(tx: &mut Tx, goal: &GoalRow, proposer: &AgentActor, new: &mut NewProposal) -> Result<u32> {
    let own = agents::store::find_any(tx, &proposer.name).await?.ok_or_else(|| Error::not_found("agent"))?;
    let spawned = store::spawned(tx, proposer.id).await?;
    let depth = spawned.map_or(0, |(depth, _)| depth) + 1;
    if depth > goal.max_spawn_depth {
        let message =
            format!("This goal allows a depth of {}, and the agent would have {depth}.", goal.max_spawn_depth);
        return Err(Error::conflict("spawn_depth_exceeded", message));
    }
    let autonomy = spawned.map_or(goal.autonomy, |(_, autonomy)| autonomy);
    if new.autonomy.unwrap_or_default() > autonomy {
        return Err(Error::invalid("autonomy", "must be supervised, as its proposer and this goal are"));
    }
    if let Some(allowed) = store::tools_of(tx, proposer.id).await? {
        let tools = new.tools.get_or_insert_with(|| allowed.clone());
        if let Some(index) = tools.iter().position(|tool| !allowed.contains(tool)) {
            return Err(Error::invalid(format!("tools[{index}]"), "is not a tool of its proposer"));
        }
    }
    require_budget(goal, &own, new)?;
    Ok(depth)
}

/// Checks the budget of a proposal. Without one it is what the goal has left, unless the proposer has a limit of its own.
fn require_budget(goal: &GoalRow, proposer: &Agent, new: &mut NewProposal) -> Result<()> {
    let own = proposer.budget.and_then(|budget| budget.usd).map(micros_of);
    let left = goal.budget_usd.map(|budget| (budget - goal.spent_usd).max(0));
    let Some(most) = own.into_iter().chain(left).min() else { return Ok(()) };
    if own.is_none() {
        new.budget_usd.get_or_insert(usd_of(most));
    }
    if new.budget_usd.is_some_and(|usd| micros_of(usd) <= most) {
        return Ok(());
    }
    let message = format!("must be 0 to {}: what its proposer may spend and what the goal has left", usd_of(most));
    Err(Error::invalid("budget_usd", message))
}

async fn approve(
    tx: &mut Tx,
    caller: &Caller,
    token: &Token,
    scope: &Scope,
    id: GoalId,
    number: i64,
) -> Result<Proposal> {
    let (goal, proposal) = undecided(tx, scope, id, number, ProposalStatus::Approved).await?;
    let proposer = agents::store::find_any(tx, &proposal.proposer).await?;
    let new = NewAgent {
        name: proposal.name.parse()?,
        owner: scope.owner.is_none().then(|| goal.owner.parse()).transpose()?,
        settings: settings(&proposal, proposer.as_ref()).checked()?,
    };
    let created = agents::create_in(tx, caller, &new, token).await?;
    store::set_tools(tx, created.agent.id, proposal.tools.clone().map(|Json(tools)| tools)).await?;
    store::decide(tx, id, number, scope.by, Ok(created.agent.id)).await?;
    let from = Some(ProposalStatus::Proposed);
    noted(tx, scope, &goal, number, &proposal.name, from, ProposalStatus::Approved, None).await?;
    tell_proposer(tx, &goal, &proposal, proposer.as_ref(), "was approved, and exists now.", None).await?;
    shown(tx, id, number).await
}

/// The settings of an approved agent: it runs as its proposer does.
fn settings(proposal: &ProposalRow, proposer: Option<&Agent>) -> AgentSettings {
    let harness = proposer
        .map(|agent| agent.harness.clone())
        .filter(|harness| harness.as_object().is_some_and(|map| !map.is_empty()));
    let usd = proposal.budget_usd.map(usd_of);
    AgentSettings {
        trigger_mode: harness.is_some().then_some(TriggerMode::Reactive),
        cooldown_seconds: proposer.map(|agent| agent.cooldown_seconds),
        daily_run_budget: proposer.map(|agent| agent.daily_run_budget),
        max_trigger_depth: proposer.map(|agent| agent.max_trigger_depth),
        k8s_image: proposer.and_then(|agent| agent.k8s_image.clone()),
        harness,
        agent_md: Some(proposal.instructions.clone()),
        budget: usd.map(|usd| Budget { usd: Some(usd), period: Period::Total, ..Budget::default() }),
        ..AgentSettings::default()
    }
}

async fn reject(tx: &mut Tx, scope: &Scope, id: GoalId, number: i64, reason: Option<&str>) -> Result<Proposal> {
    let (goal, proposal) = undecided(tx, scope, id, number, ProposalStatus::Rejected).await?;
    store::decide(tx, id, number, scope.by, Err(reason)).await?;
    let from = Some(ProposalStatus::Proposed);
    noted(tx, scope, &goal, number, &proposal.name, from, ProposalStatus::Rejected, reason).await?;
    let proposer = agents::store::find_any(tx, &proposal.proposer).await?;
    tell_proposer(tx, &goal, &proposal, proposer.as_ref(), "was rejected.", reason).await?;
    shown(tx, id, number).await
}

/// A proposal that waits for a decision, with its goal, which is locked.
async fn undecided(
    tx: &mut Tx,
    scope: &Scope,
    id: GoalId,
    number: i64,
    to: ProposalStatus,
) -> Result<(GoalRow, ProposalRow)> {
    let goal = held(tx, scope, id).await?;
    let found = store::proposals(tx, id).await?.into_iter().find(|proposal| proposal.number == number);
    let proposal = found.ok_or_else(|| Error::not_found("proposal"))?;
    if proposal.status != ProposalStatus::Proposed {
        let message = format!("This proposal is {}: it cannot become {to}.", proposal.status);
        return Err(Error::conflict("illegal_transition", message));
    }
    require_open(&goal)?;
    Ok((goal, proposal))
}

async fn tell_proposer(
    tx: &mut Tx,
    goal: &GoalRow,
    proposal: &ProposalRow,
    proposer: Option<&Agent>,
    words: &str,
    reason: Option<&str>,
) -> Result<()> {
    let Some(proposer) = proposer else { return Ok(()) };
    let statement = notice::about(goal, &format!("the agent {} that you proposed {words}", proposal.name));
    let statement = statement.quote_block(&goal.owner, reason.unwrap_or_default());
    notice::agent(tx, goal, None, proposer.id, &statement).await
}

/// Records a move of a proposal in the timeline and in the log.
#[expect(clippy::too_many_arguments, reason = "each is one column of the entry")]
async fn noted(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    number: i64,
    name: &str,
    from: Option<ProposalStatus>,
    to: ProposalStatus,
    text: Option<&str>,
) -> Result<()> {
    let entry = NewEntry {
        by: scope.by,
        subject: Some(name),
        from: from.map(ProposalStatus::as_str),
        to: Some(to.as_str()),
        text,
        ..NewEntry::default()
    };
    store::insert_entry(tx, goal.id, TimelineKind::Proposal, &entry).await?;
    store::touch(tx, goal.id).await?;
    record::changed(tx, scope, goal, About { proposal: Some(number), ..About::default() }).await
}

async fn shown(tx: &mut Tx, id: GoalId, number: i64) -> Result<Proposal> {
    let found = store::proposals(tx, id).await?.into_iter().find(|proposal| proposal.number == number);
    found.map(ProposalRow::shown).ok_or_else(|| Error::not_found("proposal"))
}
