//! `/api/channels`: rooms that participants share.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, MessageId, NewChannel,
    Page, Timeline, TimelineFilter,
};

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

/// A channel to be made.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct CreateChannel {
    /// 1 to 80 small letters, digits, `-` and `_`. It is given once.
    name: String,
    /// What it is for, at most 2,000 characters.
    #[serde(default)]
    description: Option<String>,
    /// What it is about at the moment, at most 250 characters.
    #[serde(default)]
    topic: Option<String>,
    /// Whether everybody can read and join it; `true` when absent.
    #[serde(default)]
    public: Option<bool>,
    /// The handles of those who are members from the beginning, at most 100.
    #[serde(default)]
    members: Option<Vec<String>>,
}

/// What is to change about a channel. What is absent stays.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct ChangeChannel {
    /// What it is for.
    #[serde(default)]
    description: Option<String>,
    /// What it is about at the moment.
    #[serde(default)]
    topic: Option<String>,
    /// Whether everybody can read and join it.
    #[serde(default)]
    public: Option<bool>,
}

/// Who comes or goes.
#[derive(Default, Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct Goer {
    /// One of the caller's agents instead of the caller.
    #[serde(default)]
    agent: Option<String>,
}

/// Who is invited.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct Invitation {
    /// Handles of humans and agents, 1 to 100.
    members: Vec<String>,
}

/// Who was invited.
#[derive(Serialize, Object)]
struct Invited {
    /// The members that were named, in that order.
    members: Vec<Member>,
}

/// Whose a channel is to be.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct NewOwner {
    /// The handle of a member.
    owner: String,
}

#[OpenApi(tag = "Chapter::Channels")]
impl ChannelRoutes {
    /// List the channels that I can see
    ///
    /// By name: public ones, and private ones of which you or one of your agents is a member. Each with
    /// what you have not read in it.
    #[oai(path = "/api/channels", method = "get", operation_id = "list_channels")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those whose names contain this.
        q: Query<Option<String>>,
        /// `true` lists the archived ones instead of the others.
        archived: Query<Option<bool>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ChannelPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        let filter = ChannelFilter { q: q.0, archived: archived.0.unwrap_or(false), page, ..ChannelFilter::default() };
        Ok(Answer(self.state.hub().channels().list(&caller, filter).await?))
    }

    /// Make a channel
    ///
    /// It belongs to you, and you are its first member. For example
    /// `{"name": "releases", "topic": "What goes out next", "public": false, "members": ["ann", "reviewer"]}`.
    /// Either all members are taken or nothing is made.
    #[oai(path = "/api/channels", method = "post", operation_id = "create_channel")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The same key with the same body gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<CreateChannel>,
    ) -> Result<Created<Channel>, Problem> {
        let new = NewChannel {
            name: body.name,
            description: body.description,
            topic: body.topic,
            public: body.public,
            members: body.members.unwrap_or_default(),
            owner: None,
        };
        Ok(Created(self.state.hub().channels().create(&caller, new, idempotency_key.0.as_deref()).await?))
    }

    /// Look at a channel
    ///
    /// A private channel of which neither you nor one of your agents is a member is not found.
    #[oai(path = "/api/channels/:name", method = "get", operation_id = "get_channel")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
    ) -> Result<Answer<Channel>, Problem> {
        Ok(Answer(self.state.hub().channels().get(&caller, &name.0).await?))
    }

    /// Change a channel
    ///
    /// For its owner. For example `{"topic": "Version 2", "public": false}`.
    #[oai(path = "/api/channels/:name", method = "patch", operation_id = "update_channel")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        JsonBody(body): JsonBody<ChangeChannel>,
    ) -> Result<Answer<Channel>, Problem> {
        let ChangeChannel { description, topic, public } = body;
        let update = ChannelUpdate { description, topic, public, ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// Archive a channel
    ///
    /// For its owner. It can be read from then on, and nothing else; its name stays taken. The channel
    /// `general` cannot be archived.
    #[oai(path = "/api/channels/:name", method = "delete", operation_id = "archive_channel")]
    async fn archive(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().archive(&caller, &name.0).await?;
        Ok(NoContent)
    }

    /// Set how the workflow of a channel runs
    ///
    /// For its owner; what is absent stays. For example `{"workflow_enabled": true,
    /// "stalemate_remind_after": "24h", "stalemate_escalate_after": "0", "publish_threshold": 0.7}`.
    #[oai(path = "/api/channels/:name/settings", method = "put", operation_id = "set_channel_settings")]
    async fn settings(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        JsonBody(settings): JsonBody<ChannelSettings>,
    ) -> Result<Answer<Channel>, Problem> {
        let update = ChannelUpdate { settings, ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// Hand a channel over
    ///
    /// For its owner; the new one has to be a member. For example `{"owner": "bob"}`.
    #[oai(path = "/api/channels/:name/owner", method = "put", operation_id = "hand_over_channel")]
    async fn hand_over(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        JsonBody(body): JsonBody<NewOwner>,
    ) -> Result<Answer<Channel>, Problem> {
        let update = ChannelUpdate { owner: Some(body.owner), ..ChannelUpdate::default() };
        Ok(Answer(self.state.hub().channels().update(&caller, &name.0, update).await?))
    }

    /// Read a channel
    ///
    /// The newest page unless one of `before`, `after`, `around` names a message; oldest first inside the
    /// page. Reading moves no cursor: see `POST /api/notifications/mark-read`.
    #[oai(path = "/api/channels/:name/messages", method = "get", operation_id = "list_channel_messages")]
    async fn messages(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        /// Those before this message.
        before: Query<Option<i64>>,
        /// Those after this message.
        after: Query<Option<i64>>,
        /// Those around this message, and itself.
        around: Query<Option<i64>>,
        /// How many at most, 1 to 200; 50 when absent.
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
    /// You, or the one of your agents that you name: no body, or `{"agent": "reviewer"}`. Whoever is a member
    /// already stays one. What was said before is not unread.
    #[oai(path = "/api/channels/:name/join", method = "post", operation_id = "join_channel")]
    async fn join(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        OptionalBody(body): OptionalBody<Goer>,
    ) -> Result<Answer<Channel>, Problem> {
        Ok(Answer(self.state.hub().channels().join(&caller, &name.0, body.agent.as_deref()).await?))
    }

    /// Leave a channel
    ///
    /// You with all your agents, or the one of them that you name: no body, or `{"agent": "reviewer"}`. The
    /// owner cannot leave; hand the channel over first.
    #[oai(path = "/api/channels/:name/leave", method = "post", operation_id = "leave_channel")]
    async fn leave(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        OptionalBody(body): OptionalBody<Goer>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().leave(&caller, &name.0, body.agent.as_deref()).await?;
        Ok(NoContent)
    }

    /// List the members of a channel
    #[oai(path = "/api/channels/:name/members", method = "get", operation_id = "list_channel_members")]
    async fn members(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<MemberPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().channels().members(&caller, &name.0, page).await?))
    }

    /// Invite to a channel
    ///
    /// They are members at once. In a public channel any member may, in a private one its owner. For
    /// example `{"members": ["bob", "reviewer"]}`: either all are taken or none.
    #[oai(path = "/api/channels/:name/members", method = "post", operation_id = "invite_to_channel")]
    async fn invite(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        JsonBody(body): JsonBody<Invitation>,
    ) -> Result<Answer<Invited>, Problem> {
        let members = self.state.hub().channels().invite(&caller, &name.0, body.members).await?;
        Ok(Answer(Invited { members }))
    }

    /// Remove from a channel
    ///
    /// The owner removes anybody but themselves; everybody removes themselves and their agents. A human
    /// who is removed takes all their agents along.
    #[oai(path = "/api/channels/:name/members/:handle", method = "delete", operation_id = "remove_from_channel")]
    async fn remove(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The channel.
        name: Path<String>,
        /// The member.
        handle: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().channels().remove(&caller, &name.0, &handle.0).await?;
        Ok(NoContent)
    }
}
