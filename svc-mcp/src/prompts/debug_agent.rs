//! `debug-agent`: one agent in depth.

use svc_core::agents::Agent;
use svc_core::dead_letters::{DeadLetter, DeadLetterFilter};
use svc_core::participants::ParticipantKind;
use svc_core::runs::{Run, RunFilter, RunStatus};
use svc_core::search::SearchFilter;
use svc_core::traces::TraceFilter;
use svc_core::trust::OwnerRelation;
use svc_core::{ErrorKind, Page as ListPage, Result, limits};

use super::figures::{Viewer, failures, no_agent, permitted, total};
use super::health_check::condition;
use super::page::{Page, Section};
use super::quote::{Authors, quoted};

/// Most messages and failures of the agent that are shown.
const NEWEST: i64 = 20;
/// Most runs that are shown.
const LAST_RUNS: i64 = 10;

pub(super) async fn page(viewer: &Viewer<'_>, name: &str) -> Result<Page> {
    let name = name.trim_start_matches('@');
    match viewer.hub.agents().get(viewer.caller, name).await {
        Ok(agent) => own(viewer, &agent).await,
        Err(error) if error.kind() == ErrorKind::NotFound => sibling(viewer, name).await,
        Err(error) => Err(error),
    }
}

fn begin(name: &str) -> Page {
    Page::new(
        &format!("Agent {name}"),
        "Find out what keeps this agent from doing its work: name the likely cause, what speaks for it, and what to try first.",
    )
}

/// Page for the caller's own agent, or the caller itself.
async fn own(viewer: &Viewer<'_>, agent: &Agent) -> Result<Page> {
    let mut page = begin(&agent.name);
    page.add(settings(agent));
    page.add(work(viewer, agent).await?);
    page.add(actions(viewer, agent).await?);
    page.add(latest_failures(viewer, agent).await?);
    page.add(runs(viewer, Some(&agent.name)).await?);
    page.add(dead_letters(viewer, agent).await?);
    page.add(trust(viewer, &agent.name).await?);
    page.add(said(viewer, &agent.name).await?);
    Ok(page)
}

/// Page for another agent of the caller's owner, as far as an agent may see it; an agent of another owner is not
/// found.
async fn sibling(viewer: &Viewer<'_>, name: &str) -> Result<Page> {
    let known = viewer.hub.trust().acquaintances(viewer.caller, [name.to_owned()]).await?;
    let found = known.into_iter().find(|(handle, _)| handle.eq_ignore_ascii_case(name));
    let Some((handle, _)) =
        found.filter(|(_, one)| one.kind == ParticipantKind::Agent && one.owner == OwnerRelation::Same)
    else {
        return Err(no_agent());
    };
    let mut page = begin(&handle);
    page.add(
        Section::new("Visibility")
            .fact("It belongs to your owner. Its settings, inbox and traces are for your owner and for itself."),
    );
    page.add(trust(viewer, &handle).await?);
    page.add(said(viewer, &handle).await?);
    Ok(page)
}

/// The last runs of an agent, or the last failed ones of all.
pub(super) async fn runs(viewer: &Viewer<'_>, agent: Option<&str>) -> Result<Section> {
    let section = Section::new(if agent.is_some() { "Its last runs" } else { "Failed runs" });
    let filter = RunFilter {
        agent: agent.map(ToOwned::to_owned),
        status: agent.is_none().then_some(RunStatus::Failed),
        before: None,
        limit: Some(LAST_RUNS),
    };
    let Some(found) = permitted(viewer.hub.runs().list(viewer.caller, filter).await)? else {
        return Ok(section.fact("Visible to your owner only, not with this key."));
    };
    let line = |run: &Run| {
        let error = run.error.as_deref().map_or_else(String::new, |error| format!(" ({error})"));
        let message = run.trigger_message_id.map_or_else(String::new, |id| format!(", message {id}"));
        format!("run {} of {} at {}: {}{error}{message}", run.id, run.agent, run.created_at, run.status)
    };
    let items: Vec<_> = found.runs.iter().map(line).collect();
    let many = total(&items);
    Ok(section.list(items, many, "get_run shows one of them."))
}

fn settings(agent: &Agent) -> Section {
    Section::new("Settings")
        .fact(format!("Owned by {}; {}.", agent.owner, condition(agent)))
        .fact(format!(
            "Pause between runs {} s, at most {} runs a day, trigger depth {}.",
            agent.cooldown_seconds, agent.daily_run_budget, agent.max_trigger_depth
        ))
        .fact(format!("Made {}, changed {}.", agent.created_at, agent.updated_at))
}

async fn work(viewer: &Viewer<'_>, agent: &Agent) -> Result<Section> {
    let section = Section::new("Its inbox");
    let Some(work) = viewer.work(Some(&agent.name)).await? else {
        return Ok(section.fact("Direct messages: not visible with this key."));
    };
    let mut shown = work.failed.clone();
    shown.extend(work.processing.iter().cloned());
    shown.extend(work.pending.iter().cloned());
    let voices = Authors::of(viewer.hub, viewer.caller, &shown).await?;
    let items: Vec<String> =
        shown.iter().map(|message| format!("{} {}", message.status.as_str(), voices.say(message))).collect();
    let many = total(&items);
    Ok(section.fact(format!("{}.", work.print())).list(items, many, ""))
}

async fn actions(viewer: &Viewer<'_>, agent: &Agent) -> Result<Section> {
    let stats = viewer.actions(Some(&agent.name)).await?;
    let mut items = failures(&stats);
    let fine = stats.actions.iter().filter(|action| action.errors == 0);
    items.extend(fine.map(|action| format!("{}: {}, none failed", action.action, action.count)));
    let many = total(&items);
    Ok(Section::new("Activity in the last 24 hours, by action")
        .fact(format!("Actions: {}; failed: {}.", stats.total, stats.errors))
        .list(items, many, ""))
}

async fn latest_failures(viewer: &Viewer<'_>, agent: &Agent) -> Result<Section> {
    let filter = TraceFilter {
        agent: Some(agent.name.clone()),
        error: Some(true),
        limit: Some(NEWEST),
        ..TraceFilter::default()
    };
    let found = viewer.hub.traces().list(viewer.caller, filter).await?;
    let items: Vec<String> = found
        .traces
        .iter()
        .map(|trace| {
            let why = trace.error.as_deref().unwrap_or_default();
            let (action, surface) = (&trace.action, trace.surface.as_str());
            format!("{}: {action} over {surface}, {} ms: {}", trace.created_at, trace.duration_ms, quoted(why))
        })
        .collect();
    let mut section = Section::new("Its latest failures");
    if items.is_empty() {
        section = section.fact("None on record.");
    } else if found.next_cursor.is_some() {
        section = section.fact(format!("There are older ones than the latest {NEWEST}."));
    }
    let many = total(&items);
    Ok(section.list(items, many, ""))
}

async fn dead_letters(viewer: &Viewer<'_>, agent: &Agent) -> Result<Section> {
    let section = Section::new("Dead letters");
    let page = ListPage::new(Some(i64::from(limits::PAGE_MAX)), None)?;
    let filter = DeadLetterFilter { page, ..DeadLetterFilter::default() };
    let Some(found) = permitted(viewer.hub.dead_letters().list(viewer.caller, filter).await)? else {
        return Ok(section.fact("Visible to its owner only, not with this key."));
    };
    let items: Vec<String> =
        found.dead_letters.iter().filter(|letter| letter.participant == agent.name).map(dead).collect();
    let many = total(&items);
    let among = if found.total > i64::from(limits::PAGE_MAX) {
        format!("{many} among the newest {} of all your agents.", limits::PAGE_MAX)
    } else {
        format!("{many}.")
    };
    Ok(section.fact(among).list(items, many, ""))
}

/// A dead letter on one line.
pub(super) fn dead(letter: &DeadLetter) -> String {
    let message = letter.message.as_ref().map_or_else(String::new, |message| {
        format!(", message #{} from {} ({})", message.id, message.from, message.from_kind.as_str())
    });
    let noted = if letter.acknowledged_at.is_some() { ", noted" } else { "" };
    format!(
        "{} for {}{message}, attempts: {}{noted}: {}",
        letter.created_at,
        letter.participant,
        letter.attempts,
        quoted(&letter.reason)
    )
}

async fn trust(viewer: &Viewer<'_>, name: &str) -> Result<Section> {
    let trust = viewer.hub.trust().of(viewer.caller, name).await?;
    let items: Vec<String> = trust
        .scores
        .iter()
        .map(|score| {
            let kind = quoted(&score.action_type);
            format!("{kind}: {:.2}, judgements: {}, last {}", score.score, score.adjustments, score.updated_at)
        })
        .collect();
    let mut section = Section::new("Trust");
    if items.is_empty() {
        section = section.fact("No feedback yet, which counts as 0.50.");
    }
    let many = total(&items);
    Ok(section.list(items, many, "get_trust shows them."))
}

async fn said(viewer: &Viewer<'_>, name: &str) -> Result<Section> {
    let filter = SearchFilter {
        peek: true,
        agent: Some(name.to_owned()),
        sort: Some("newest".into()),
        limit: Some(NEWEST),
        ..SearchFilter::default()
    };
    let found = viewer.hub.search().messages(viewer.caller, filter).await?;
    let messages: Vec<_> = found.messages.into_iter().map(|hit| hit.message).collect();
    let voices = Authors::of(viewer.hub, viewer.caller, &messages).await?;
    let items: Vec<String> = messages
        .iter()
        .map(|message| {
            let place = match (&message.channel, &message.to) {
                (Some(channel), _) => format!("in {channel}"),
                (None, Some(to)) => format!("to {to}"),
                (None, None) => String::new(),
            };
            format!("{place} {}", voices.say(message))
        })
        .collect();
    Ok(Section::new("Its messages that you can see, the newest first")
        .fact(format!("Messages: {}.", found.total))
        .list(items, found.total, "search_messages with agent shows them."))
}
