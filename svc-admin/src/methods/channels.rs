//! `channels.*`: channels and their members.

use serde::{Deserialize, Serialize};
use svc_core::channels::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, NewChannel,
};
use svc_core::{Page, Result};

use super::{Method, Named, Server, missing, root};

/// Lists channels.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only channels whose names contain this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Archived channels instead of active ones.
    #[serde(default)]
    pub archived: bool,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "channels.list";
    const ABOUT: &'static str = "List channels by name, including private ones.";
    type Params = ListParams;
    type Answer = ChannelPage;

    async fn run(server: &Server, params: ListParams) -> Result<ChannelPage> {
        let page = Page::new(params.limit, params.offset)?;
        let filter = ChannelFilter { q: params.q, archived: params.archived, page, ..ChannelFilter::default() };
        server.hub.channels().list(&root(), filter).await
    }
}

/// Shows one channel.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "channels.show";
    const ABOUT: &'static str = "Show a channel with all its settings.";
    type Params = Named;
    type Answer = Channel;

    async fn run(server: &Server, params: Named) -> Result<Channel> {
        let found = server.hub.channels().get(&root(), &params.name).await;
        or_nearest(server, &params.name, found).await
    }
}

/// Creates a channel.
pub struct Create;

/// Parameters of [`Create`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// The handle of its owner.
    pub owner: String,
    /// The channel.
    pub channel: NewChannel,
}

impl Method for Create {
    const NAME: &'static str = "channels.create";
    const ABOUT: &'static str = "Create a channel.";
    type Params = CreateParams;
    type Answer = Channel;

    async fn run(server: &Server, params: CreateParams) -> Result<Channel> {
        server.hub.channels().create_for(&root(), &params.owner, params.channel).await
    }
}

/// Updates a channel.
pub struct Update;

/// Parameters of [`Update`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateParams {
    /// Name of the channel.
    pub name: String,
    /// Purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Current topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Whether everybody can read and join it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<bool>,
    /// The member who becomes the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Workflow settings.
    #[serde(default)]
    pub settings: ChannelSettings,
}

impl Method for Update {
    const NAME: &'static str = "channels.update";
    const ABOUT: &'static str = "Update the given settings of a channel.";
    type Params = UpdateParams;
    type Answer = Channel;

    async fn run(server: &Server, params: UpdateParams) -> Result<Channel> {
        let UpdateParams { name, description, topic, public, owner, settings } = params;
        let update = ChannelUpdate { description, topic, public, owner, settings };
        let changed = server.hub.channels().update(&root(), &name, update).await;
        or_nearest(server, &name, changed).await
    }
}

/// Archives a channel.
pub struct Archive;

impl Method for Archive {
    const NAME: &'static str = "channels.archive";
    const ABOUT: &'static str = "Archive a channel: it becomes read-only.";
    type Params = Named;
    type Answer = Channel;

    async fn run(server: &Server, params: Named) -> Result<Channel> {
        let archived = server.hub.channels().archive(&root(), &params.name).await;
        or_nearest(server, &params.name, archived).await?;
        server.hub.channels().get(&root(), &params.name).await
    }
}

/// Lists the members of a channel.
pub struct Members;

/// Parameters of [`Members`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MembersParams {
    /// Name of the channel.
    pub name: String,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for Members {
    const NAME: &'static str = "channels.members";
    const ABOUT: &'static str = "List the members of a channel by handle.";
    type Params = MembersParams;
    type Answer = MemberPage;

    async fn run(server: &Server, params: MembersParams) -> Result<MemberPage> {
        let page = Page::new(params.limit, params.offset)?;
        let found = server.hub.channels().members(&root(), &params.name, page).await;
        or_nearest(server, &params.name, found).await
    }
}

/// Adds members.
pub struct Invite;

/// Parameters of [`Invite`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InviteParams {
    /// Name of the channel.
    pub name: String,
    /// Handles of humans and agents.
    pub members: Vec<String>,
}

/// Added members.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Invited {
    /// The members, in the order of the request.
    pub members: Vec<Member>,
}

impl Method for Invite {
    const NAME: &'static str = "channels.invite";
    const ABOUT: &'static str = "Add humans and agents as members of a channel.";
    type Params = InviteParams;
    type Answer = Invited;

    async fn run(server: &Server, params: InviteParams) -> Result<Invited> {
        let invited = server.hub.channels().invite(&root(), &params.name, params.members).await;
        Ok(Invited { members: or_nearest(server, &params.name, invited).await? })
    }
}

/// Removes a member.
pub struct Remove;

/// Parameters of [`Remove`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoveParams {
    /// Name of the channel.
    pub name: String,
    /// The handle of the member.
    pub member: String,
}

/// The removed member.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Removed {
    /// The handle of the member.
    pub removed: String,
}

impl Method for Remove {
    const NAME: &'static str = "channels.remove";
    const ABOUT: &'static str = "Remove a member; removing a human removes all their agents too.";
    type Params = RemoveParams;
    type Answer = Removed;

    async fn run(server: &Server, params: RemoveParams) -> Result<Removed> {
        let there = server.hub.channels().get(&root(), &params.name).await;
        or_nearest(server, &params.name, there).await?;
        server.hub.channels().remove(&root(), &params.name, &params.member).await?;
        Ok(Removed { removed: params.member })
    }
}

/// Adds the most similar name to an error about an unknown name.
async fn or_nearest<T>(server: &Server, name: &str, outcome: Result<T>) -> Result<T> {
    match outcome {
        Ok(value) => Ok(value),
        Err(error) => Err(missing::channel(server, name, error).await),
    }
}
