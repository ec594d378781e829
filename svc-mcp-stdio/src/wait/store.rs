//! Waits on the store itself.

use svc_core::ids::MessageId;
use svc_core::{Hub, HubConfig, Result};
use svc_mcp::arrival;

use super::{Summary, WaitRequest};
use crate::embedded::{Chores, check, open};
use crate::key::Key;

pub(super) async fn wait(config: HubConfig, key: &Key, request: WaitRequest) -> Result<Option<Summary>> {
    let (hub, _) = open(config, key).await?;
    let chores = Chores::start(&hub);
    let found = look(&hub, key, request).await;
    drop(chores);
    hub.close().await;
    found
}

async fn look(hub: &Hub, key: &Key, request: WaitRequest) -> Result<Option<Summary>> {
    tracing::info!(target: "svc::mcp", "waiting");
    loop {
        let caller = check(hub, key).await?;
        if let Some(arrived) = arrival(hub, &caller, request.after.map(MessageId), request.stretch()).await? {
            let messages = arrived.messages.into_iter();
            return Ok(Summary::of(messages.map(|message| (message.id.0, message.from, message.priority))));
        }
        if request.left().is_zero() {
            return Ok(None);
        }
    }
}
