//! Picture of what waits for the person.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use svc_core::Timestamp;
use svc_core::goals::{Approval, ApprovalKind};
use svc_core::governance::{Loop, LoopKind};

use super::View;
use super::goals::counted;
use super::look::Look;
use super::parts::{self, Row as Parts};
use crate::state::kept::{self, Origin};
use crate::state::loaded::Loaded;
use crate::state::outbox;
use crate::state::today::{Item, Row, Today, is_complete, known, rows};

use crate::text;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Today, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    screen.area = Rect::default();
    let keys = screen.keys_of(view.shared);
    if is_complete(view.shared) {
        screen.follow(&keys);
    }
    let rows = rows(known(&screen.waiting), view.shared);
    let area = match &screen.waiting {
        Loaded::Here(_) if rows.is_empty() => {
            let hint = "Mentions, direct messages, decisions and failures appear here.";
            return parts::centered(frame, area, "Nothing waits for you.", hint, view);
        }
        Loaded::Here(_) => area,
        // What a person has written is here without the hub.
        Loaded::Failed(failure) if !rows.is_empty() => {
            let [above, below] = Layout::vertical([Constraint::Length(4), Constraint::Fill(1)]).areas(area);
            parts::centered(frame, above, &text::one_line(&failure.message), parts::remedy(view), view);
            below
        }
        waiting => {
            parts::here(frame, area, waiting, view);
            return;
        }
    };
    let (main, side) = parts::split(area, view);
    let mut selection = screen.selection;
    parts::rows(frame, main, &mut selection, rows.len(), true, view, |index, columns| match rows.get(index) {
        Some(Row::Heading(title, count)) => {
            let row = Parts::new(columns).part(title, view.look.heading);
            row.gap(" ", view.look.dim).part(&count.to_string(), view.look.dim).line()
        }
        Some(Row::Item(item)) => line(item, screen.is_deciding(&item.key()), columns, view),
        None => Line::default(),
    });
    (screen.selection, screen.area) = (selection, main);
    if let (Some(side), Some(Row::Item(item))) = (side, rows.get(selection.index)) {
        let Sentence { text, about, since, .. } = sentence(item, view);
        let inside = parts::pane(frame, side, &text, false, view);
        let columns = usize::from(inside.width);
        let key = (item.key(), text, about, since, view.now.as_micros() / 60_000_000);
        screen.details.renew(&key, columns, || details(item, columns, view));
        screen.details.height = usize::from(inside.height);
        parts::scrolled(frame, inside, &screen.details.lines, &mut screen.details.offset);
    }
}

/// An item in words.
struct Sentence {
    glyph: &'static str,
    style: Style,
    text: String,
    /// The beginning of its text.
    about: String,
    since: Option<Timestamp>,
}

fn line(item: &Item<'_>, is_deciding: bool, columns: usize, view: &View<'_>) -> Line<'static> {
    let look = &view.look;
    let Sentence { glyph, style, text, about, since } = sentence(item, view);
    let glyph = if is_deciding { "…" } else { glyph };
    let when = since.map_or(String::new(), |since| text::ago(since, view.now));
    let (mark, last) = (4, 8);
    let with_when = columns >= 40;
    let room = columns.saturating_sub(if with_when { mark + last } else { mark });
    let words = Parts::new(room).part(&text, look.text).gap("  ", look.dim).part(&about, look.dim).line();
    let used: usize = words.spans.iter().map(|span| text::width(&span.content)).sum();
    let mut spans = vec![Span::raw("  "), Span::styled(glyph, style), Span::raw(" ")];
    spans.extend(words.spans);
    if with_when {
        spans.push(Span::raw(" ".repeat(room.saturating_sub(used) + 1)));
        spans.push(Span::styled(text::padded(&when, last - 1), look.dim));
    }
    Line::from(spans)
}

fn sentence(item: &Item<'_>, view: &View<'_>) -> Sentence {
    let look = &view.look;
    match item {
        Item::Mention(mention) => {
            let text = format!("@{} in #{}:", mention.from, mention.channel);
            let since = Some(mention.created_at);
            Sentence { glyph: "@", style: look.mention, text, about: mention.text.clone(), since }
        }
        Item::Mentions(entry) | Item::Letters(entry) => {
            let name = entry.place.name();
            let (text, style) = match entry.partner {
                None => (format!("{} in {name}", counted(entry.mentions, "mention", "mentions")), look.mention),
                Some(_) => (format!("{} from {name}", counted(entry.unread, "message", "messages")), look.unread),
            };
            Sentence { glyph: "@", style, text, about: entry.about.clone(), since: None }
        }
        Item::Approval(waiting) => approval(waiting, look),
        Item::Proposal(message) => {
            let channel = message.channel.as_deref().unwrap_or_default();
            let text = format!("@{} in #{channel}:", message.from);
            let since = Some(message.created_at);
            Sentence { glyph: "◇", style: look.warn, text, about: message.body.clone(), since }
        }
        Item::MoreProposals => {
            let text = "All pending proposals".to_owned();
            Sentence { glyph: "→", style: look.dim, text, about: "on the board".to_owned(), since: None }
        }
        Item::Failed(run) => {
            let text = format!("Run {} of @{} failed", run.id, run.agent);
            let about = run.error.clone().unwrap_or_default();
            Sentence { glyph: "✗", style: look.bad, text, about, since: run.ended_at }
        }
        Item::Stopped(agent) => {
            let name = &agent.name;
            let (text, what) = match agent.quarantined_at {
                Some(_) => (format!("@{name} is quarantined"), "Check its failed runs, then end the quarantine."),
                None => (format!("@{name} is paused: its budget is spent"), "Raise the limit, or resume it."),
            };
            let wait = if agent.pending_work { "Messages wait for it. " } else { "" };
            let since = agent.quarantined_at.or(agent.paused_at);
            Sentence { glyph: "‖", style: look.bad, text, about: format!("{wait}{what}"), since }
        }
        Item::Held(held) => {
            let text = match &held.other {
                Some(other) => format!("Loop between @{} and @{other}", held.agent),
                None => format!("Loop of @{}", held.agent),
            };
            Sentence { glyph: "↻", style: look.warn, text, about: sign(held), since: Some(held.held_at) }
        }
        Item::Unsent(outgoing) => {
            let place = outbox::destination(&outgoing.message).map_or(String::new(), |place| place.name());
            let (text, style) = match &outgoing.refused {
                Some(_) => (format!("The hub refused a message to {place}"), look.bad),
                None => (format!("Waits to be sent to {place}"), look.warn),
            };
            let about = outgoing.refused.as_ref().unwrap_or(&outgoing.message.body).clone();
            Sentence { glyph: "↑", style, text, about, since: None }
        }
        Item::Draft(name, draft) => {
            let (text, about) = match kept::origin(name) {
                Some(Origin::Conversation(place)) => (format!("To {}", place.name()), *draft),
                Some(Origin::Thread(place, _)) => (format!("In a thread of {}", place.name()), *draft),
                Some(Origin::Article(slug)) => (format!("Article {slug}"), "Its text is not saved."),
                Some(Origin::NewArticle) => ("A new article".to_owned(), "Its text is not saved."),
                None => ((*name).to_owned(), *draft),
            };
            let about = about.to_owned();
            Sentence { glyph: "✎", style: look.dim, text, about, since: None }
        }
        Item::Dead(count) => {
            let text = counted(*count, "dead letter", "dead letters");
            let about = "Messages and deliveries that failed for good".to_owned();
            Sentence { glyph: "✗", style: look.bad, text, about, since: None }
        }
    }
}

fn approval(waiting: &Approval, look: &Look) -> Sentence {
    let agent = waiting.by.as_ref().map_or("An agent".to_owned(), |by| format!("@{by}"));
    let title = &waiting.title;
    let (glyph, text) = match waiting.kind {
        ApprovalKind::Task => ("◇", format!("Task to approve: {title}")),
        ApprovalKind::Verification => ("◈", format!("Result to verify: {title}")),
        ApprovalKind::Agent => ("◇", format!("{agent} proposes the agent @{title}")),
        ApprovalKind::Secret => ("⚿", format!("{agent} needs the secret {title}")),
    };
    let about = waiting.goal.clone().unwrap_or_else(|| waiting.text.clone());
    Sentence { glyph, style: look.warn, text, about, since: Some(waiting.since) }
}

/// The sign of a loop.
fn sign(held: &Loop) -> String {
    let count = held.count;
    match held.kind {
        LoopKind::Exchange => format!("{count} answers to each other without a human"),
        LoopKind::Repetition => format!("{count} messages with the same words"),
        LoopKind::Flood => format!("{count} messages in a minute in one conversation"),
    }
}

fn details(item: &Item<'_>, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let Sentence { text, about, since, .. } = sentence(item, view);
    let mut lines = text::wrap_spans(vec![Span::styled(text::one_line(&text), look.strong)], columns, "");
    if let Some(since) = since {
        let since = format!("since {}", text::ago(since, view.now));
        lines.push(Parts::new(columns).part(&since, look.dim).line());
    }
    let (hint, body) = match item {
        Item::Approval(waiting) => {
            if let Some(goal) = &waiting.goal {
                lines.push(Parts::new(columns).part("Goal: ", look.dim).part(goal, look.text).line());
            }
            let hint = match waiting.kind {
                ApprovalKind::Task => "a approves it, x cancels it",
                ApprovalKind::Verification => "a accepts the result, x rejects it",
                ApprovalKind::Agent => "a approves it, x rejects it",
                ApprovalKind::Secret => "The web UI takes secrets",
            };
            (hint, waiting.text.as_str())
        }
        Item::Proposal(message) => ("a approves it, x rejects it", message.body.as_str()),
        Item::Failed(_) => ("Enter shows the run, R repeats it", about.as_str()),
        _ => ("Enter opens it", about.as_str()),
    };
    lines.push(Parts::new(columns).part(hint, look.warn).line());
    lines.push(Line::default());
    lines.extend(text::markdown(body, columns, look));
    lines
}
