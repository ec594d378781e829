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
use crate::messaging::messages::store::complete_seen;
use crate::messaging::messages::viewer::Viewer;

#[boxed_futures]
impl Messages {
    /// A page of a channel that is visible to the caller. For a member, records which messages have
    /// been handed out.
    pub async fn channel_timeline(&self, caller: &Caller, name: &str, filter: TimelineFilter) -> Result<Timeline> {
        caller.require(Permission::Read)?;
        let (window, limit) = filter.window()?;
        let key = channels::allowed(caller, name)?;
        let input = (Viewer::of(caller), key, window, limit);
        let (timeline, read_state) = self
            .db
            .read(input, |tx, (viewer, key, window, limit)| {
                Box::pin(async move {
                    let read_state =
                        store::channel(tx, viewer, key).await?.ok_or_else(|| Error::not_found("channel"))?;
                    let slice = store::slice(tx, read_state.conversation_id, *window, *limit).await?;
                    let timeline = Timeline {
                        messages: complete_seen(tx, viewer, slice.rows).await?,
                        last_read_message_id: read_state.read_id.filter(|id| *id > MessageId(0)),
                        has_more_before: slice.more_before,
                        has_more_after: slice.more_after,
                    };
                    Ok((timeline, read_state))
                })
            })
            .await?;
        if !filter.peek {
            self.offer_channel(caller, &read_state, timeline.messages.last().map(|newest| newest.id)).await?;
        }
        Ok(timeline)
    }

    /// Records that the caller was handed the messages of a channel up to this one, for a client
    /// that peeked first and then showed some.
    pub async fn handed_out_in(&self, caller: &Caller, name: &str, through: MessageId) -> Result<()> {
        caller.require(Permission::Read)?;
        let key = channels::allowed(caller, name)?;
        let read_state = self
            .db
            .read((Viewer::of(caller), key), |tx, (viewer, key)| Box::pin(store::channel(tx, viewer, key)))
            .await?
            .ok_or_else(|| Error::not_found("channel"))?;
        self.offer_channel(caller, &read_state, Some(through)).await
    }

    /// Records the newest message that a member has been handed, if it has changed.
    pub(super) async fn offer_channel(
        &self,
        caller: &Caller,
        read_state: &store::ReadState,
        newest: Option<MessageId>,
    ) -> Result<()> {
        match (newest, read_state.offered_id) {
            (Some(newest), Some(offered)) if newest > offered => {
                Offer::through(caller, read_state.conversation_id, newest).store(&self.db).await
            }
            _ => Ok(()),
        }
    }
}
