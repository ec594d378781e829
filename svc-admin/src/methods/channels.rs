//! `channels.*`: rooms that participants share.

use serde::{Deserialize, Serialize};
use svc_core::{
    Channel, ChannelFilter, ChannelPage, ChannelSettings, ChannelUpdate, Member, MemberPage, NewChannel, Page, Result,
};

use super::{Method, Named, Server, missing, root};

/// Lists channels.
pub struct List;

/// What [`List`] takes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those whose names contain this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// The archived ones instead of the others.
    #[serde(default)]
    pub archived: bool,
    /// How many at most; 50 when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many to pass over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "channels.list";
    const ABOUT: &'static str = "Lists channels by name, private ones too.";
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
    const ABOUT: &'static str = "Shows a channel with all its settings.";
    type Params = Named;
    type Answer = Channel;

    async fn run(server: &Server, params: Named) -> Result<Channel> {
        let found = server.hub.channels().get(&root(), &params.name).await;
        or_nearest(server, &params.name, found).await
    }
}

/// Makes a channel.
pub struct Create;

/// What [`Create`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Its name.
    pub name: String,
    /// Whom it belongs to.
    pub owner: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is about at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Whether everybody can read and join it; they can when it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<bool>,
    /// Those who are members from the beginning, besides its owner.
    #[serde(default)]
    pub members: Vec<String>,
}

impl Method for Create {
    const NAME: &'static str = "channels.create";
    const ABOUT: &'static str = "Makes a channel.";
    type Params = CreateParams;
    type Answer = Channel;

    async fn run(server: &Server, params: CreateParams) -> Result<Channel> {
        let CreateParams { name, owner, description, topic, public, members } = params;
        let new = NewChannel { name, description, topic, public, members, owner: Some(owner) };
        server.hub.channels().create(&root(), new, None).await
    }
}

/// Changes a channel.
pub struct Update;

/// What [`Update`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateParams {
    /// The channel.
    pub name: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is about at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Whether everybody can read and join it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<bool>,
    /// The member it belongs to from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// How its workflow runs.
    #[serde(default)]
    pub settings: ChannelSettings,
}

impl Method for Update {
    const NAME: &'static str = "channels.update";
    const ABOUT: &'static str = "Changes what is given about a channel and leaves the rest.";
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
    const ABOUT: &'static str = "Archives a channel: it can be read from then on, and nothing else.";
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

/// What [`Members`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MembersParams {
    /// The channel.
    pub name: String,
    /// How many at most; 50 when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many to pass over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Method for Members {
    const NAME: &'static str = "channels.members";
    const ABOUT: &'static str = "Lists the members of a channel by handle.";
    type Params = MembersParams;
    type Answer = MemberPage;

    async fn run(server: &Server, params: MembersParams) -> Result<MemberPage> {
        let page = Page::new(params.limit, params.offset)?;
        let found = server.hub.channels().members(&root(), &params.name, page).await;
        or_nearest(server, &params.name, found).await
    }
}

/// Makes others members.
pub struct Invite;

/// What [`Invite`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InviteParams {
    /// The channel.
    pub name: String,
    /// The handles of humans and agents.
    pub members: Vec<String>,
}

/// Who was invited.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Invited {
    /// The members that were named.
    pub members: Vec<Member>,
}

impl Method for Invite {
    const NAME: &'static str = "channels.invite";
    const ABOUT: &'static str = "Makes humans and agents members of a channel at once.";
    type Params = InviteParams;
    type Answer = Invited;

    async fn run(server: &Server, params: InviteParams) -> Result<Invited> {
        let invited = server.hub.channels().invite(&root(), &params.name, params.members).await;
        Ok(Invited { members: or_nearest(server, &params.name, invited).await? })
    }
}

/// Ends somebody's membership.
pub struct Remove;

/// What [`Remove`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoveParams {
    /// The channel.
    pub name: String,
    /// The handle of the member.
    pub member: String,
}

/// Who was removed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Removed {
    /// The handle of the member.
    pub removed: String,
}

impl Method for Remove {
    const NAME: &'static str = "channels.remove";
    const ABOUT: &'static str = "Ends a membership; a human takes all their agents along.";
    type Params = RemoveParams;
    type Answer = Removed;

    async fn run(server: &Server, params: RemoveParams) -> Result<Removed> {
        let there = server.hub.channels().get(&root(), &params.name).await;
        or_nearest(server, &params.name, there).await?;
        server.hub.channels().remove(&root(), &params.name, &params.member).await?;
        Ok(Removed { removed: params.member })
    }
}

/// Whoever mistyped a name is told the nearest.
async fn or_nearest<T>(server: &Server, name: &str, outcome: Result<T>) -> Result<T> {
    match outcome {
        Ok(value) => Ok(value),
        Err(error) => Err(missing::channel(server, name, error).await),
    }
}
