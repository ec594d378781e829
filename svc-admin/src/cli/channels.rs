//! `svc-admin channels`.

use clap::{Args, Subcommand};
use svc_core::channels::{Channel, ChannelPage, ChannelSettings, Member, MemberPage, NewChannel};
use svc_core::participants::ParticipantKind;

use super::ask;
use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{names, when};
use crate::methods::Named;
use crate::methods::channels::{
    Archive, Create, CreateParams, Invite, InviteParams, List, ListParams, Members, MembersParams, Remove,
    RemoveParams, Show, Update, UpdateParams,
};

#[derive(Debug, Subcommand)]
pub(super) enum ChannelsCommand {
    /// List channels by name, including private ones.
    #[command(after_help = "Example:\n  svc-admin channels list --archived")]
    List {
        /// Only channels whose names contain this text.
        #[arg(long, value_name = "TEXT")]
        q: Option<String>,
        /// List archived channels instead of active ones.
        #[arg(long)]
        archived: bool,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Show a channel with all its settings.
    #[command(after_help = "Example:\n  svc-admin channels show general")]
    Show {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
    },
    /// Create a channel.
    #[command(after_help = "Example:\n  svc-admin channels create releases --owner ann --private --member bob")]
    Create {
        #[arg(value_name = "CHANNEL", help = names::NEW_CHANNEL)]
        name: String,
        /// The human or agent who owns it.
        #[arg(long, value_name = "NAME")]
        owner: String,
        /// Purpose.
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
        /// Current topic.
        #[arg(long, value_name = "TEXT")]
        topic: Option<String>,
        /// Only members can read it.
        #[arg(long)]
        private: bool,
        /// A human or an agent who is a member from the start; can be repeated.
        #[arg(long = "member", value_name = "NAME")]
        members: Vec<String>,
    },
    /// Update the given settings of a channel.
    #[command(after_help = "Example:\n  svc-admin channels update releases --workflow true --remind-after 24h")]
    Update {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
        #[command(flatten)]
        settings: Box<SettingArguments>,
    },
    /// Archive a channel: it becomes read-only, and its name stays taken.
    #[command(visible_alias = "delete", after_help = "Example:\n  svc-admin channels archive releases --yes")]
    Archive {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// List the members of a channel by name.
    #[command(after_help = "Example:\n  svc-admin channels members general")]
    Members {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
        #[command(flatten)]
        page: PageArguments,
    },
    /// Add humans and agents as members.
    #[command(visible_alias = "join", after_help = "Example:\n  svc-admin channels invite releases bob reviewer")]
    Invite {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
        /// Humans and agents.
        #[arg(required = true, value_name = "NAME")]
        members: Vec<String>,
    },
    /// Remove a member. Removing a human removes all their agents too.
    #[command(after_help = "Example:\n  svc-admin channels remove releases bob")]
    Remove {
        #[arg(value_name = "CHANNEL", help = names::CHANNEL)]
        name: String,
        #[arg(value_name = "NAME", help = names::NAME)]
        member: String,
    },
}

/// Settings of a channel.
#[derive(Debug, Args)]
pub(super) struct SettingArguments {
    /// Purpose.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Current topic.
    #[arg(long, value_name = "TEXT")]
    topic: Option<String>,
    /// Whether everybody can read and join it.
    #[arg(long, value_name = "BOOL")]
    public: Option<bool>,
    /// The member who becomes the owner.
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Whether reactions to its messages set workflow states.
    #[arg(long, value_name = "BOOL", visible_alias = "workflow")]
    workflow_enabled: Option<bool>,
    /// Whether new messages are approved automatically.
    #[arg(long, value_name = "BOOL")]
    auto_approve: Option<bool>,
    /// Delay before a reminder of an unfinished message: 90s, 15m, 24h, 3d; 0 is never.
    #[arg(long, value_name = "DURATION", visible_alias = "remind-after")]
    stalemate_remind_after: Option<String>,
    /// Delay before the owner is notified of it; 0 is never.
    #[arg(long, value_name = "DURATION", visible_alias = "escalate-after")]
    stalemate_escalate_after: Option<String>,
    /// Minimum trust of an agent to publish, 0 to 1.
    #[arg(long, value_name = "N")]
    publish_threshold: Option<f64>,
    /// Minimum trust of an agent to approve, 0 to 1.
    #[arg(long, value_name = "N")]
    approve_threshold: Option<f64>,
}

impl SettingArguments {
    fn params(&self, name: &str) -> Result<UpdateParams, Failure> {
        let settings = ChannelSettings {
            workflow_enabled: self.workflow_enabled,
            auto_approve: self.auto_approve,
            stalemate_remind_after: self.stalemate_remind_after.clone(),
            stalemate_escalate_after: self.stalemate_escalate_after.clone(),
            publish_threshold: self.publish_threshold,
            approve_threshold: self.approve_threshold,
        };
        let texts = [&self.description, &self.topic, &self.owner];
        if settings == ChannelSettings::default() && self.public.is_none() && texts.iter().all(|text| text.is_none()) {
            return Err(Failure::Usage(
                "Name at least one setting, such as --topic TEXT; `svc-admin channels update --help` lists them."
                    .into(),
            ));
        }
        Ok(UpdateParams {
            name: name.to_owned(),
            description: self.description.clone(),
            topic: self.topic.clone(),
            public: self.public,
            owner: self.owner.clone(),
            settings,
        })
    }
}

pub(super) async fn run(command: &ChannelsCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        ChannelsCommand::List { q, archived, page } => list(context, q.clone(), *archived, *page).await,
        ChannelsCommand::Show { name } => {
            let channel = context.call::<Show>(&Named { name: name.clone() }).await?;
            Ok(Outcome::new(context.output.render(&channel, draw_one)))
        }
        ChannelsCommand::Create { name, owner, description, topic, private, members } => {
            let channel = NewChannel {
                name: name.clone(),
                description: description.clone(),
                topic: topic.clone(),
                public: Some(!private),
                members: Some(members.clone()),
            };
            let params = CreateParams { owner: owner.clone(), channel };
            let channel = context.call::<Create>(&params).await?;
            let sentence = format!("Created the {} channel {name} of {}.", privacy(&channel), channel.owner);
            Ok(Outcome::sentence(&context.output, &channel, &sentence))
        }
        ChannelsCommand::Update { name, settings } => {
            let channel = context.call::<Update>(&settings.params(name)?).await?;
            Ok(Outcome::new(context.output.render(&channel, draw_one)))
        }
        ChannelsCommand::Archive { name, yes } => {
            ask::confirm(&format!("This makes {name} read-only, and its name stays taken."), *yes)?;
            let channel = context.call::<Archive>(&Named { name: name.clone() }).await?;
            Ok(Outcome::sentence(&context.output, &channel, &format!("{} is archived.", channel.name)))
        }
        ChannelsCommand::Members { name, page } => members_of(context, name, *page).await,
        ChannelsCommand::Invite { name, members } => {
            let params = InviteParams { name: name.clone(), members: members.clone() };
            let invited = context.call::<Invite>(&params).await?;
            let names: Vec<_> = invited.members.iter().map(|member| member.name.as_str()).collect();
            let verb = if names.len() == 1 { "is a member" } else { "are members" };
            Ok(Outcome::sentence(&context.output, &invited, &format!("{} {verb} of {name}.", names.join(", "))))
        }
        ChannelsCommand::Remove { name, member } => {
            let params = RemoveParams { name: name.clone(), member: member.clone() };
            let removed = context.call::<Remove>(&params).await?;
            Ok(Outcome::sentence(&context.output, &removed, &format!("{member} is no longer a member of {name}.")))
        }
    }
}

async fn list(
    context: &mut Context,
    q: Option<String>,
    archived: bool,
    page: PageArguments,
) -> Result<Outcome, Failure> {
    let params = ListParams { q, archived, limit: Some(page.limit), offset: Some(page.offset) };
    let channels = context.call::<List>(&params).await?;
    let outcome = Outcome::new(context.output.render(&channels, draw));
    let empty = if archived { "No channel is archived." } else { "No matching channels." };
    Ok(page.remark(outcome, &context.output, (channels.channels.len(), channels.total), empty))
}

async fn members_of(context: &mut Context, name: &str, page: PageArguments) -> Result<Outcome, Failure> {
    let params = MembersParams { name: name.to_owned(), limit: Some(page.limit), offset: Some(page.offset) };
    let members = context.call::<Members>(&params).await?;
    let outcome = Outcome::new(context.output.render(&members, draw_members));
    Ok(page.remark(outcome, &context.output, (members.members.len(), members.total), "It has no members."))
}

fn privacy(channel: &Channel) -> &'static str {
    if channel.public { "public" } else { "private" }
}

fn draw(output: &Output, page: &ChannelPage) -> String {
    let now = when::now();
    let row = |channel: &Channel| {
        let tone = if channel.public { Tone::Good } else { Tone::Warning };
        vec![
            Cell::new(&channel.name),
            Cell::toned(privacy(channel), tone),
            Cell::new(&channel.owner),
            Cell::whole(channel.member_count.to_string()),
            Cell::new(&channel.topic),
            Cell::whole(when::relative(channel.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.channels.iter().map(row).collect();
    table::draw(output, &["NAME", "ACCESS", "OWNER", "MEMBERS", "TOPIC", "CREATED"], &rows)
}

fn draw_members(output: &Output, page: &MemberPage) -> String {
    let now = when::now();
    let row = |member: &Member| {
        let kind = if member.kind == ParticipantKind::Human { "human" } else { "agent" };
        vec![
            Cell::new(&member.name),
            Cell::new(&member.display_name),
            Cell::new(kind),
            Cell::new(if member.is_owner { "owner" } else { "member" }),
            Cell::whole(when::relative(member.joined_at, now)),
        ]
    };
    let rows: Vec<_> = page.members.iter().map(row).collect();
    table::draw(output, &["NAME", "DISPLAY NAME", "KIND", "PART", "JOINED"], &rows)
}

fn draw_one(output: &Output, channel: &Channel) -> String {
    let yes = |yes: bool| Cell::new(if yes { "yes" } else { "no" });
    let after = |text: &str| Cell::new(if text == "0" { "never" } else { text });
    let state = match channel.archived_at {
        None => Cell::toned("open", Tone::Good),
        Some(since) => Cell::toned(format!("archived since {} UTC", when::short(since)), Tone::Warning),
    };
    table::pairs(
        output,
        &[
            ("name", Cell::new(&channel.name)),
            ("access", Cell::new(privacy(channel))),
            ("owner", Cell::new(&channel.owner)),
            ("members", Cell::new(channel.member_count.to_string())),
            ("state", state),
            ("topic", Cell::new(&channel.topic)),
            ("description", Cell::new(&channel.description)),
            ("workflow", yes(channel.workflow_enabled)),
            ("auto approve", yes(channel.auto_approve)),
            ("remind after", after(&channel.stalemate_remind_after)),
            ("escalate after", after(&channel.stalemate_escalate_after)),
            ("publish threshold", Cell::new(channel.publish_threshold.to_string())),
            ("approve threshold", Cell::new(channel.approve_threshold.to_string())),
            ("created", Cell::new(format!("{} UTC", when::short(channel.created_at)))),
            ("changed", Cell::new(format!("{} UTC", when::short(channel.updated_at)))),
        ],
    )
}
