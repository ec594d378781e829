//! `channel-overview`: one channel in depth, or all of them side by side.

use svc_core::{Channel, Result, TimelineFilter};

use super::figures::{Asker, total};
use super::page::{Page, Section};
use super::quote::{Voices, quoted};

/// How many messages of a channel are read.
const NEWEST: i64 = 50;
/// Of how many workflow channels the states are counted.
const COUNTED: usize = 20;

/// One channel.
pub(super) async fn one(asker: &Asker<'_>, name: &str) -> Result<Page> {
    let channel = asker.hub.channels().get(asker.caller, name.trim_start_matches('#')).await?;
    let mut page = Page::new(
        &format!("Channel {}", channel.name),
        "Say what this channel is about at the moment, what was decided, and what is open and for whom.",
    );
    page.add(facts(asker, &channel).await?);
    page.add(still(asker, std::slice::from_ref(&channel), Some(&channel.name)).await?);
    page.add(newest(asker, &channel).await?);
    Ok(page)
}

async fn facts(asker: &Asker<'_>, channel: &Channel) -> Result<Section> {
    let mut section = Section::new("The channel").fact(line(channel));
    if channel.workflow_enabled {
        section = section.fact(format!(
            "Workflow: {}; an agent needs trust {:.2} to publish and {:.2} to approve.",
            asker.states(&channel.name).await?,
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

async fn newest(asker: &Asker<'_>, channel: &Channel) -> Result<Section> {
    let filter = TimelineFilter { limit: Some(NEWEST), peek: true, ..TimelineFilter::default() };
    let timeline = asker.hub.messages().channel_timeline(asker.caller, &channel.name, filter).await?;
    let voices = Voices::of(asker.hub, asker.caller, &timeline.messages).await?;
    let items: Vec<String> = timeline.messages.iter().rev().map(|message| voices.say(message)).collect();
    let mut section = Section::new("Newest messages, the newest first");
    if timeline.has_more_before {
        section = section.fact(format!("There are older ones than the newest {NEWEST}."));
    }
    let many = total(&items);
    Ok(section.list(items, many, "get_channel_messages shows them."))
}

async fn still(asker: &Asker<'_>, channels: &[Channel], only: Option<&str>) -> Result<Section> {
    let still = asker.standing_still(channels, only).await?;
    let messages: Vec<_> = still.iter().map(|still| still.message.clone()).collect();
    let voices = Voices::of(asker.hub, asker.caller, &messages).await?;
    let items: Vec<String> = still.iter().map(|still| still.print(&voices.say(&still.message))).collect();
    let many = total(&items);
    Ok(Section::new("Standing still")
        .fact(format!("Messages that wait for longer than their channel allows: {many}."))
        .list(items, many, "list_by_state shows them."))
}

/// All channels.
pub(super) async fn all(asker: &Asker<'_>) -> Result<Page> {
    let (channels, many) = asker.channels().await?;
    let mut page = Page::new(
        "Channels",
        "Say where something happens, which channels need somebody to look at them, and which seem to be no longer used.",
    );
    let joined = channels.iter().filter(|channel| channel.is_member).count();
    let unread: i64 = channels.iter().map(|channel| channel.unread).sum();
    page.add(
        Section::new("All together")
            .fact(format!("Channels to be seen: {many}; joined: {joined}; messages unread: {unread}.")),
    );
    page.add(states(asker, &channels).await?);
    page.add(still(asker, &channels, None).await?);
    let mut ordered: Vec<&Channel> = channels.iter().collect();
    ordered.sort_by_key(|channel| std::cmp::Reverse((channel.mentions, channel.unread, channel.last_message_id)));
    let items = ordered.into_iter().map(line).collect();
    page.add(Section::new("Channel by channel").list(items, many, "list_channels shows them."));
    Ok(page)
}

async fn states(asker: &Asker<'_>, channels: &[Channel]) -> Result<Section> {
    let mut with: Vec<&Channel> = channels.iter().filter(|channel| channel.workflow_enabled).collect();
    with.sort_by_key(|channel| std::cmp::Reverse((channel.is_member, channel.last_message_id)));
    let all = i64::try_from(with.len()).unwrap_or(i64::MAX);
    let mut items = Vec::new();
    for channel in with.into_iter().take(COUNTED) {
        items.push(format!("{}: {}", channel.name, asker.states(&channel.name).await?));
    }
    Ok(Section::new("States in workflow channels").fact(format!("Channels with a workflow: {all}.")).list(
        items,
        all,
        "channel-overview with a channel shows one.",
    ))
}

/// A channel on one line.
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
