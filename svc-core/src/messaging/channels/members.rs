//! Members of a channel: listing, inviting and removing.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::channels::{Member, MemberPage};
use svc_model::participants::ParticipantKind;

use super::access;
use super::membership::{self, MemberRef};
use super::service::Channels;
use super::store::{self, LockedChannel};
use crate::error::{Error, ErrorKind, FieldError, Result};
use crate::identity::auth::Caller;
use crate::ids::{ChannelId, ParticipantId};
use crate::limits;
use crate::messaging::messages::store as messages;
use crate::messaging::messages::viewer::Viewer;
use crate::page::Page;
use crate::store::db::Tx;
use crate::store::idempotency::Once;

#[boxed_futures]
impl Channels {
    /// The members of a channel that is visible to the caller.
    pub async fn members(&self, caller: &Caller, name: &str, page: Page) -> Result<MemberPage> {
        caller.require(Permission::Read)?;
        let key = access::allowed(caller, name)?;
        self.db
            .read((Viewer::of(caller), key, page), |tx, (viewer, key, page)| {
                Box::pin(async move {
                    let channel = store::get(tx, viewer, key).await?;
                    let members = store::members::list(tx, channel.id, *page).await?;
                    Ok(MemberPage { members, total: channel.member_count })
                })
            })
            .await
    }

    /// Adds several members at once. In a public channel any member may invite, in a private one
    /// only its owner. Either all of them become members or none.
    pub async fn invite(&self, caller: &Caller, name: &str, handles: Vec<String>) -> Result<Vec<Member>> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        if !(1..=limits::INVITE_BATCH_MAX).contains(&handles.len()) {
            return Err(Error::invalid("members", format!("must be 1 to {}", limits::INVITE_BATCH_MAX)));
        }
        let once = caller.idempotency("channels.invite", &(&key, &handles))?;
        self.db
            .write_once(once, (caller.clone(), key, handles), |tx, (caller, key, handles)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    require_inviter(&channel, caller)?;
                    channel.require_open()?;
                    let joiners = resolve(tx, handles).await?;
                    membership::join_all(tx, &channel.channel_ref(), &joiners).await?;
                    let mut invited = Vec::with_capacity(joiners.len());
                    for joiner in &joiners {
                        invited.push(store::members::get(tx, channel.id, joiner.id).await?);
                    }
                    Ok(invited)
                })
            })
            .await
            .map(Once::into_value)
    }

    /// Removes a member. The owner can remove everybody but themselves; others can remove
    /// themselves and their agents. Removing a human also removes all their agents.
    pub async fn remove(&self, caller: &Caller, name: &str, handle: &str) -> Result<()> {
        caller.require(Permission::Write)?;
        let key = access::allowed(caller, name)?;
        self.db
            .write((caller.clone(), key, handle.to_owned()), |tx, (caller, key, handle)| {
                Box::pin(async move {
                    let channel = access::locked(tx, caller, key).await?;
                    let member = find(tx, channel.id, handle).await?;
                    let own = member.as_ref().is_some_and(|member| is_own(caller, member));
                    if !own {
                        channel.require_owner(caller)?;
                    }
                    let member = member.ok_or_else(|| Error::not_found("member"))?;
                    let human = member.human.is_some_and(|human| human.0 == member.id.0);
                    let kind = if human { ParticipantKind::Human } else { ParticipantKind::Agent };
                    end(tx, &channel, member.id, kind).await
                })
            })
            .await
    }
}

/// Whether a member is the caller or one of their agents.
fn is_own(caller: &Caller, member: &MemberRef) -> bool {
    let user = caller.owner().filter(|owner| caller.participant() == Some(ParticipantId(owner.0)));
    caller.participant() == Some(member.id) || (user.is_some() && member.human == user)
}

fn require_inviter(channel: &LockedChannel, caller: &Caller) -> Result<()> {
    if channel.is_owned_by(caller) {
        return Ok(());
    }
    if !channel.public {
        return channel.require_owner(caller);
    }
    if channel.is_member {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Forbidden, "not_a_member", "Only members can invite others. Join the channel first."))
}

/// The participants of these handles, without duplicates; unknown handles are reported by their
/// index.
pub(super) async fn resolve(tx: &mut Tx, handles: &[String]) -> Result<Vec<MemberRef>> {
    let mut joiners: Vec<MemberRef> = Vec::with_capacity(handles.len());
    let mut faults = Vec::new();
    for (index, handle) in handles.iter().enumerate() {
        let found = match handle_key(handle) {
            Some(key) => messages::party(tx, &key).await?.filter(|party| party.kind != ParticipantKind::System),
            None => None,
        };
        match found {
            Some(party) if joiners.iter().any(|joiner| joiner.id == party.id) => {}
            Some(party) => joiners.push(MemberRef::from(&party)),
            None => faults.push(FieldError {
                field: format!("members[{index}]"),
                message: "is not a user or agent of this hub".into(),
            }),
        }
    }
    if faults.is_empty() { Ok(joiners) } else { Err(Error::invalid_fields(faults)) }
}

/// The lookup key of a handle; `None` for an invalid one.
fn handle_key(handle: &str) -> Option<String> {
    let key = handle.strip_prefix('@').unwrap_or(handle).to_ascii_lowercase();
    let sane = limits::HANDLE.contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    sane.then_some(key)
}

/// A member of a channel by its handle.
pub(super) async fn find(tx: &mut Tx, channel: ChannelId, handle: &str) -> Result<Option<MemberRef>> {
    let Some(key) = handle_key(handle) else { return Ok(None) };
    store::members::find(tx, channel, &key).await
}

/// Ends the membership of an agent, or of a human with all their agents. The owner cannot leave.
pub(super) async fn end(
    tx: &mut Tx,
    channel: &LockedChannel,
    participant: ParticipantId,
    kind: ParticipantKind,
) -> Result<()> {
    let human = (kind == ParticipantKind::Human).then_some(participant);
    let leavers = store::members::with_agents_of(tx, channel.id, participant, human).await?;
    if let Some(owner) = leavers.iter().find(|leaver| leaver.id == channel.owner_id) {
        return Err(Error::conflict(
            "owner_cannot_leave",
            "The owner of a channel cannot leave it. Transfer it to another member first.",
        )
        .with_detail("owner", owner.handle.as_str()));
    }
    for leaver in &leavers {
        membership::leave(tx, &channel.channel_ref(), leaver).await?;
    }
    Ok(())
}
