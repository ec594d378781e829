//! `channel-overview`: one channel in depth, or a comparison of all channels.

use svc_core::Result;
use svc_core::channels::Channel;
use svc_core::conversations::TimelineFilter;

use super::figures::{Viewer, total};
use super::page::{Page, Section};
use super::quote::{Authors, quoted};

/// Most messages of a channel that are read.
const NEWEST: i64 = 50;
/// Most workflow channels whose states are counted.
const COUNTED: usize = 20;

/// Overview of one channel.
pub(super) async fn one(viewer: &Viewer<'_>, name: &str) -> Result<Page> {
    let channel = viewer.hub.channels().get(viewer.caller, name.trim_start_matches('#')).await?;
    let mut page = Page::new(
        &format!("Channel {}", channel.name),
        "Say what this channel is about at the moment, what was decided, and what is open and for whom.",
    );
    page.add(facts(viewer, &channel).await?);
    page.add(stalled(viewer, std::slice::from_ref(&channel), Some(&channel.name)).await?);
    page.add(newest(viewer, &channel).await?);
    Ok(page)
}

async fn facts(viewer: &Viewer<'_>, channel: &Channel) -> Result<Section> {
    let mut section = Section::new("The channel").fact(line(channel));
    if channel.workflow_enabled {
        section = section.fact(format!(
            "Workflow: {}; an agent needs trust {:.2} to publish and {:.2} to approve.",
            viewer.states(&channel.name).await?,
            channel.publish_threshold,
            channel.approve_threshold
        ));
    }
    for (what, text) in [("Description", &channel.description), ("Topic", &channel.topic)] {
        if !text.is_empty() {
            section = section.fact(format!("{what} by its owner: {}", quoted(text)));
        }
    }
    Ok(section)
}

async fn newest(viewer: &Viewer<'_>, channel: &Channel) -> Result<Section> {
    let filter = TimelineFilter { limit: Some(NEWEST), peek: true, ..TimelineFilter::default() };
    let timeline = viewer.hub.messages().channel_timeline(viewer.caller, &channel.name, filter).await?;
    let voices = Authors::of(viewer.hub, viewer.caller, &timeline.messages).await?;
    let items: Vec<String> = timeline.messages.iter().rev().map(|message| voices.say(message)).collect();
    let mut section = Section::new("Newest messages, the newest first");
    if timeline.has_more_before {
        section = section.fact(format!("There are older ones than the newest {NEWEST}."));
    }
    let many = total(&items);
    Ok(section.list(items, many, "get_channel_messages shows them."))
}

async fn stalled(viewer: &Viewer<'_>, channels: &[Channel], only: Option<&str>) -> Result<Section> {
    let stalled = viewer.stalled_messages(channels, only).await?;
    let messages: Vec<_> = stalled.iter().map(|stalled| stalled.message.clone()).collect();
    let voices = Authors::of(viewer.hub, viewer.caller, &messages).await?;
    let items: Vec<String> = stalled.iter().map(|stalled| stalled.print(&voices.say(&stalled.message))).collect();
    let many = total(&items);
    Ok(Section::new("Stalled messages")
        .fact(format!("Messages that wait for longer than their channel allows: {many}."))
        .list(items, many, "list_by_state shows them."))
}

/// Overview of all channels.
pub(super) async fn all(viewer: &Viewer<'_>) -> Result<Page> {
    let (channels, many) = viewer.channels().await?;
    let mut page = Page::new(
        "Channels",
        "Say where something happens, which channels need attention, and which seem to be no longer used.",
    );
    let joined = channels.iter().filter(|channel| channel.is_member).count();
    let unread: i64 = channels.iter().map(|channel| channel.unread).sum();
    page.add(
        Section::new("All together")
            .fact(format!("Visible channels: {many}; joined: {joined}; messages unread: {unread}.")),
    );
    page.add(states(viewer, &channels).await?);
    page.add(stalled(viewer, &channels, None).await?);
    let mut ordered: Vec<&Channel> = channels.iter().collect();
    ordered.sort_by_key(|channel| std::cmp::Reverse((channel.mentions, channel.unread, channel.last_message_id)));
    let items = ordered.into_iter().map(line).collect();
    page.add(Section::new("Channel by channel").list(items, many, "list_channels shows them."));
    Ok(page)
}

async fn states(viewer: &Viewer<'_>, channels: &[Channel]) -> Result<Section> {
    let mut with: Vec<&Channel> = channels.iter().filter(|channel| channel.workflow_enabled).collect();
    with.sort_by_key(|channel| std::cmp::Reverse((channel.is_member, channel.last_message_id)));
    let all = i64::try_from(with.len()).unwrap_or(i64::MAX);
    let mut items = Vec::new();
    for channel in with.into_iter().take(COUNTED) {
        items.push(format!("{}: {}", channel.name, viewer.states(&channel.name).await?));
    }
    Ok(Section::new("States in workflow channels").fact(format!("Channels with a workflow: {all}.")).list(
        items,
        all,
        "channel-overview with a channel shows one.",
    ))
}

/// Summary of a channel on one line.
fn line(channel: &Channel) -> String {
    let kind = if channel.public { "public" } else { "private" };
    let mut words = vec![format!("{kind}, owned by {}, members: {}", channel.owner, channel.member_count)];
    words.push(if channel.is_member { "joined".into() } else { "not joined".into() });
    if channel.unread > 0 {
        words.push(format!("{} unread", channel.unread));
    }
    if channel.mentions > 0 {
        words.push(format!("{} mention you", channel.mentions));
    }
    if channel.workflow_enabled {
        words.push("workflow".into());
    }
    if channel.archived_at.is_some() {
        words.push("archived".into());
    }
    match channel.last_message_id {
        Some(last) => words.push(format!("newest message #{last}")),
        None => words.push("no messages yet".into()),
    }
    format!("{}: {}", channel.name, words.join(", "))
}
