//! The reactions handle and its read operations.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::reactions::{MessageReactions, StateFilter, StatePage};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::messaging::trust::Judgement;
use crate::store::db::{Db, Tx, Work};

/// Reactions of a hub; see [`Hub::reactions`](crate::Hub::reactions).
#[derive(Clone)]
pub struct Reactions {
    pub(super) db: Db,
    pub(super) judgements: Arc<dyn Judgements>,
}

/// Learns how humans judge the messages of agents. Implemented by governance, which messaging cannot depend on.
pub(crate) trait Judgements: Send + Sync {
    /// A human's verdict on a message changed, in the transaction of their reaction.
    fn judged<'t>(&'t self, tx: &'t mut Tx, judgement: &'t Judgement<'t>) -> Work<'t, ()>;
}

#[boxed_futures]
impl Reactions {
    pub(crate) fn new(db: Db, judgements: Arc<dyn Judgements>) -> Self {
        Self { db, judgements }
    }

    /// The reactions on a message that is visible to the caller.
    pub async fn list(&self, caller: &Caller, message: MessageId) -> Result<MessageReactions> {
        caller.require(Permission::Read)?;
        self.db
            .read((Viewer::of(caller), message), |tx, (viewer, message)| {
                Box::pin(async move {
                    let row = messages::store::visible(tx, viewer, *message).await?;
                    let reactions = store::of_message(tx, row.id).await?;
                    Ok(MessageReactions { reactions, workflow_state: row.workflow_state })
                })
            })
            .await
    }

    /// The visible messages in a workflow state, newest first. Channels without a workflow
    /// contribute none.
    pub async fn by_state(&self, caller: &Caller, mut filter: StateFilter) -> Result<StatePage> {
        caller.require(Permission::Read)?;
        if let Some(channel) = &mut filter.channel {
            *channel = channel.strip_prefix('#').unwrap_or(channel).to_ascii_lowercase();
            caller.require_channel(channel)?;
        }
        self.db
            .read((Viewer::of(caller), filter), |tx, (viewer, filter)| {
                Box::pin(async move {
                    let channel = filter.channel.as_deref();
                    if let Some(name) = channel
                        && !store::sees_channel(tx, viewer, name).await?
                    {
                        return Err(Error::not_found("channel"));
                    }
                    let rows = store::by_state(tx, viewer, filter.state, channel, (filter.before, filter.page)).await?;
                    let messages = messages::store::complete_seen(tx, viewer, rows).await?;
                    Ok(StatePage { messages, total: store::count_by_state(tx, viewer, filter.state, channel).await? })
                })
            })
            .await
    }
}
