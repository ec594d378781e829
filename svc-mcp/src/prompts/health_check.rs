//! `agent-health-check`: the state of the caller's agents.

use svc_core::agents::{Agent, AgentFilter};
use svc_core::dead_letters::DeadLetterFilter;
use svc_core::governance::PausedReason;
use svc_core::{Page as ListPage, Result, limits};

use super::figures::{Viewer, Work, failures, permitted, total};
use super::page::{Page, Section};

/// Most agents that are examined one by one.
const LOOKED_AT: i64 = 50;

pub(super) async fn page(viewer: &Viewer<'_>) -> Result<Page> {
    let mut page = Page::new(
        "Agent health check",
        "Say which of these agents need attention and why: those that are paused or quarantined, that leave work lying, that fail often or are little trusted. Propose one step for each.",
    );
    page.add(overall(viewer).await?);
    page.add(agents(viewer).await?);
    page.add(errors(viewer).await?);
    page.add(super::debug_agent::runs(viewer, None).await?);
    page.add(dead_letters(viewer).await?);
    Ok(page)
}

async fn overall(viewer: &Viewer<'_>) -> Result<Section> {
    let section = Section::new("All together");
    Ok(match permitted(viewer.hub.analytics().summary(viewer.caller).await)? {
        None => section.fact("This key is restricted to channels: it has no access to agent statistics."),
        Some(summary) => section
            .fact(format!(
                "{} of {} agents did something in the last 15 minutes.",
                summary.agents_active, summary.agents_total
            ))
            .fact(format!(
                "Messages sent: {} today, {} in 7 days, {} in all.",
                summary.messages_today, summary.messages_7d, summary.messages_total
            ))
            .fact(format!("Failures in the last 24 hours: {}.", summary.errors_24h)),
    })
}

async fn agents(viewer: &Viewer<'_>) -> Result<Section> {
    let page = ListPage::new(Some(LOOKED_AT), None)?;
    let found = viewer.hub.agents().list(viewer.caller, AgentFilter { page, ..AgentFilter::default() }).await?;
    let work = viewer.work(None).await?;
    let mut items = Vec::with_capacity(found.agents.len());
    for agent in &found.agents {
        items.push(line(viewer, agent, work.as_ref()).await?);
    }
    Ok(Section::new("Agent by agent").list(items, found.total, "debug-agent shows one of them in depth."))
}

async fn line(viewer: &Viewer<'_>, agent: &Agent, work: Option<&Work>) -> Result<String> {
    let stats = viewer.actions(Some(&agent.name)).await?;
    let trust = viewer.hub.trust().of(viewer.caller, &agent.name).await?;
    let publish = trust.scores.iter().find(|score| score.action_type == "publish");
    let trust = publish.map_or_else(|| "no feedback yet, counts as 0.50".into(), |score| format!("{:.2}", score.score));
    let waits = work.map_or_else(String::new, |work| {
        let [pending, processing, failed] = work.of(&agent.name);
        format!("; {pending} pending, {processing} processing, {failed} failed messages")
    });
    Ok(format!(
        "{}: {}{waits}; {} actions in 24 hours, {} of them failed; trust to publish {trust}",
        agent.name,
        condition(agent),
        stats.total,
        stats.errors,
    ))
}

/// Whether an agent may run, and why not.
pub(super) fn condition(agent: &Agent) -> String {
    let mut words = vec![agent.trigger_mode.as_str().to_owned()];
    if let Some(since) = agent.quarantined_at {
        words.push(format!("quarantined since {since}"));
    }
    if let Some(since) = agent.paused_at {
        let why = if agent.paused_reason == Some(PausedReason::Budget) { ", its budget is used up" } else { "" };
        words.push(format!("paused since {since}{why}"));
    }
    if agent.pending_work {
        words.push("work waits for its next run".into());
    }
    words.join(", ")
}

async fn errors(viewer: &Viewer<'_>) -> Result<Section> {
    let stats = viewer.actions(None).await?;
    let items = failures(&stats);
    let many = total(&items);
    Ok(Section::new("Failures by action, last 24 hours")
        .fact(format!("Failed: {} of {}.", stats.errors, stats.total))
        .list(items, many, ""))
}

async fn dead_letters(viewer: &Viewer<'_>) -> Result<Section> {
    let section = Section::new("Dead letters");
    let page = ListPage::new(Some(i64::from(limits::PAGE_DEFAULT)), None)?;
    let filter = DeadLetterFilter { acknowledged: Some(false), page, ..DeadLetterFilter::default() };
    let Some(found) = permitted(viewer.hub.dead_letters().list(viewer.caller, filter).await)? else {
        return Ok(section.fact("Visible to your owner only, not with this key."));
    };
    let items = found.dead_letters.iter().map(super::debug_agent::dead).collect();
    Ok(section.fact(format!("{} unacknowledged.", found.total)).list(items, found.total, ""))
}
