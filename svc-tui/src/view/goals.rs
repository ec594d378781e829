//! Picture of the list of goals, and the words and bars that pictures of goals share.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use svc_core::goals::{Goal, GoalBudget, GoalStatus, Spent};

use super::look::Look;
use super::parts::{self, Row};
use super::{View, goal};
use crate::state::goals::Goals;
use crate::text;

/// Columns of the bar of tasks, and of that of the cost.
const BAR: usize = 6;

/// Draws the screen.
pub(crate) fn draw(screen: &mut Goals, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let (main, side) = parts::split(area, view);
    let Some(list) = parts::here(frame, main, &screen.read, view) else { return };
    if list.goals.is_empty() {
        let hint = "A goal is an outcome with a budget. Create one in the web UI, or ask an agent to.";
        parts::centered(frame, main, "No goals yet.", hint, view);
        return;
    }
    // In a narrow window, the last lines say what the selected goal waits for.
    let foot = if side.is_none() && main.height >= 8 { 2 } else { 0 };
    let [head, rows, below] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(foot)]).areas(main);
    let columns = usize::from(head.width);
    frame.render_widget(Paragraph::new(Cells::head(&view.look).line(columns, view.look.dim, &view.look)), head);
    screen.area = rows;
    let goals = &list.goals;
    parts::rows(frame, rows, &mut screen.selection, goals.len(), true, view, |index, columns| {
        goals
            .get(index)
            .map_or_else(Line::default, |goal| Cells::of(goal, view).line(columns, view.look.text, &view.look))
    });
    let Some(goal) = goals.get(screen.selection.index) else { return };
    if let Some(side) = side {
        let inside = parts::pane(frame, side, &goal.title, false, view);
        let columns = usize::from(inside.width);
        let key = (goal.id, goal.updated_at, view.now.as_micros() / 60_000_000);
        screen.details.renew(&key, columns, || details(goal, columns, view));
        screen.details.height = usize::from(inside.height);
        parts::scrolled(frame, inside, &screen.details.lines, &mut screen.details.offset);
    } else if foot > 0 {
        let columns = usize::from(below.width);
        let lines = vec![Line::styled("─".repeat(columns), view.look.border), waits_for(goal, columns, &view.look)];
        frame.render_widget(Paragraph::new(lines), below);
    }
}

/// A bar with a text behind it.
#[derive(Default)]
struct Meter {
    bar: String,
    style: Style,
    text: String,
}

impl Meter {
    fn text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// The meter in exactly so many columns.
    fn spans(self, columns: usize, style: Style) -> [Span<'static>; 2] {
        let bar = if self.bar.is_empty() { self.bar } else { format!("{} ", self.bar) };
        let left = columns.saturating_sub(text::width(&bar));
        [Span::styled(bar, self.style), Span::styled(text::padded(&self.text, left), style)]
    }
}

/// The texts of a row.
struct Cells {
    status: (String, Style),
    title: String,
    tasks: Meter,
    cost: Meter,
    when: String,
}

impl Cells {
    fn head(look: &Look) -> Self {
        Self {
            status: ("Status".to_owned(), look.dim),
            title: "Goal".to_owned(),
            tasks: Meter::text("Tasks"),
            cost: Meter::text("Spent"),
            when: "Changed".to_owned(),
        }
    }

    fn of(goal: &Goal, view: &View<'_>) -> Self {
        let look = &view.look;
        let (glyph, word, style) = goal_status(goal.status, look);
        let counts = &goal.task_counts;
        let tasks = if counts.total == 0 {
            Meter::text("none yet")
        } else {
            let style = if counts.done == counts.total { look.good } else { look.accent };
            let text = format!("{}/{}", counts.done, counts.total);
            Meter { bar: bar(counts.done, counts.total, BAR), style, text }
        };
        let cost = match tightest(goal.spent, goal.budget) {
            Some(one) => Meter { bar: bar(one.used, one.limit, BAR), style: tone(one.percent(), look), text: one.text },
            None => Meter::text(&money(goal.spent.usd)),
        };
        let title = match stuck(goal) {
            Some(reason) => format!("{} – {reason}", goal.title),
            None => goal.title.clone(),
        };
        Self {
            status: (format!("{glyph} {word}"), style),
            title,
            tasks,
            cost,
            when: text::ago(goal.updated_at, view.now),
        }
    }

    /// The texts as columns. The least important ones are left out when there are few.
    fn line(self, columns: usize, style: Style, look: &Look) -> Line<'static> {
        let (status, tasks, cost, when) = (12, 14, 25, 8);
        let mut spans = Vec::new();
        let mut left = columns.saturating_sub(status + 1);
        if columns >= 46 {
            left -= tasks;
            spans.extend(self.tasks.spans(tasks, style));
        }
        if columns >= 76 {
            left -= cost;
            spans.extend(self.cost.spans(cost, style));
        }
        if columns >= 90 {
            left -= when;
            spans.push(Span::styled(text::padded(&self.when, when), look.dim));
        }
        let first = [
            Span::styled(text::padded(&self.status.0, status.min(columns)), self.status.1),
            Span::styled(text::padded(&self.title, left), style),
            Span::raw(" "),
        ];
        first.into_iter().chain(spans).collect()
    }
}

/// What a goal waits for, on one line.
fn waits_for(goal: &Goal, columns: usize, look: &Look) -> Line<'static> {
    let row = Row::new(columns);
    if let Some(reason) = stuck(goal) {
        return row.part("Stuck: ", look.bad).part(&reason, look.text).line();
    }
    if goal.task_counts.proposed > 0 && !goal.status.is_final() {
        let tasks = counted(goal.task_counts.proposed, "task", "tasks");
        return row
            .part(&format!("{tasks} to approve:"), look.warn)
            .part(" a approves all, Enter shows them", look.dim)
            .line();
    }
    let costs = uses(goal.spent, goal.budget).into_iter().map(|one| one.text).collect::<Vec<_>>().join(", ");
    row.part(&progress(goal), look.text).gap(" · ", look.dim).part(&costs, look.text).line()
}

fn details(goal: &Goal, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let mut lines = goal::summary(goal, columns, view);
    if goal.task_counts.proposed > 0 && !goal.status.is_final() {
        lines.push(waits_for(goal, columns, &view.look));
    }
    lines.push(Line::default());
    if let Some(summary) = &goal.completion_summary {
        lines.push(Line::styled("Outcome", view.look.heading));
        lines.extend(text::markdown(summary, columns, &view.look));
        lines.push(Line::default());
    }
    lines.extend(text::markdown(&goal.description, columns, &view.look));
    lines
}

/// The glyph, the word and the style of a status.
pub(super) fn goal_status(status: GoalStatus, look: &Look) -> (&'static str, &'static str, Style) {
    match status {
        GoalStatus::Draft => ("○", "Draft", look.dim),
        GoalStatus::Active => ("●", "Active", look.accent),
        GoalStatus::Completed => ("✓", "Completed", look.good),
        GoalStatus::Stuck => ("!", "Stuck", look.bad),
        GoalStatus::Cancelled => ("–", "Cancelled", look.dim),
    }
}

/// Why a goal does not go on.
pub(super) fn stuck(goal: &Goal) -> Option<String> {
    if goal.status != GoalStatus::Stuck {
        return None;
    }
    Some(match goal.stuck_reason.as_deref() {
        Some("budget") => "The budget is used up. Raise it to go on.".to_owned(),
        Some(reason) if !reason.trim().is_empty() => text::one_line(reason),
        _ => "No reason was given.".to_owned(),
    })
}

/// `3 of 8 tasks done`
pub(super) fn progress(goal: &Goal) -> String {
    let counts = &goal.task_counts;
    match counts.total {
        0 => "No tasks yet".to_owned(),
        1 => format!("{} of 1 task done", counts.done),
        total => format!("{} of {total} tasks done", counts.done),
    }
}

/// The use of one resource.
pub(super) struct Use {
    /// What is used, in the smallest unit.
    pub(super) used: i64,
    /// The limit; 0 without one.
    pub(super) limit: i64,
    /// Whether there is a limit.
    pub(super) is_limited: bool,
    /// `$1.20 of $5.00`
    pub(super) text: String,
}

impl Use {
    /// The share that is used, in percent.
    pub(super) fn percent(&self) -> i64 {
        if self.limit == 0 { 100 } else { self.used.saturating_mul(100) / self.limit }
    }
}

/// The use of money and of tokens. Tokens are left out when there are none and no limit.
pub(super) fn uses(spent: Spent, budget: GoalBudget) -> Vec<Use> {
    let spent_micros = GoalBudget { usd: Some(spent.usd), tokens: None }.micros().unwrap_or(0);
    let text = match budget.usd {
        Some(limit) => format!("{} of {}", money(spent.usd), money(limit)),
        None => money(spent.usd),
    };
    let limit = budget.micros();
    let mut uses = vec![Use { used: spent_micros, limit: limit.unwrap_or(0), is_limited: limit.is_some(), text }];
    if budget.tokens.is_some() || spent.tokens > 0 {
        let text = match budget.tokens {
            Some(limit) => format!("{} of {} tokens", count(spent.tokens), count(limit)),
            None => counted(spent.tokens, "token", "tokens"),
        };
        let limit = budget.tokens;
        uses.push(Use { used: spent.tokens, limit: limit.unwrap_or(0), is_limited: limit.is_some(), text });
    }
    uses
}

/// The use of the limit that is used most.
fn tightest(spent: Spent, budget: GoalBudget) -> Option<Use> {
    uses(spent, budget).into_iter().filter(|one| one.is_limited).max_by_key(Use::percent)
}

/// The style of a share that is used.
pub(super) fn tone(percent: i64, look: &Look) -> Style {
    match percent {
        100.. => look.bad,
        80.. => look.warn,
        _ => look.good,
    }
}

/// A bar. It is full only when everything is used, and empty only when nothing is.
pub(super) fn bar(part: i64, whole: i64, columns: usize) -> String {
    let filled = if part >= whole || columns == 0 {
        columns
    } else if part <= 0 {
        0
    } else {
        let share = i128::from(part) * i128::try_from(columns).unwrap_or(0) / i128::from(whole.max(1));
        usize::try_from(share).unwrap_or(0).clamp(1, columns.saturating_sub(1).max(1))
    };
    format!("{}{}", "█".repeat(filled), "░".repeat(columns.saturating_sub(filled)))
}

/// `$1.20`; small amounts have four digits.
pub(super) fn money(usd: f64) -> String {
    if usd > 0.0 && usd < 0.0001 {
        return "<$0.0001".to_owned();
    }
    let digits = if usd != 0.0 && usd.abs() < 0.1 { 4 } else { 2 };
    let text = format!("${usd:.digits$}");
    match digits {
        4 => text.strip_suffix("00").map_or(text.clone(), str::to_owned),
        _ => text,
    }
}

/// `1,204`
pub(super) fn count(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// `1 task`, `2 tasks`
pub(super) fn counted(number: i64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_only_at_the_end() {
        for (part, whole, expected) in
            [(0, 8, "░░░░"), (1, 100, "█░░░"), (50, 100, "██░░"), (99, 100, "███░"), (100, 100, "████"), (5, 0, "████")]
        {
            assert_eq!(bar(part, whole, 4), expected, "{part} of {whole}");
        }
        assert_eq!(bar(1, 2, 0), "");
        assert_eq!(bar(i64::MAX - 1, i64::MAX, 4), "███░");
    }

    #[test]
    fn amounts_are_short() {
        for (usd, expected) in
            [(0.0, "$0.00"), (1.2, "$1.20"), (0.0123, "$0.0123"), (0.05, "$0.05"), (0.00001, "<$0.0001")]
        {
            assert_eq!(money(usd), expected);
        }
        assert_eq!([count(7), count(1_204), count(1_234_567), count(-1_000)], ["7", "1,204", "1,234,567", "-1,000"]);
    }
}
