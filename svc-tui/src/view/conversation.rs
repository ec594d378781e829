//! A conversation: timeline, thread and composer.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use svc_core::ids::MessageId;
use svc_core::messages::Message;
use svc_core::participants::ParticipantKind;

use super::View;
use super::parts;
use crate::backend::Place;
use crate::state::conversation::{Conversation, Focus};
use crate::state::messages::{Messages, Rendered};
use crate::state::outbox;
use crate::state::screen::Screen;
use crate::state::shared::Connection;
use crate::text;

/// Seconds within which messages of one sender are shown under one name.
const TOGETHER: u64 = 300;
/// Columns before the text of a message.
const INDENT: &str = "  ";
/// Maximum height of the composer, in lines.
const COMPOSER_MAX: usize = 8;

/// Draws a conversation.
pub(crate) fn draw(screen: &mut Conversation, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let (main, side) = parts::split(area, view);
    let composer = composer_height(screen, usize::from(area.width).saturating_sub(4), area.height);
    let bottom = |area| Layout::vertical([Constraint::Fill(1), Constraint::Length(composer)]).areas::<2>(area);
    screen.areas = crate::state::conversation::Areas::default();
    let (timeline, thread, field) = match (&screen.thread, side) {
        (Some(_), Some(side)) => {
            let [thread, field] = bottom(side);
            (Some(main), Some(thread), field)
        }
        // In a narrow window the thread covers the timeline.
        (Some(_), None) => {
            let [thread, field] = bottom(area);
            (None, Some(thread), field)
        }
        (None, _) => {
            let [timeline, field] = bottom(area);
            (Some(timeline), None, field)
        }
    };
    if let Some(timeline) = timeline {
        draw_timeline(screen, frame, timeline, view);
    }
    if let Some(thread) = thread {
        draw_thread(screen, frame, thread, view);
    }
    if !screen.is_read_only() {
        draw_composer(screen, frame, field, view);
    }
}

fn draw_timeline(screen: &mut Conversation, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let entry = view.shared.conversations.entry(&screen.place);
    let about = entry.map_or("", |entry| entry.about.as_str());
    let mut title = screen.title();
    if !about.is_empty() && !matches!(&screen.place, Place::Direct(name) if name.eq_ignore_ascii_case(about)) {
        title = format!("{title} · {}", text::one_line(about));
    }
    let inside = parts::pane(frame, area, &title, screen.focus == Focus::Timeline, view);
    screen.areas.timeline = inside;
    let waiting = waiting(screen, None, usize::from(inside.width), view);
    if screen.loaded.get().is_none() {
        let rows = u16::try_from(waiting.len()).unwrap_or(u16::MAX);
        let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Max(rows)]).areas(inside);
        parts::here(frame, above, &screen.loaded, view);
        frame.render_widget(Paragraph::new(waiting), below);
        return;
    }
    if screen.messages.list().is_empty() && waiting.is_empty() {
        let hint = if screen.is_read_only() { "" } else { "i writes the first one." };
        parts::centered(frame, inside, "No messages yet.", hint, view);
        return;
    }
    let marks = Marks { first_unread: screen.first_unread, focused: screen.focus == Focus::Timeline, replies: true };
    draw_messages(&mut screen.messages, frame, inside, &marks, waiting, view);
    if screen.more_after {
        hint(frame, inside, "↓ later messages: G", view);
    }
}

fn draw_thread(screen: &mut Conversation, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let Some(root) = screen.thread.as_ref().map(|thread| thread.root) else { return };
    let waiting = waiting(screen, Some(root), usize::from(area.width).saturating_sub(2), view);
    let focused = screen.focus == Focus::Thread;
    let title = format!("Thread in {}", screen.title());
    let inside = parts::pane(frame, area, &title, focused, view);
    screen.areas.thread = inside;
    let Some(thread) = &mut screen.thread else { return };
    if parts::here(frame, inside, &thread.loaded, view).is_some() {
        let marks = Marks { first_unread: None, focused, replies: false };
        draw_messages(&mut thread.messages, frame, inside, &marks, waiting, view);
    }
}

/// What is marked in a list of messages.
struct Marks {
    first_unread: Option<MessageId>,
    focused: bool,
    /// Whether the number of replies is shown.
    replies: bool,
}

/// Draws messages, so that the selected one is on screen.
fn draw_messages(
    messages: &mut Messages,
    frame: &mut Frame<'_>,
    area: Rect,
    marks: &Marks,
    waiting: Vec<Line<'static>>,
    view: &View<'_>,
) {
    let (columns, height) = (usize::from(area.width), usize::from(area.height));
    if columns < 4 || height == 0 {
        return;
    }
    render_missing(messages, columns, marks, view);
    // Lines before each message: a day, a mark of what is new.
    let mut lines: Vec<(Line<'static>, Option<usize>)> = Vec::new();
    let mut starts = Vec::with_capacity(messages.list().len() + 1);
    let mut previous: Option<&Message> = None;
    for (index, message) in messages.list().iter().enumerate() {
        starts.push(lines.len());
        let day = text::day(message.created_at, view.zone);
        if previous.is_none_or(|previous| text::day(previous.created_at, view.zone) != day) {
            lines.push((rule(&day, columns, view.look.dim, view), None));
        }
        let new = marks.first_unread == Some(message.id);
        if new {
            lines.push((rule("new", columns, view.look.mention, view), None));
        }
        let together = !new && previous.is_some_and(|previous| is_together(previous, message, view));
        let Some(rendered) = messages.cache.get(&message.id) else { continue };
        lines.extend(rendered.lines.iter().skip(usize::from(together)).map(|line| (line.clone(), Some(index))));
        previous = Some(message);
    }
    starts.push(lines.len());
    let selected_end = starts.get(messages.selected + 1).copied().unwrap_or(lines.len());
    let selected_start = starts.get(messages.selected).copied().unwrap_or(0);
    lines.extend(waiting.into_iter().map(|line| (line, None)));
    let last = lines.len().saturating_sub(height);
    let is_last = messages.selected + 1 >= messages.list().len();
    messages.top = messages.top.min(last);
    if messages.following && is_last && selected_end - selected_start <= height {
        messages.top = last;
    } else if selected_end - selected_start > height {
        messages.top =
            messages.top.clamp(selected_start.min(last), (selected_end - height).max(selected_start).min(last));
    } else {
        messages.top = messages.top.min(selected_start).max(selected_end.saturating_sub(height)).min(last);
    }
    messages.drawn.height = height;
    messages.drawn.starts = starts;
    for (row, (line, of)) in lines.into_iter().skip(messages.top).take(height).enumerate() {
        let place = Rect { y: area.y + u16::try_from(row).unwrap_or(0), height: 1, ..area };
        frame.render_widget(Paragraph::new(line), place);
        if marks.focused && of == Some(messages.selected) {
            let bar = Rect { width: 1, ..place };
            frame.render_widget(Paragraph::new(Span::styled("▌", view.look.border_focused)), bar);
        }
    }
}

/// Renders messages that are new, have changed, or have another width.
fn render_missing(messages: &mut Messages, columns: usize, marks: &Marks, view: &View<'_>) {
    let mut fresh = Vec::new();
    for message in messages.list() {
        let version =
            ((message.updated_at, message.version, message.deleted_at), message.reactions.len(), message.reply_count);
        let known = messages.cache.get(&message.id);
        if known.is_none_or(|known| known.columns != columns || known.version != version) {
            fresh.push((
                message.id,
                Rendered { version, columns, lines: message_lines(message, columns, marks.replies, view) },
            ));
        }
    }
    messages.cache.extend(fresh);
}

/// Whether a message is shown under the name of the one before it.
fn is_together(previous: &Message, message: &Message, view: &View<'_>) -> bool {
    previous.from == message.from
        && message.created_at.since(previous.created_at).as_secs() < TOGETHER
        && text::day(previous.created_at, view.zone) == text::day(message.created_at, view.zone)
        && message.workflow_state.is_none()
        && previous.workflow_state.is_none()
}

/// The lines of a message; the first one has the sender.
fn message_lines(message: &Message, columns: usize, replies: bool, view: &View<'_>) -> Vec<Line<'static>> {
    let look = view.look;
    let name = match message.from_kind {
        ParticipantKind::System => look.system,
        ParticipantKind::Agent => look.agent,
        ParticipantKind::Human if message.from == view.shared.me => look.mine,
        ParticipantKind::Human => look.strong,
    };
    let mut head = vec![
        Span::raw(INDENT),
        Span::styled(text::clock(message.created_at, view.zone), look.dim),
        Span::raw(" "),
        Span::styled(text::fit(&message.from, columns.saturating_sub(12).max(1)), name),
    ];
    if let Some(state) = message.workflow_state {
        head.push(Span::styled(format!(" [{}]", state.as_str()), look.accent));
    }
    if message.priority > 0 && message.channel.is_none() {
        head.push(Span::styled(format!(" priority {}", message.priority), look.dim));
    }
    if message.channel.is_none()
        && message.to.as_deref() == Some(&view.shared.me)
        && message.from_kind == ParticipantKind::Agent
    {
        head.push(Span::styled(format!(" {}", message.status.as_str()), look.dim));
    }
    let mut lines = text::wrap_spans(head, columns, INDENT);
    lines.truncate(1);
    let room = columns.saturating_sub(INDENT.len()).max(1);
    if !message.subject.is_empty() {
        lines.push(indented(Line::styled(text::fit(&message.subject, room), look.strong)));
    }
    if message.deleted_at.is_some() {
        let by = message.deleted_by.as_deref().unwrap_or("somebody");
        lines.push(indented(Line::styled(text::fit(&format!("(deleted by {by})"), room), look.dim)));
    }
    lines.extend(text::markdown(&message.body, room, &look).into_iter().map(indented));
    for file in &message.attachments {
        let about = format!("▤ {} ({})", text::one_line(&file.filename), size(file.size));
        lines.push(indented(Line::styled(text::fit(&about, room), look.link)));
    }
    let mut tail: Vec<Span<'static>> = Vec::new();
    if message.edited_at.is_some() && message.deleted_at.is_none() {
        tail.push(Span::styled("(edited)  ", look.dim));
    }
    for reaction in &message.reactions {
        let style = if reaction.by == view.shared.me { look.mine } else { look.dim };
        tail.push(Span::styled(format!("{} {}  ", reaction.reaction.as_str(), text::one_line(&reaction.by)), style));
    }
    if replies && message.reply_count > 0 {
        let word = if message.reply_count == 1 { "reply" } else { "replies" };
        tail.push(Span::styled(format!("↳ {} {word}", message.reply_count), look.accent));
    }
    if replies && message.reply_to.is_some() {
        tail.push(Span::styled("↰ in a thread", look.dim));
    }
    if !tail.is_empty() {
        lines.extend(text::wrap_spans(tail, room, "").into_iter().map(indented));
    }
    lines
}

fn indented(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw(INDENT));
    line
}

/// A size for people.
fn size(bytes: i64) -> String {
    match bytes {
        ..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// A line across with a text in it.
fn rule(label: &str, columns: usize, style: ratatui::style::Style, _: &View<'_>) -> Line<'static> {
    let label = text::fit(label, columns.saturating_sub(6));
    let rest = columns.saturating_sub(text::width(&label) + 4);
    Line::styled(format!("── {label} {}", "─".repeat(rest)), style)
}

/// Messages of this conversation that are not sent yet.
fn waiting(screen: &Conversation, thread: Option<MessageId>, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let kept = view.shared.kept.outbox().iter();
    for outgoing in
        kept.filter(|outgoing| outbox::goes_to(&outgoing.message, &screen.place) && outgoing.message.reply_to == thread)
    {
        let (state, style) = match &outgoing.refused {
            Some(reason) => (format!("not sent: {} · R sends again", text::one_line(reason)), view.look.bad),
            None if view.shared.connection == Connection::Live => ("sending …".to_owned(), view.look.dim),
            None => ("waits for the connection".to_owned(), view.look.warn),
        };
        lines.push(Line::styled(text::fit(&format!("{INDENT}{state}"), columns), style));
        let room = columns.saturating_sub(INDENT.len()).max(1);
        let body = text::wrapped(&text::clean(&outgoing.message.body), room);
        lines.extend(body.into_iter().take(6).map(|line| indented(Line::styled(line, view.look.dim))));
    }
    lines
}

fn hint(frame: &mut Frame<'_>, area: Rect, label: &str, view: &View<'_>) {
    let width = u16::try_from(text::width(label) + 2).unwrap_or(0).min(area.width);
    let place = Rect {
        x: area.right().saturating_sub(width),
        y: area.bottom().saturating_sub(1),
        width,
        height: 1.min(area.height),
    };
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Span::styled(format!(" {label} "), view.look.accent)), place);
}

fn composer_height(screen: &Conversation, columns: usize, height: u16) -> u16 {
    if screen.is_read_only() {
        return 0;
    }
    let lines = parts::field_lines(&screen.editor, columns).len().clamp(1, COMPOSER_MAX);
    u16::try_from(lines).unwrap_or(1).saturating_add(2).min((height / 2).max(1))
}

fn draw_composer(screen: &mut Conversation, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let focused = screen.focus == Focus::Composer;
    let title = if screen.edited.is_some() {
        "Edit the message".to_owned()
    } else if screen.writes_to_thread() {
        "Reply in the thread".to_owned()
    } else {
        format!("Write to {}", screen.title())
    };
    screen.areas.composer = area;
    let inside = parts::pane(frame, area, &title, focused, view);
    if screen.editor.text().is_empty() && !focused {
        let hint = text::fit("i writes, r replies, ? shows all keys", usize::from(inside.width));
        frame.render_widget(Paragraph::new(Span::styled(hint, view.look.dim)), inside);
        return;
    }
    parts::area(frame, inside, &screen.editor, focused, view);
}
