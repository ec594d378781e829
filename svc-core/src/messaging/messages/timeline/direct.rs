//! The timeline of a pair: everything that two participants wrote to each other, about all subjects.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{DirectFilter, Timeline};

use super::store::{self, Pair};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{MessageId, ParticipantId};
use crate::messaging::messages::Messages;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::sight::Sight;
use crate::messaging::messages::store::complete_seen;
use crate::store::db::Tx;

#[boxed_futures]
impl Messages {
    /// Direct messages between the caller, or one of their agents, and somebody: the newest, or those at a
    /// message. It notes what has been handed to the caller.
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
                    let part = store::direct(tx, pair, *window, *limit).await?;
                    let offer = Offer::of(caller, &part.rows);
                    let timeline = Timeline {
                        messages: complete_seen(tx, &Sight::of(caller), part.rows).await?,
                        last_read_message_id: store::direct_read(tx, pair, side).await?.filter(|id| *id > MessageId(0)),
                        has_more_before: part.more_before,
                        has_more_after: part.more_after,
                    };
                    Ok((timeline, offer))
                })
            })
            .await?;
        offer.store(&self.db).await?;
        Ok(timeline)
    }
}

/// Whose side is looked at: the caller's, or that of the agent of theirs that they name.
async fn side(tx: &mut Tx, caller: &Caller, with: Option<&str>) -> Result<ParticipantId> {
    let own = |caller: &Caller| {
        caller.participant().ok_or_else(|| Error::invalid("with", "must name the agent whose messages are wanted"))
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

crate::row! {
    /// The other one of a pair, also when they are gone: what they wrote stays.
    pub(crate) struct Other {
        pub(crate) id: ParticipantId,
        pub(crate) handle: String,
    }
}

/// A participant by its handle.
pub(crate) async fn partner(tx: &mut Tx, handle: &str) -> Result<Other> {
    let key = handle.strip_prefix('@').unwrap_or(handle).to_ascii_lowercase();
    let missing = || Error::not_found("participant");
    if key.contains('\0') {
        return Err(missing());
    }
    let found =
        tx.query("SELECT id, handle FROM participants WHERE handle_key = $1").bind(key).fetch_optional().await?;
    found.ok_or_else(missing)
}
