//! The direct timeline of two participants: all messages between them, about all subjects.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{DirectFilter, Timeline};

use super::store::{self, Pair, PartnerRow};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{MessageId, ParticipantId};
use crate::messaging::messages::Messages;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::store::complete_seen;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// Direct messages between the caller, or one of their agents, and another participant: the
    /// newest, or those around a message. Records which messages have been handed to the caller.
    pub async fn direct_timeline(&self, caller: &Caller, handle: &str, filter: DirectFilter) -> Result<Timeline> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let (window, limit) = filter.window()?;
        let input = (caller.clone(), handle.to_owned(), filter.with, window, limit);
        let (timeline, offer) = self
            .db
            .read(input, |tx, (caller, handle, with, window, limit)| {
                Box::pin(async move {
                    let side = side(tx, caller, with.as_deref()).await?;
                    let pair = Pair::of(side, partner(tx, handle).await?.id);
                    let slice = store::direct(tx, pair, *window, *limit).await?;
                    let offer = Offer::of(caller, &slice.rows);
                    let timeline = Timeline {
                        messages: complete_seen(tx, &Viewer::of(caller), slice.rows).await?,
                        last_read_message_id: store::direct_read(tx, pair, side).await?.filter(|id| *id > MessageId(0)),
                        has_more_before: slice.more_before,
                        has_more_after: slice.more_after,
                    };
                    Ok((timeline, offer))
                })
            })
            .await?;
        offer.store(&self.db).await?;
        Ok(timeline)
    }
}

/// The participant whose side is shown: the caller, or their agent named in `with`.
async fn side(tx: &mut Tx, caller: &Caller, with: Option<&str>) -> Result<ParticipantId> {
    let own = |caller: &Caller| {
        caller.participant().ok_or_else(|| Error::invalid("with", "is missing: name the agent whose messages to list"))
    };
    let Some(with) = with else { return own(caller) };
    let name = with.strip_prefix('@').unwrap_or(with).to_ascii_lowercase();
    let found = match caller.actor() {
        Actor::Root => agents::store::find_any(tx, &name).await?,
        Actor::User(user) => agents::store::find_of(tx, user.id, &name).await?,
        Actor::Agent(agent) if *agent.name == *name => return own(caller),
        Actor::Agent(_) => None,
    };
    let agent = found.ok_or_else(|| Error::invalid("with", "is not one of your agents"))?;
    Ok(ParticipantId(agent.id.0))
}

/// The participant with this handle, deleted ones included.
pub(crate) async fn partner(tx: &mut Tx, handle: &str) -> Result<PartnerRow> {
    let key = handle.strip_prefix('@').unwrap_or(handle).to_ascii_lowercase();
    let missing = || Error::not_found("participant");
    if key.contains('\0') {
        return Err(missing());
    }
    store::partner(tx, &key).await?.ok_or_else(missing)
}
