//! `my_status`: identity of the agent and its pending work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::auth::{Identity, Permission};
use svc_core::messages::{InboxFilter, MessageStatus};
use svc_core::notifications::Unread;
use svc_core::{Error, Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::paging::some_of;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("my_status", Effect::Reads, "Your identity and pending work.", my_status)
            .for_agents()
            .answers::<Status>()
            .everyday(),
    ]
}

#[derive(Serialize, JsonSchema)]
struct Status {
    you: You,
    /// Messages that wait to be claimed.
    pending: usize,
    /// Messages that are claimed.
    processing: usize,
    /// Whether there are more than were counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<Waiting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
    #[schemars(with = "answers::Moment")]
    now: Timestamp,
}

#[derive(Serialize, JsonSchema)]
struct You {
    name: String,
    owned_by: String,
    /// Permissions of the key, if it has not all those of an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<answers::Permission>>")]
    permissions: Option<Vec<Permission>>,
    /// The channels that the key is limited to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    key_expires_at: Option<Timestamp>,
}

impl From<Identity> for You {
    fn from(identity: Identity) -> Self {
        let can_write = identity.permissions.contains(&Permission::Write);
        Self {
            name: identity.handle,
            owned_by: identity.owner,
            permissions: (!can_write).then_some(identity.permissions),
            channels: identity.allowed_channels,
            key_expires_at: identity.expires_at,
        }
    }
}

/// Unread messages of a channel, or of a sender.
#[derive(Serialize, JsonSchema)]
struct Waiting {
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    unread: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mentions: Option<i64>,
    /// Messages of a sender that are also counted in a channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    mention_copies: Option<i64>,
}

impl From<Unread> for Waiting {
    fn from(unread: Unread) -> Self {
        let is_channel = unread.kind == svc_core::conversations::ConversationKind::Channel;
        Self {
            channel: is_channel.then(|| unread.name.clone()),
            from: (!is_channel).then_some(unread.name),
            unread: unread.unread,
            mentions: (unread.mentions > 0).then_some(unread.mentions),
            mention_copies: (unread.mention_copies > 0).then_some(unread.mention_copies),
        }
    }
}

async fn my_status(call: Call, _: Nothing) -> Outcome {
    let (hub, caller) = (&call.hub, &call.caller);
    let (pending, processing) =
        (count(&call, MessageStatus::Pending).await?, count(&call, MessageStatus::Processing).await?);
    let mut unread: Vec<Waiting> = hub
        .notifications()
        .unread(caller)
        .await?
        .into_iter()
        .filter(|entry| entry.unread > 0 || entry.mentions > 0)
        .map(Waiting::from)
        .collect();
    unread.sort_by_key(|entry| std::cmp::Reverse((entry.mentions, entry.unread)));
    let all = unread.len();
    let unread = some_of(call.max_tokens.saturating_sub(120), unread);
    Answer::of(&Status {
        you: caller.identity().map(You::from).ok_or_else(|| Error::not_found("agent"))?,
        pending: pending.0,
        processing: processing.0,
        more: pending.1 || processing.1,
        omitted: Some(all - unread.len()).filter(|left| *left > 0),
        unread,
        now: hub.clock().now(),
    })
}

/// The number of messages of the inbox in a status, limited to one page.
async fn count(call: &Call, status: MessageStatus) -> Result<(usize, bool), crate::error::Refusal> {
    let filter = InboxFilter {
        status: Some(status),
        limit: Some(i64::from(limits::PAGE_MAX)),
        peek: true,
        ..InboxFilter::default()
    };
    match call.hub.messages().inbox(&call.caller, filter).await {
        Ok(page) => Ok((page.messages.len(), page.has_more)),
        // A key that is restricted to channels has no inbox.
        Err(error) if error.code() == "channel_not_allowed" => Ok((0, false)),
        Err(error) => Err(error.into()),
    }
}
