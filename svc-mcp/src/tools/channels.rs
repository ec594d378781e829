//! Channels: list, create, join, read and update.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::channels::{Channel, ChannelFilter, ChannelSettings, ChannelUpdate, NewChannel};
use svc_core::conversations::TimelineFilter;
use svc_core::formats::neutral;
use svc_core::ids::MessageId;
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::{Error, Page, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::error::Refusal;
use crate::paging::{ByName, Listed, MessageCursor, NamePage, Order, Rest, Window, fit, fit_in_order, some_of};

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("list_channels", Effect::Lists, "List channels, with unread counts.", list_channels)
            .answers::<ChannelList>(),
        Entry::new(
            "get_channel_messages",
            Effect::Lists,
            "Messages of a channel: newest, before or after one.",
            get_channel_messages,
        )
        .notes()
        .answers::<Listed>(),
        Entry::new("create_channel", Effect::Adds, "Create your channel.", create_channel)
            .answers::<ChannelView>()
            .also(&[("channel", "name")]),
        Entry::new("join_channel", Effect::Sets, "Join a public channel.", join_channel)
            .answers::<ChannelView>()
            .also(&[("name", "channel")]),
        Entry::new("leave_channel", Effect::Removes, "Leave a channel.", leave_channel)
            .answers::<Left>()
            .also(&[("name", "channel")]),
        Entry::new("update_channel", Effect::Removes, "Update your channel.", update_channel)
            .answers::<ChannelView>()
            .also(&[("name", "channel")]),
        Entry::new("invite_to_channel", Effect::Sets, "Add members to a channel.", invite_to_channel)
            .answers::<Invited>()
            .also(&[("name", "channel"), ("members", "handles")]),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListChannels {
    /// part of name or text
    #[serde(default)]
    #[schemars(length(max = limits::DIRECTORY_QUERY_MAX))]
    q: Option<String>,
    /// archived ones
    #[serde(default)]
    archived: Option<bool>,
}

/// A channel as an agent sees it.
#[derive(Serialize, JsonSchema)]
struct ChannelView {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    topic: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    private: bool,
    owned_by: String,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
    members: i64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    joined: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mentions: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow: Option<Workflow>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    archived: bool,
}

#[derive(Serialize, JsonSchema)]
struct Workflow {
    publish_threshold: f64,
    approve_threshold: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    auto_approve: bool,
}

impl ChannelView {
    /// Converts channels, each with the relation of its owner, who wrote its texts, to the caller.
    async fn all(call: &Call, channels: Vec<Channel>) -> Result<Vec<Self>, Refusal> {
        let owners: Vec<String> = channels.iter().map(|channel| channel.owner.clone()).collect();
        let known = call.hub.trust().acquaintances(&call.caller, owners).await?;
        Ok(channels.into_iter().map(|channel| Self::of(known.get(&channel.owner), channel)).collect())
    }

    async fn one(call: &Call, channel: Channel) -> Outcome {
        match Self::all(call, vec![channel]).await?.pop() {
            Some(room) => Answer::of(&room),
            None => Err(Error::not_found("channel").into()),
        }
    }

    fn of(known: Option<&Acquaintance>, channel: Channel) -> Self {
        Self {
            description: neutral(&channel.description).into_owned(),
            topic: neutral(&channel.topic).into_owned(),
            private: !channel.public,
            owned_by: channel.owner,
            owner: known.map_or(OwnerRelation::Other, |known| known.owner),
            trust: known.map_or(Standing::Score(0.0), |known| known.trust),
            members: channel.member_count,
            joined: channel.is_member,
            unread: (channel.unread > 0).then_some(channel.unread),
            mentions: (channel.mentions > 0).then_some(channel.mentions),
            workflow: channel.workflow_enabled.then_some(Workflow {
                publish_threshold: channel.publish_threshold,
                approve_threshold: channel.approve_threshold,
                auto_approve: channel.auto_approve,
            }),
            archived: channel.archived_at.is_some(),
            name: channel.name,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct ChannelList {
    channels: Vec<ChannelView>,
    total: i64,
    #[serde(flatten)]
    rest: Rest,
}

async fn list_channels(call: Call, args: ListChannels) -> Outcome {
    let place = ByName::parse(call.cursor.as_deref())?;
    let filter = ChannelFilter {
        q: args.q,
        archived: args.archived.unwrap_or(false),
        after: place.name.clone(),
        page: Page::new(Some(i64::from(limits::PAGE_MAX)), None)?,
        ..ChannelFilter::default()
    };
    let found = call.hub.channels().list(&call.caller, filter).await?;
    let all = found.channels.len();
    let channels = some_of(call.max_tokens, ChannelView::all(&call, found.channels).await?);
    let last = channels.last().map(|room| room.name.as_str());
    let rest = place.rest(&NamePage { found: all, count: channels.len(), last }, found.total);
    Answer::of(&ChannelList { channels, total: found.total, rest })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetChannelMessages {
    /// name
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: String,
    /// message
    #[serde(default)]
    #[schemars(range(min = 1))]
    before: Option<i64>,
    /// message
    #[serde(default)]
    #[schemars(range(min = 0))]
    after: Option<i64>,
}

async fn get_channel_messages(call: Call, args: GetChannelMessages) -> Outcome {
    let several = [call.cursor.is_some(), args.before.is_some(), args.after.is_some()];
    if several.into_iter().filter(|given| *given).count() > 1 {
        return Err(Error::invalid("cursor", "give one of cursor, before and after").into());
    }
    let limit = Some(i64::from(limits::PAGE_DEFAULT));
    let messages = call.hub.messages();
    if let Some(after) = args.after {
        let filter = TimelineFilter { after: Some(MessageId(after)), limit, peek: true, ..TimelineFilter::default() };
        let timeline = messages.channel_timeline(&call.caller, &args.channel, filter).await?;
        let shown = fit_in_order(&call.hub, &call.caller, call.max_tokens, &timeline.messages).await?;
        let omitted = Some(timeline.messages.len() - shown.len()).filter(|left| *left > 0);
        let newer = timeline.has_more_after;
        let through = shown.last().map(|message| message.id);
        let listed = Listed { messages: shown, omitted, older: false, newer, cursor: None, through };
        return answer(&call, &args.channel, &listed).await;
    }
    let mut place = MessageCursor::parse(call.cursor.as_deref())?;
    if let Some(before) = args.before {
        place.before = MessageId(before);
    }
    let filter = TimelineFilter { before: Some(place.before), limit, peek: true, ..TimelineFilter::default() };
    let timeline = messages.channel_timeline(&call.caller, &args.channel, filter).await?;
    let window = Window::of(timeline.messages, timeline.has_more_before);
    answer(&call, &args.channel, &fit(&call, call.max_tokens, place, window, Order::Time).await?).await
}

/// Returns these messages, and records how far the channel was delivered to the caller.
async fn answer(call: &Call, channel: &str, shown: &Listed) -> Outcome {
    if let Some(through) = shown.through {
        call.hub.messages().handed_out_in(&call.caller, channel, through).await?;
    }
    Answer::of(shown)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateChannel {
    /// a-z, 0-9, - and _
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    name: String,
    /// purpose
    #[serde(default)]
    #[schemars(length(max = limits::DESCRIPTION_MAX))]
    description: Option<String>,
    /// subject now
    #[serde(default)]
    #[schemars(length(max = limits::TOPIC_MAX))]
    topic: Option<String>,
    /// default true
    #[serde(default)]
    public: Option<bool>,
    /// names
    #[serde(default)]
    #[schemars(length(max = limits::INVITE_BATCH_MAX), inner(length(max = limits::HANDLE_MAX)))]
    members: Option<Vec<String>>,
}

async fn create_channel(call: Call, args: CreateChannel) -> Outcome {
    let new = NewChannel {
        name: args.name,
        description: args.description,
        topic: args.topic,
        public: args.public,
        members: args.members,
    };
    let made = call.hub.channels().create(&call.caller, new).await?;
    ChannelView::one(&call, made).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfChannel {
    /// name
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: String,
}

/// The channel that the caller has left.
#[derive(Serialize, JsonSchema)]
struct Left {
    left: String,
}

async fn join_channel(call: Call, args: OfChannel) -> Outcome {
    let channel = call.hub.channels().join(&call.caller, &args.channel, None).await?;
    ChannelView::one(&call, channel).await
}

async fn leave_channel(call: Call, args: OfChannel) -> Outcome {
    call.hub.channels().leave(&call.caller, &args.channel, None).await?;
    Answer::of(&Left { left: args.channel })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateChannel {
    /// name
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: String,
    /// purpose
    #[serde(default)]
    #[schemars(length(max = limits::DESCRIPTION_MAX))]
    description: Option<String>,
    /// subject now
    #[serde(default)]
    #[schemars(length(max = limits::TOPIC_MAX))]
    topic: Option<String>,
    /// for all
    #[serde(default)]
    public: Option<bool>,
    /// new owner
    #[serde(default)]
    #[schemars(length(max = limits::HANDLE_MAX))]
    owner: Option<String>,
    /// reactions set states
    #[serde(default)]
    workflow_enabled: Option<bool>,
    /// approves new messages
    #[serde(default)]
    auto_approve: Option<bool>,
    /// likewise
    #[serde(default)]
    #[schemars(length(max = 40))]
    stalemate_remind_after: Option<String>,
    /// 15m, 3d; 0: never
    #[serde(default)]
    #[schemars(length(max = 40))]
    stalemate_escalate_after: Option<String>,
    /// likewise
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    publish_threshold: Option<f64>,
    /// trust needed, 0-1
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    approve_threshold: Option<f64>,
}

async fn update_channel(call: Call, args: UpdateChannel) -> Outcome {
    let update = ChannelUpdate {
        description: args.description,
        topic: args.topic,
        public: args.public,
        owner: args.owner,
        settings: ChannelSettings {
            workflow_enabled: args.workflow_enabled,
            auto_approve: args.auto_approve,
            stalemate_remind_after: args.stalemate_remind_after,
            stalemate_escalate_after: args.stalemate_escalate_after,
            publish_threshold: args.publish_threshold,
            approve_threshold: args.approve_threshold,
        },
    };
    let channel = call.hub.channels().update(&call.caller, &args.channel, update).await?;
    ChannelView::one(&call, channel).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InviteToChannel {
    /// name
    #[schemars(length(max = limits::CHANNEL_NAME_MAX))]
    channel: String,
    /// names
    #[schemars(length(max = limits::INVITE_BATCH_MAX), inner(length(max = limits::HANDLE_MAX)))]
    handles: Vec<String>,
}

/// The members of the channel.
#[derive(Serialize, JsonSchema)]
struct Invited {
    invited: Vec<String>,
}

async fn invite_to_channel(call: Call, args: InviteToChannel) -> Outcome {
    let handles = args.handles.iter().map(|handle| handle.trim_start_matches('@').to_owned()).collect();
    let members = call.hub.channels().invite(&call.caller, &args.channel, handles).await.map_err(|error| {
        let mut refusal = Refusal::from(error);
        // The hub names this field `members`.
        for fault in &mut refusal.errors {
            fault.field = fault.field.replace("members", "handles");
        }
        refusal
    })?;
    Answer::of(&Invited { invited: members.into_iter().map(|member| member.name).collect() })
}
