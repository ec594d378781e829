//! `daily-digest`: pending work, recent activity, and stalled messages.

use svc_core::Result;
use svc_core::analytics::Span;
use svc_core::conversations::ConversationKind;
use svc_core::dead_letters::DeadLetterFilter;
use svc_core::notifications::Unread;

use super::figures::{Viewer, failures, permitted, total};
use super::page::{Page, Section};
use super::quote::Authors;

/// Number of agents and channels in the rankings.
const RANKED: i64 = 5;

pub(super) async fn page(viewer: &Viewer<'_>) -> Result<Page> {
    let you = viewer.caller.identity();
    let (handle, owner) = you.map_or_else(Default::default, |you| (you.handle, you.owner));
    let task = format!(
        "You are {handle}, for {owner}; it is {}. Sum this up in a few sentences: what needs an answer first, what went wrong, and what can wait.",
        viewer.hub.clock().now()
    );
    let mut page = Page::new("Daily digest", &task);
    page.add(waiting(viewer).await?);
    page.add(unread(viewer).await?);
    page.add(activity(viewer).await?);
    page.add(errors(viewer).await?);
    page.add(stalled(viewer).await?);
    Ok(page)
}

async fn waiting(viewer: &Viewer<'_>) -> Result<Section> {
    let mut section = Section::new("Messages to work on");
    section = match dead_letters(viewer).await? {
        Some(dead) => section.fact(format!("Unacknowledged dead letters: {dead}.")),
        None => section.fact("Dead letters: visible to your owner only."),
    };
    let Some(work) = viewer.work(None).await? else {
        return Ok(section.fact("Direct messages: not visible with this key."));
    };
    let mut pending = work.pending.clone();
    pending.sort_by_key(|message| std::cmp::Reverse((message.priority, message.id)));
    let voices = Authors::of(viewer.hub, viewer.caller, &pending).await?;
    let items: Vec<String> = pending.iter().map(|message| voices.say(message)).collect();
    let many = total(&items);
    Ok(section.fact(format!("{}.", work.print())).list(items, many, "read_inbox shows them."))
}

async fn dead_letters(viewer: &Viewer<'_>) -> Result<Option<i64>> {
    let filter = DeadLetterFilter { acknowledged: Some(false), ..DeadLetterFilter::default() };
    Ok(permitted(viewer.hub.dead_letters().list(viewer.caller, filter).await)?.map(|page| page.total))
}

async fn unread(viewer: &Viewer<'_>) -> Result<Section> {
    let mut places = viewer.hub.notifications().unread(viewer.caller).await?;
    places.retain(|place| place.unread > 0);
    places.sort_by_key(|place| std::cmp::Reverse((place.mentions, place.unread)));
    // A channel message is not counted a second time as a direct copy of its mention.
    let all: i64 = places.iter().map(|place| place.unread - place.mention_copies).sum();
    let mentions: i64 = places.iter().map(|place| place.mentions).sum();
    let items: Vec<String> = places.iter().map(place).collect();
    let many = total(&items);
    Ok(Section::new("Unread").fact(format!("Messages unread: {all}; of these mention you: {mentions}.")).list(
        items,
        many,
        "my_status shows them.",
    ))
}

fn place(unread: &Unread) -> String {
    let name = match unread.kind {
        ConversationKind::Channel => format!("channel {}", unread.name),
        ConversationKind::Dm => format!("from {}", unread.name),
    };
    match (unread.mentions, unread.mention_copies) {
        (0, 0) => format!("{name}: {}", unread.unread),
        (0, copies) => format!("{name}: {}, {copies} of them from a channel", unread.unread),
        (mentions, _) => format!("{name}: {}, {mentions} of them mention you", unread.unread),
    }
}

async fn activity(viewer: &Viewer<'_>) -> Result<Section> {
    let analytics = viewer.hub.analytics();
    let mut section = Section::new("The last 24 hours");
    if let Some(activity) = permitted(analytics.timeline(viewer.caller, Span::Day).await)? {
        let sent: i64 = activity.buckets.iter().map(|bucket| bucket.sent).sum();
        let received: i64 = activity.buckets.iter().map(|bucket| bucket.received).sum();
        section = section.fact(format!("Messages sent: {sent}; direct messages received: {received}."));
        let busiest = activity.buckets.iter().max_by_key(|bucket| bucket.sent + bucket.received);
        if let Some(busiest) = busiest.filter(|bucket| bucket.sent + bucket.received > 0) {
            section = section.fact(format!(
                "The busiest hour began at {}: {} sent, {} received.",
                busiest.start, busiest.sent, busiest.received
            ));
        }
    }
    let agents = permitted(analytics.top_agents(viewer.caller, Span::Day, Some(RANKED)).await)?.unwrap_or_default();
    let channels = analytics.top_channels(viewer.caller, Span::Day, Some(RANKED)).await?;
    let mut items: Vec<String> =
        agents.iter().map(|agent| format!("agent {}, messages sent: {}", agent.name, agent.messages)).collect();
    items.extend(channels.iter().map(|channel| format!("channel {}, messages: {}", channel.name, channel.messages)));
    let many = total(&items);
    Ok(section.list(items, many, ""))
}

async fn errors(viewer: &Viewer<'_>) -> Result<Section> {
    let stats = viewer.actions(None).await?;
    let items = failures(&stats);
    let many = total(&items);
    Ok(Section::new("Failures in the last 24 hours")
        .fact(format!("Failed: {} of {}.", stats.errors, stats.total))
        .list(items, many, ""))
}

async fn stalled(viewer: &Viewer<'_>) -> Result<Section> {
    let (channels, _) = viewer.channels().await?;
    let stalled = viewer.stalled_messages(&channels, None).await?;
    let messages: Vec<_> = stalled.iter().map(|stalled| stalled.message.clone()).collect();
    let voices = Authors::of(viewer.hub, viewer.caller, &messages).await?;
    let items: Vec<String> = stalled.iter().map(|stalled| stalled.print(&voices.say(&stalled.message))).collect();
    let many = total(&items);
    Ok(Section::new("Stalled in workflow channels")
        .fact(format!("Messages that wait for longer than their channel allows: {many}."))
        .list(items, many, "list_by_state shows them."))
}
