//! The timeline of a goal, in sentences.

use svc_core::goals::{GoalStatus, GoalTaskStatus, TimelineEntry, TimelineKind};

use super::task_word;
use crate::text;
use crate::view::goals::{counted, money};

/// A sentence about an entry, without its time.
pub(super) fn words(entry: &TimelineEntry) -> String {
    let who = entry.by.as_ref().map(|by| format!("@{by}"));
    let subject = entry.subject.as_ref().map(|subject| format!("“{}”", text::one_line(subject)));
    match entry.kind {
        TimelineKind::Goal => goal_words(entry, who),
        TimelineKind::Tree => who.map_or("Tasks were proposed".to_owned(), |who| format!("{who} proposed tasks")),
        TimelineKind::Task => task_words(entry, who, &subject.unwrap_or("a task".to_owned())),
        TimelineKind::Spend => {
            let on = subject.map_or(String::new(), |subject| format!(" on {subject}"));
            let cost = cost(entry);
            who.map_or_else(|| format!("{cost} spent{on}"), |who| format!("{who} spent {cost}{on}"))
        }
        TimelineKind::Proposal => {
            let agent = entry.subject.as_ref().map_or("an agent".to_owned(), |name| format!("@{name}"));
            let decided = entry.to.as_deref().filter(|to| matches!(*to, "approved" | "rejected"));
            let verb = decided.unwrap_or("proposed");
            who.map_or_else(|| format!("The agent {agent} was {verb}"), |who| format!("{who} {verb} the agent {agent}"))
        }
        TimelineKind::Alert => alert_words(entry, subject.as_deref()),
        TimelineKind::Message => who.map_or("The hub wrote".to_owned(), |who| format!("{who} wrote")),
    }
}

/// Words beside the sentence. An alert consists of its text already.
pub(super) fn remark(entry: &TimelineEntry) -> Option<String> {
    let text = entry.text.as_deref().filter(|text| !text.trim().is_empty())?;
    match entry.kind {
        TimelineKind::Alert => None,
        TimelineKind::Goal if entry.to.as_deref() == Some("stuck") && text == "budget" => {
            Some("The budget is used up.".to_owned())
        }
        _ => Some(text.to_owned()),
    }
}

fn goal_words(entry: &TimelineEntry, who: Option<String>) -> String {
    let after = entry.to.as_deref().unwrap_or_default();
    let Some(who) = who else { return format!("The goal is {after}") };
    let verb = match GoalStatus::parse(after) {
        Some(GoalStatus::Active) if entry.from.as_deref() == Some("stuck") => "resumed the goal",
        Some(GoalStatus::Draft) => "created the goal",
        Some(GoalStatus::Active) => "started the goal",
        Some(GoalStatus::Completed) => "completed the goal",
        Some(GoalStatus::Stuck) => "reported that the goal is stuck",
        Some(GoalStatus::Cancelled) => "cancelled the goal",
        None => "changed the goal",
    };
    format!("{who} {verb}")
}

fn task_words(entry: &TimelineEntry, who: Option<String>, subject: &str) -> String {
    use GoalTaskStatus::{Approved, AwaitingVerification, Cancelled, Claimed, Done, Failed, InProgress, Proposed};
    let status =
        |word: &Option<String>| GoalTaskStatus::ALL.into_iter().find(|status| Some(status.as_str()) == word.as_deref());
    let (from, to) = (status(&entry.from), status(&entry.to));
    let Some(who) = who else {
        let word = to.map_or("changed".to_owned(), |to| task_word(to).to_lowercase());
        return format!("{subject} is {word}");
    };
    let verb = match (from, to) {
        (Some(Failed), Some(Approved)) => "reopened",
        (Some(AwaitingVerification), Some(Done)) => "accepted the result of",
        (Some(AwaitingVerification), to) if to != Some(Cancelled) => "rejected the result of",
        (Some(Claimed | InProgress), Some(Approved)) => "released",
        (_, Some(Failed)) => "gave up on",
        (_, Some(Proposed)) => "proposed",
        (_, Some(Approved)) => "approved",
        (_, Some(Claimed)) => "claimed",
        (_, Some(InProgress)) => "started",
        (_, Some(AwaitingVerification)) => "submitted",
        (_, Some(Done)) => "finished",
        (_, Some(Cancelled)) => "cancelled",
        (_, None) => "changed",
    };
    format!("{who} {verb} {subject}")
}

/// The hub's own words, which go on after the name of the goal there.
fn alert_words(entry: &TimelineEntry, subject: Option<&str>) -> String {
    let of = subject.map_or(String::new(), |subject| format!(" of {subject}"));
    let text = entry.text.as_deref().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None if entry.to.as_deref() == Some("stuck") => format!("The budget{of} is used up"),
        None => format!("Much of the budget{of} is used"),
    }
}

/// `$0.12 and 1,204 tokens`
fn cost(entry: &TimelineEntry) -> String {
    let tokens = entry.tokens.filter(|tokens| *tokens > 0);
    let usd = entry.usd.filter(|usd| *usd > 0.0 || tokens.is_none()).map(money);
    let parts: Vec<_> = usd.into_iter().chain(tokens.map(|tokens| counted(tokens, "token", "tokens"))).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(" and ") }
}
