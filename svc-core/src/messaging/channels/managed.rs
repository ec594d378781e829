//! Private channels that the hub keeps for something else, such as a goal: their members follow it.

use std::collections::BTreeSet;

use svc_model::participants::{ParticipantKind, SYSTEM_HANDLE};

use super::announce;
use super::membership::{self, ChannelRef, MemberRef};
use super::store::{self, NewRow};
use crate::error::Result;
use crate::ids::{AgentId, ChannelId, ParticipantId, UserId};
use crate::messaging::messages::store as messages;
use crate::store::db::Tx;

/// Creates a private channel of this owner. Returns `None` if the name is taken.
pub(crate) async fn create_managed(tx: &mut Tx, name: &str, topic: &str, owner: UserId) -> Result<Option<ChannelId>> {
    let owner = messages::party_by_id(tx, ParticipantId(owner.0)).await?;
    let row = NewRow { name, description: "", topic, public: false, owner: owner.id };
    let Some(channel) = store::insert(tx, &row).await? else { return Ok(None) };
    announce::created(tx, &channel, SYSTEM_HANDLE).await?;
    membership::join(tx, &channel, &MemberRef::from(&owner)).await?;
    Ok(Some(channel.id))
}

/// Makes these agents members, and ends the memberships of all other agents of the owner. Other members stay, and so
/// does everybody when the channel is archived.
pub(crate) async fn set_agents(tx: &mut Tx, name: &str, owner: UserId, agents: &[AgentId]) -> Result<()> {
    store::hold(tx, name).await?;
    let Some(found) = store::posting_channel(tx, name, ParticipantId(owner.0)).await? else { return Ok(()) };
    if found.archived_at.is_some() {
        return Ok(());
    }
    let channel =
        ChannelRef { id: found.id, conversation: found.conversation_id, name: found.name, public: found.public };
    let wanted: BTreeSet<_> = agents.iter().map(|agent| ParticipantId(agent.0)).collect();
    let present = store::members::agents_of(tx, channel.id, owner).await?;
    for leaver in present.iter().filter(|member| !wanted.contains(&member.id)) {
        membership::leave(tx, &channel, leaver).await?;
    }
    for joiner in wanted {
        if present.iter().any(|member| member.id == joiner) {
            continue;
        }
        let party = messages::party_by_id(tx, joiner).await?;
        if party.kind == ParticipantKind::Agent {
            membership::join(tx, &channel, &MemberRef::from(&party)).await?;
        }
    }
    Ok(())
}
