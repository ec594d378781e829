//! Picture of a goal: its cost, its tree, and the details of the selected row.

mod timeline;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::goals::{
    Autonomy, Goal, GoalDetail, GoalTask, GoalTaskStatus, Proposal, ProposalStatus, Spent, TimelineEntry, Verifier,
    VerifierKind,
};

use super::View;
use super::goals::{bar, counted, goal_status, money, progress, stuck, tone, uses};
use super::look::Look;
use super::parts::{self, Row as Parts};
use crate::state::goal::{GoalScreen, Row, is_blocked, path_to, rows};
use crate::state::headed;
use crate::text;

/// Draws the screen.
pub(crate) fn draw(screen: &mut GoalScreen, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let Some(detail) = parts::here(frame, area, &screen.goal, view) else { return };
    let rows = rows(detail, &screen.collapsed);
    let headings: Vec<_> = rows.iter().map(|row| row.key().is_none()).collect();
    headed::skip(&mut screen.selection, &headings, false);
    headed::reveal(&mut screen.selection, &headings);
    let selected = rows.get(screen.selection.index).copied();
    let summary = summary(&detail.goal, usize::from(area.width), view);
    let height = u16::try_from(summary.len()).unwrap_or(0).min(area.height / 3);
    let [head, body] = Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(summary), head);
    let (main, side) = parts::split(body, view);
    let side = side.or_else(|| screen.in_details.then_some(main));
    if view.wide || !screen.in_details {
        screen.area = main;
        parts::rows(frame, main, &mut screen.selection, rows.len(), true, view, |index, columns| {
            rows.get(index).map_or_else(Line::default, |row| line(row, detail, columns, view))
        });
    } else {
        screen.area = Rect::default();
    }
    if let (Some(side), Some(row)) = (side, selected)
        && let Some(key) = row.key()
    {
        let inside = parts::pane(frame, side, &title(&row), screen.in_details, view);
        let columns = usize::from(inside.width);
        let key = (key, detail.goal.updated_at, view.now.as_micros() / 60_000_000);
        screen.details.renew(&key, columns, || details(&row, detail, columns, view));
        screen.details.height = usize::from(inside.height);
        parts::scrolled(frame, inside, &screen.details.lines, &mut screen.details.offset);
    }
}

/// The status of a goal, its people, its progress and its cost.
pub(super) fn summary(goal: &Goal, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let (glyph, word, style) = goal_status(goal.status, look);
    let autonomy = match goal.autonomy {
        Autonomy::Supervised => "you approve tasks",
        Autonomy::Autonomous => "tasks need no approval",
    };
    let coordinator = goal.coordinator.as_ref().map_or("no coordinator".to_owned(), |name| format!("by @{name}"));
    let first = Parts::new(columns)
        .part(&format!("{glyph} {word}"), style)
        .gap(" · ", look.dim)
        .part(&coordinator, look.text)
        .gap(" · ", look.dim)
        .part(autonomy, look.text)
        .gap(" · ", look.dim)
        .part(&format!("changed {}", text::ago(goal.updated_at, view.now)), look.dim)
        .line();
    let width = (columns / 4).min(20);
    let counts = &goal.task_counts;
    let filled = if counts.total == 0 { 0 } else { counts.done };
    let mut lines =
        vec![first, meter(&bar(filled, counts.total.max(1), width), look.accent, &progress(goal), columns, look)];
    for one in uses(goal.spent, goal.budget) {
        let (bar, style) = if one.is_limited {
            (bar(one.used, one.limit, width), tone(one.percent(), look))
        } else {
            (" ".repeat(width), look.dim)
        };
        let share = if one.is_limited { format!(" ({} %)", one.percent()) } else { " spent, no limit".to_owned() };
        lines.push(meter(&bar, style, &format!("{}{share}", one.text), columns, look));
    }
    if let Some(reason) = stuck(goal) {
        lines.push(Parts::new(columns).part("Stuck: ", look.bad).part(&reason, look.text).line());
    }
    lines
}

fn meter(bar: &str, style: Style, text: &str, columns: usize, look: &Look) -> Line<'static> {
    let left = columns.saturating_sub(text::width(bar) + 1);
    let bar = format!("{bar} ");
    Line::from(vec![Span::styled(bar, style), Span::styled(text::fit(text, left), look.text)])
}

fn line(row: &Row<'_>, detail: &GoalDetail, columns: usize, view: &View<'_>) -> Line<'static> {
    let look = &view.look;
    match row {
        Row::Heading(title) => Parts::new(columns).part(title, look.heading).line(),
        Row::Hint(text) => Parts::new(columns).part(text, look.dim).line(),
        Row::Task { task, level, open } => task_line(task, *level, *open, detail, columns, look),
        Row::Proposal(proposal) => {
            let (glyph, word, style) = proposal_status(proposal.status, look);
            let cost = proposal.budget_usd.map_or("no limit".to_owned(), money);
            cells(
                columns,
                &[("  ", look.text), (glyph, style)],
                &format!("@{}  {}", proposal.name, proposal.purpose),
                look.text,
                &[(word, style, 10), (&cost, look.dim, 9)],
            )
        }
        Row::Entry(entry) => {
            let remark = timeline::remark(entry).map_or(String::new(), |remark| format!(": {remark}"));
            let words = format!("{}{remark}", timeline::words(entry));
            let when = text::ago(entry.at, view.now);
            cells(columns, &[("  ", look.text), ("·", look.dim)], &words, look.text, &[(&when, look.dim, 8)])
        }
    }
}

fn task_line(
    task: &GoalTask,
    level: usize,
    open: Option<bool>,
    detail: &GoalDetail,
    columns: usize,
    look: &Look,
) -> Line<'static> {
    let (glyph, word, style) = task_status(task.status, look);
    // Deep trees are indented no further than half of the line.
    let indent = " ".repeat((level * 2).min(columns / 2));
    let fold = match open {
        None => "  ",
        Some(true) => "▾ ",
        Some(false) => "▸ ",
    };
    let is_dim = matches!(task.status, GoalTaskStatus::Done | GoalTaskStatus::Cancelled);
    let title = if is_dim { look.dim } else { look.text };
    let who = task.claimant.as_ref().or(task.assignee.as_ref()).map_or(String::new(), |name| format!("@{name}"));
    let spent = cost(rolled_up(task, detail));
    let (word, style_of_word) = if is_blocked(task) { ("⊘ blocked", look.warn) } else { (word, style) };
    let state = if columns >= 60 || is_blocked(task) { word } else { "" };
    let width = if columns >= 60 { 12 } else { text::width(state) + 1 };
    cells(
        columns,
        &[(&indent, look.text), (fold, look.dim), (glyph, style)],
        &task.title,
        title,
        &[
            (state, style_of_word, width.min(12)),
            (&who, look.agent, if columns >= 72 { 15 } else { 0 }),
            (&spent, look.dim, if columns >= 46 { 9 } else { 0 }),
        ],
    )
}

/// A row: marks, a text, and columns of a fixed width at its right end.
fn cells(
    columns: usize,
    marks: &[(&str, Style)],
    text: &str,
    style: Style,
    right: &[(&str, Style, usize)],
) -> Line<'static> {
    let mut left = columns;
    let mut spans = Vec::new();
    for (mark, style) in marks {
        let width = text::width(mark);
        if width <= left {
            left -= width;
            spans.push(Span::styled((*mark).to_owned(), *style));
        }
    }
    let wanted: usize = right.iter().map(|(_, _, width)| width).sum();
    let with_right = wanted + 10 <= left;
    let middle = left.saturating_sub(if with_right { wanted + 2 } else { 1 });
    if left > 0 {
        spans.push(Span::raw(" "));
    }
    spans.push(Span::styled(text::padded(text, middle), style));
    if with_right {
        spans.push(Span::raw(" "));
        spans.extend(right.iter().map(|(text, style, width)| Span::styled(text::padded(text, *width), *style)));
    }
    Line::from(spans)
}

fn title(row: &Row<'_>) -> String {
    match row {
        Row::Heading(text) | Row::Hint(text) => (*text).to_owned(),
        Row::Task { task, .. } => task.title.clone(),
        Row::Proposal(proposal) => format!("@{}", proposal.name),
        Row::Entry(_) => "What happened".to_owned(),
    }
}

fn details(row: &Row<'_>, detail: &GoalDetail, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let mut sheet = Sheet { lines: Vec::new(), columns, look: view.look };
    match row {
        Row::Heading(_) | Row::Hint(_) => {}
        Row::Task { task, .. } => task_details(task, detail, &mut sheet, view),
        Row::Proposal(proposal) => proposal_details(proposal, &mut sheet, view),
        Row::Entry(entry) => entry_details(entry, &mut sheet, view),
    }
    sheet.lines
}

/// Lines of details that are written from top to bottom.
struct Sheet {
    lines: Vec<Line<'static>>,
    columns: usize,
    look: Look,
}

impl Sheet {
    /// A name and a value on one line or, if it is long, on several.
    fn fact(&mut self, name: &str, value: &str) {
        let name = Span::styled(format!("{name}: "), self.look.dim);
        let value = Span::styled(text::one_line(value), self.look.text);
        self.lines.extend(text::wrap_spans(vec![name, value], self.columns, "  "));
    }

    /// A heading with a text in Markdown; nothing for an empty text.
    fn section(&mut self, heading: &'static str, markdown: &str) {
        if markdown.trim().is_empty() {
            return;
        }
        self.lines.push(Line::default());
        self.lines.push(Line::styled(text::fit(heading, self.columns), self.look.heading));
        self.lines.extend(text::markdown(markdown, self.columns, &self.look));
    }
}

fn task_details(task: &GoalTask, detail: &GoalDetail, sheet: &mut Sheet, view: &View<'_>) {
    let look = &view.look;
    let above = path_to(&detail.tasks, task.id);
    if !above.is_empty() {
        let path = above.iter().map(|task| text::one_line(&task.title)).collect::<Vec<_>>().join(" / ");
        sheet.lines.push(Parts::new(sheet.columns).part(&path, look.dim).line());
    }
    let (glyph, word, style) = task_status(task.status, look);
    let changed = format!("changed {}", text::ago(task.updated_at, view.now));
    let state = Parts::new(sheet.columns).part(&format!("{glyph} {word}"), style).gap(" · ", look.dim);
    sheet.lines.push(state.part(&changed, look.dim).line());
    if let Some(hint) = decision(task.status).filter(|_| !detail.goal.status.is_final()) {
        sheet.lines.push(Parts::new(sheet.columns).part(hint, look.warn).line());
    }
    if is_blocked(task) {
        sheet.fact("Blocked by", &blockers(task, detail));
    }
    sheet.section("Result", task.result.as_deref().unwrap_or_default());
    sheet.section("Note", task.note.as_deref().unwrap_or_default());
    sheet.section("Description", &task.description);
    sheet.section("Acceptance criteria", &task.acceptance_criteria);
    sheet.lines.push(Line::default());
    let assignee = task.assignee.as_ref().map_or("any of your agents".to_owned(), |name| format!("@{name}"));
    sheet.fact("Assignee", &assignee);
    if let Some(name) = &task.claimant {
        let is_claimed = matches!(task.status, GoalTaskStatus::Claimed | GoalTaskStatus::InProgress);
        sheet.fact(if is_claimed { "Claimed by" } else { "Worked on by" }, &format!("@{name}"));
    }
    sheet.fact("Verified by", &verifier(&task.verifier));
    if !task.depends_on.is_empty() {
        sheet.fact("Depends on", &task.depends_on.join(", "));
    }
    let costs = uses(rolled_up(task, detail), task.budget);
    sheet.fact("Spent", &costs.into_iter().map(|one| one.text).collect::<Vec<_>>().join(", "));
    if let Some(code) = &task.billing_code {
        sheet.fact("Billed to", code);
    }
}

/// What the person can decide about a task.
fn decision(status: GoalTaskStatus) -> Option<&'static str> {
    match status {
        GoalTaskStatus::Proposed => Some("a approves it, x cancels it"),
        GoalTaskStatus::AwaitingVerification => Some("a accepts the result, x rejects it"),
        GoalTaskStatus::Failed => Some("R reopens it"),
        _ => None,
    }
}

/// The titles of the tasks that a task waits for.
fn blockers(task: &GoalTask, detail: &GoalDetail) -> String {
    let mut titles = Vec::new();
    let mut left: Vec<_> = detail.tasks.iter().collect();
    while let Some(one) = left.pop() {
        if task.blocked_by.contains(&one.id) {
            titles.push(text::one_line(&one.title));
        }
        left.extend(&one.children);
    }
    titles.sort_unstable();
    titles.join(", ")
}

fn proposal_details(proposal: &Proposal, sheet: &mut Sheet, view: &View<'_>) {
    let look = &view.look;
    let (glyph, word, style) = proposal_status(proposal.status, look);
    let proposed = format!("proposed {}", text::ago(proposal.created_at, view.now));
    let state = Parts::new(sheet.columns).part(&format!("{glyph} {word}"), style).gap(" · ", look.dim);
    sheet.lines.push(state.part(&proposed, look.dim).line());
    if proposal.status == ProposalStatus::Proposed {
        sheet.lines.push(Parts::new(sheet.columns).part("a approves it, x rejects it", look.warn).line());
    }
    sheet.section("Purpose", &proposal.purpose);
    sheet.lines.push(Line::default());
    sheet.fact("Proposed by", &format!("@{}", proposal.proposer));
    let budget = proposal.budget_usd.map_or("no limit".to_owned(), |usd| format!("{} in total", money(usd)));
    sheet.fact("Budget", &budget);
    sheet.fact("Autonomy", proposal.autonomy.as_str());
    let tools = match proposal.tools.as_deref() {
        None => "all".to_owned(),
        Some([]) => "none".to_owned(),
        Some(tools) => tools.join(", "),
    };
    sheet.fact("Tools", &tools);
    sheet.fact("Depth", &proposal.depth.to_string());
    if let Some(by) = &proposal.decided_by {
        sheet.fact("Decided by", &format!("@{by}"));
    }
    sheet.section("Reason", proposal.reason.as_deref().unwrap_or_default());
    sheet.section("Instructions", &proposal.instructions);
}

fn entry_details(entry: &TimelineEntry, sheet: &mut Sheet, view: &View<'_>) {
    let when = format!("{}, {}", text::day(entry.at, view.zone), text::clock(entry.at, view.zone));
    sheet.lines.push(Parts::new(sheet.columns).part(&when, view.look.dim).line());
    let words = Span::styled(text::one_line(&timeline::words(entry)), view.look.text);
    sheet.lines.extend(text::wrap_spans(vec![words], sheet.columns, ""));
    if let Some(remark) = timeline::remark(entry) {
        sheet.lines.push(Line::default());
        sheet.lines.extend(text::markdown(&remark, sheet.columns, &view.look));
    }
}

/// The glyph, the word and the style of the status of a task.
pub(super) fn task_status(status: GoalTaskStatus, look: &Look) -> (&'static str, &'static str, Style) {
    let word = task_word(status);
    match status {
        GoalTaskStatus::Proposed => ("◇", word, look.warn),
        GoalTaskStatus::Approved => ("○", word, look.text),
        GoalTaskStatus::Claimed => ("◔", word, look.accent),
        GoalTaskStatus::InProgress => ("◑", word, look.accent),
        GoalTaskStatus::AwaitingVerification => ("◈", word, look.warn),
        GoalTaskStatus::Done => ("✓", word, look.good),
        GoalTaskStatus::Failed => ("✗", word, look.bad),
        GoalTaskStatus::Cancelled => ("–", word, look.dim),
    }
}

/// The word of the status of a task.
pub(super) fn task_word(status: GoalTaskStatus) -> &'static str {
    match status {
        GoalTaskStatus::Proposed => "Proposed",
        GoalTaskStatus::Approved => "Approved",
        GoalTaskStatus::Claimed => "Claimed",
        GoalTaskStatus::InProgress => "In progress",
        GoalTaskStatus::AwaitingVerification => "To verify",
        GoalTaskStatus::Done => "Done",
        GoalTaskStatus::Failed => "Failed",
        GoalTaskStatus::Cancelled => "Cancelled",
    }
}

fn proposal_status(status: ProposalStatus, look: &Look) -> (&'static str, &'static str, Style) {
    match status {
        ProposalStatus::Proposed => ("◇", "Proposed", look.warn),
        ProposalStatus::Approved => ("✓", "Approved", look.good),
        ProposalStatus::Rejected => ("✗", "Rejected", look.dim),
    }
}

/// Who decides whether the result of a task is accepted.
fn verifier(verifier: &Verifier) -> String {
    match (verifier.kind, &verifier.by) {
        (VerifierKind::None, _) => "nobody: it is done when it is submitted".to_owned(),
        (VerifierKind::Human, _) => "you".to_owned(),
        (VerifierKind::Peer, Some(by)) => format!("@{by}"),
        (VerifierKind::Peer, None) => "another of your agents".to_owned(),
        (VerifierKind::Command, Some(by)) => format!("a run of @{by}"),
        (VerifierKind::Command, None) => "a run of an agent".to_owned(),
    }
}

/// The cost of a task with the tasks below it.
fn rolled_up(task: &GoalTask, detail: &GoalDetail) -> Spent {
    let sums = detail.rollup.iter().find(|sums| sums.task_id == task.id);
    sums.map_or(task.spent, |sums| Spent { usd: sums.usd, tokens: sums.tokens })
}

/// A cost in few columns; nothing for none.
fn cost(spent: Spent) -> String {
    if spent.usd > 0.0 {
        money(spent.usd)
    } else if spent.tokens > 0 {
        counted(spent.tokens, "tok", "tok")
    } else {
        String::new()
    }
}
