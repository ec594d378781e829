//! The timeline of a channel.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::{Timeline, TimelineFilter};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::messaging::channels;
use crate::messaging::messages::Messages;
use crate::messaging::messages::offer::Offer;
use crate::messaging::messages::sight::Sight;
use crate::messaging::messages::store::complete_seen;

#[boxed_futures]
impl Messages {
    /// A page of a channel that the caller can see. For a member it notes what has been handed out.
    pub async fn channel_timeline(&self, caller: &Caller, name: &str, filter: TimelineFilter) -> Result<Timeline> {
        caller.require(Permission::Read)?;
        let (window, limit) = filter.window()?;
        let key = channels::allowed(caller, name)?;
        let input = (Sight::of(caller), key, window, limit);
        let (timeline, seen) = self
            .db
            .read(input, |tx, (sight, key, window, limit)| {
                Box::pin(async move {
                    let seen = store::channel(tx, sight, key).await?.ok_or_else(|| Error::not_found("channel"))?;
                    let part = store::part(tx, seen.conversation_id, *window, *limit).await?;
                    let timeline = Timeline {
                        messages: complete_seen(tx, sight, part.rows).await?,
                        last_read_message_id: seen.read_id.filter(|id| *id > MessageId(0)),
                        has_more_before: part.more_before,
                        has_more_after: part.more_after,
                    };
                    Ok((timeline, seen))
                })
            })
            .await?;
        if !filter.peek {
            self.offer_channel(caller, &seen, timeline.messages.last().map(|newest| newest.id)).await?;
        }
        Ok(timeline)
    }

    /// Notes that the caller was handed the messages of a channel up to this one, for whoever peeked first
    /// and then showed some.
    pub async fn handed_out_in(&self, caller: &Caller, name: &str, through: MessageId) -> Result<()> {
        caller.require(Permission::Read)?;
        let key = channels::allowed(caller, name)?;
        let seen = self
            .db
            .read((Sight::of(caller), key), |tx, (sight, key)| Box::pin(store::channel(tx, sight, key)))
            .await?
            .ok_or_else(|| Error::not_found("channel"))?;
        self.offer_channel(caller, &seen, Some(through)).await
    }

    /// Notes what a member has been handed, when that is news.
    pub(super) async fn offer_channel(
        &self,
        caller: &Caller,
        seen: &store::Seen,
        newest: Option<MessageId>,
    ) -> Result<()> {
        match (newest, seen.offered_id) {
            (Some(newest), Some(offered)) if newest > offered => {
                Offer::through(caller, seen.conversation_id, newest).store(&self.db).await
            }
            _ => Ok(()),
        }
    }
}
