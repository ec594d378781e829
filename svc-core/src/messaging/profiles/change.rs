//! Changing the own profile.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::ParticipantKind;
use svc_model::profiles::{Profile, ProfileChange};

use super::service::{self, Profiles};
use super::store;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::identity::participants;
use crate::ids::ParticipantId;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

#[boxed_futures]
impl Profiles {
    /// Changes the status or the presence of the caller.
    pub async fn update(&self, caller: &Caller, change: ProfileChange) -> Result<Profile> {
        let (id, kind) = own(caller)?;
        if change.presence.is_some() && kind != ParticipantKind::Human {
            return Err(Error::invalid("presence", "is for people: agents are always shown as seen"));
        }
        self.db.write((id, change), |tx, (id, change)| Box::pin(update(tx, *id, change))).await
    }
}

/// The participant whose profile a caller changes.
pub(super) fn own(caller: &Caller) -> Result<(ParticipantId, ParticipantKind)> {
    caller.require(Permission::Write)?;
    caller.require_direct()?;
    let party = Party::of(caller).ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "The admin socket has no profile. Act as a user or as an agent.",
        )
    })?;
    Ok((party.id, party.kind))
}

async fn update(tx: &mut Tx, id: ParticipantId, change: &ProfileChange) -> Result<Profile> {
    let now = tx.now();
    let status = change.status.as_ref().map(|status| status.checked(now)).transpose()?;
    // What stays the same is told to nobody.
    let before = store::by_id(tx, id).await?.ok_or_else(|| Error::not_found("participant"))?;
    let status = status.filter(|status| !before.says(status.as_ref()));
    let presence = change.presence.filter(|presence| before.audience() != *presence);
    if status.is_none() && presence.is_none() {
        return service::of(tx, id, Some(id)).await;
    }
    store::hold(tx, id).await?;
    store::ensure(tx, id).await?;
    if let Some(status) = &status {
        store::set_status(tx, id, status.as_ref()).await?;
    }
    if let Some(presence) = presence {
        store::set_presence(tx, id, presence).await?;
    }
    participants::profile_changed(tx, id).await?;
    service::of(tx, id, Some(id)).await
}
