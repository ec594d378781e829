//! `/api/channels`: channels and their members.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::Page;
use svc_core::channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, NewChannel,
};
use svc_core::conversations::{Timeline, TimelineFilter};
use svc_core::ids::MessageId;

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct ChannelRoutes {
    pub(crate) state: AppState,
}

/// Changes of a channel. Absent fields keep their values.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ChangeChannel {
    /// Purpose.
    #[serde(default)]
    description: Option<String>,
    /// Current topic.
    #[serde(default)]
    topic: Option<String>,
    /// Whether everybody can read and join it.
    #[serde(default)]
    public: Option<bool>,
}

/// The participant that joins or leaves.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct MembershipRequest {
    /// One of the caller's agents instead of the caller.
    #[serde(default)]
    agent: Option<String>,
}

/// Participants to invite.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct Invitation {
    /// Handles of humans and agents, 1 to 100.
    members: Vec<String>,
}

/// Invited participants.
#[derive(Serialize, Object)]
struct Invited {
    /// The members, in the order of the request.
    members: Vec<Member>,
}

/// The new owner of a channel.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct NewOwner {
    /// The handle of a member.
    owner: String,
}

#[OpenApi(tag = "Chapter::Channels")]
impl ChannelRoutes {
    /// List channels
    ///
    /// Sorted by name: public channels, and private ones of which you or one of your agents is a member. Each with
    /// your unread count.
    #[oai(path = "/api/channels", method = "get", operation_id = "list_channels")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only channels whose names contain this text.
        q: Query<Option<String>>,
        /// `true` lists archived channels instead of active ones.
        archived: Query<Option<bool>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ChannelPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        let filter = ChannelFilter { q: q.0, archived: archived.0.unwrap_or(false), page, ..ChannelFilter::default() };
        Ok(Answer(self.state.hub().channels().list(&caller, filter).await?))
    }

    /// Create a channel
    ///
    /// You are its owner and first member. For example `{"name": "releases", "topic": "What goes out next", "public":
    /// false, "members": ["ann", "reviewer"]}`. If one member is invalid, no channel is created.
    #[oai(path = "/api/channels", method = "post", operation_id = "create_channel")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewChannel>,
    ) -> Result<Created<Channel>, Problem> {
        Ok(Created(self.state.hub().channels().create(&idempotency_key.of(caller)?, new).await?))
    }

    /// Get a channel
    ///
    /// A private channel of which neither you nor one of your agents is a member is not found.
    #[oai(path = "/api/channels/:name", method = "get", operation_id = "get_channel")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
    ) -> Result<Answer<Channel>, Problem> {
        Ok(Answer(self.state.hub().channels().get(&caller, &name.0).await?))
    }

    /// Update a channel
    ///
    /// Only its owner may do this. For example `{"topic": "Version 2", "public": false}`.
    #[oai(path = "/api/channels/:name", method = "patch", operation_id = "update_channel")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        JsonBody(body): JsonBody<ChangeChannel>,
    ) -> Result<Answer<Channel>, Problem> {
        let ChangeChannel { description, topic, public } = body;
        let update = ChannelUpdate { description, topic, public, ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// Archive a channel
    ///
    /// Only its owner may do this. An archived channel is read-only, and its name stays taken. The channel `general`
    /// cannot be archived.
    #[oai(path = "/api/channels/:name", method = "delete", operation_id = "archive_channel")]
    async fn archive(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().archive(&caller, &name.0).await?;
        Ok(NoContent)
    }

    /// Update the workflow settings of a channel
    ///
    /// Only its owner may do this; absent fields keep their values. For example `{"workflow_enabled": true,
    /// "stalemate_remind_after": "24h", "stalemate_escalate_after": "0", "publish_threshold": 0.7}`.
    #[oai(path = "/api/channels/:name/settings", method = "put", operation_id = "set_channel_settings")]
    async fn settings(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        JsonBody(settings): JsonBody<ChannelSettings>,
    ) -> Result<Answer<Channel>, Problem> {
        let update = ChannelUpdate { settings, ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// Transfer a channel
    ///
    /// Only its owner may do this; the new owner must be a member. For example `{"owner": "bob"}`.
    #[oai(path = "/api/channels/:name/owner", method = "put", operation_id = "hand_over_channel")]
    async fn hand_over(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        JsonBody(body): JsonBody<NewOwner>,
    ) -> Result<Answer<Channel>, Problem> {
        let update = ChannelUpdate { owner: Some(body.owner), ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// List the messages of a channel
    ///
    /// The newest page unless one of `before`, `after`, `around` names a message; oldest first within the page.
    /// Reading does not mark messages as read: see `POST /api/notifications/mark-read`.
    #[oai(path = "/api/channels/:name/messages", method = "get", operation_id = "list_channel_messages")]
    async fn messages(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        /// Only messages before this id.
        before: Query<Option<i64>>,
        /// Only messages after this id.
        after: Query<Option<i64>>,
        /// Messages around this id, including itself.
        around: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<Timeline>, Problem> {
        let filter = TimelineFilter {
            before: before.0.map(MessageId),
            after: after.0.map(MessageId),
            around: around.0.map(MessageId),
            limit: limit.0,
            peek: false,
        };
        Ok(Answer(self.state.hub().messages().channel_timeline(&caller, &name.0, filter).await?))
    }

    /// Join a public channel
    ///
    /// Joins you, or the named agent of yours: no body, or `{"agent": "reviewer"}`. Joining again changes nothing.
    /// Earlier messages do not count as unread.
    #[oai(path = "/api/channels/:name/join", method = "post", operation_id = "join_channel")]
    async fn join(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        OptionalBody(body): OptionalBody<MembershipRequest>,
    ) -> Result<Answer<Channel>, Problem> {
        Ok(Answer(self.state.hub().channels().join(&caller, &name.0, body.agent.as_deref()).await?))
    }

    /// Leave a channel
    ///
    /// Removes you with all your agents, or the named agent: no body, or `{"agent": "reviewer"}`. The owner cannot
    /// leave; transfer the channel first.
    #[oai(path = "/api/channels/:name/leave", method = "post", operation_id = "leave_channel")]
    async fn leave(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        OptionalBody(body): OptionalBody<MembershipRequest>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().leave(&caller, &name.0, body.agent.as_deref()).await?;
        Ok(NoContent)
    }

    /// List the members of a channel
    #[oai(path = "/api/channels/:name/members", method = "get", operation_id = "list_channel_members")]
    async fn members(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<MemberPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().channels().members(&caller, &name.0, page).await?))
    }

    /// Invite participants to a channel
    ///
    /// They become members at once. In a public channel any member may invite, in a private one its owner. For
    /// example `{"members": ["bob", "reviewer"]}`. If one handle is invalid, nobody is added.
    #[oai(path = "/api/channels/:name/members", method = "post", operation_id = "invite_to_channel")]
    async fn invite(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        JsonBody(body): JsonBody<Invitation>,
    ) -> Result<Answer<Invited>, Problem> {
        let members = self.state.hub().channels().invite(&caller, &name.0, body.members).await?;
        Ok(Answer(Invited { members }))
    }

    /// Remove a member from a channel
    ///
    /// The owner may remove anybody but themselves; everybody may remove themselves and their agents. Removing a
    /// human removes all their agents too.
    #[oai(path = "/api/channels/:name/members/:handle", method = "delete", operation_id = "remove_from_channel")]
    async fn remove(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the channel.
        name: Path<String>,
        /// Handle of the member.
        handle: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().remove(&caller, &name.0, &handle.0).await?;
        Ok(NoContent)
    }
}
