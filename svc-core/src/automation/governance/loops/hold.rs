//! Holding and lifting loops.

use svc_model::auth::Permission;
use svc_model::governance::{Loop, LoopFilter};

use crate::automation::governance::notice;
use crate::automation::governance::store::{self, LoopScope, NewLoop, Pair};
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::{AgentId, ConversationId, LoopId, ParticipantId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Until when a message of one participant must not start anything at an agent, neither a run nor a delivery; none when
/// it may.
pub(crate) async fn held_until(
    tx: &mut Tx,
    from: ParticipantId,
    to: AgentId,
    conversation: ConversationId,
) -> Result<Option<Timestamp>> {
    let from = AgentId(from.0);
    if from == to {
        return Ok(None);
    }
    let between = store::held_until(tx, Pair::of(from, to), conversation).await?;
    Ok(between.max(store::held_until(tx, Pair::alone(from), conversation).await?))
}

/// Holds a loop and tells the owners, unless it is held already.
pub(in crate::automation::governance) async fn hold(tx: &mut Tx, new: &NewLoop) -> Result<bool> {
    let Some(id) = store::insert_loop(tx, new).await? else { return Ok(false) };
    let held = store::concerned(tx, id).await?;
    notice::record_loop(tx, &held, true, None).await?;
    notice::loop_held(tx, &held).await?;
    Ok(true)
}

/// Lifts the loops of an agent that is being deleted.
pub(crate) async fn lift_all_of(tx: &mut Tx, agent: AgentId) -> Result<()> {
    store::lift_of_agent(tx, agent).await
}

/// The loops that a caller can access: an agent its own, a human those of their agents, the admin socket all. They
/// tell of direct messages, so a key that is limited to channels sees none.
pub(in crate::automation::governance) fn scope(caller: &Caller) -> Result<LoopScope> {
    caller.require(Permission::Read)?;
    caller.require_direct()?;
    Ok(match caller.actor() {
        Actor::Root => LoopScope::All,
        Actor::User(user) => LoopScope::Owner(user.id),
        Actor::Agent(agent) => LoopScope::Agent(agent.id),
    })
}

pub(in crate::automation::governance) async fn list(
    tx: &mut Tx,
    scope: LoopScope,
    filter: LoopFilter,
) -> Result<Vec<Loop>> {
    store::loops(tx, scope, filter.held, None).await
}

/// Lifts a loop. One that was lifted before stays as it is.
pub(in crate::automation::governance) async fn lift(
    tx: &mut Tx,
    caller: &Caller,
    scope: LoopScope,
    id: LoopId,
) -> Result<Loop> {
    find(tx, scope, id).await?;
    if store::lift(tx, id, caller.participant()).await? {
        let lifted = store::concerned(tx, id).await?;
        notice::record_loop(tx, &lifted, false, Some(caller)).await?;
    }
    find(tx, scope, id).await
}

async fn find(tx: &mut Tx, scope: LoopScope, id: LoopId) -> Result<Loop> {
    store::loops(tx, scope, None, Some(id)).await?.pop().ok_or_else(|| Error::not_found("loop"))
}
