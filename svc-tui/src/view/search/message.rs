//! One message beside a list, with its sender, its time and its text.
//!
//! Invariant: the lines are kept until the message or the width changes, so that drawing again costs little.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use svc_core::Timestamp;
use svc_core::ids::MessageId;
use svc_core::messages::{Message, MessageStatus};
use svc_core::participants::ParticipantKind;
use svc_core::reactions::{ReactionKind, WorkflowState};

use crate::action::Action;
use crate::text;
use crate::view::View;
use crate::view::look::Look;
use crate::view::parts::{self, Row};

/// A message as lines for one width, and the first line on screen.
#[derive(Default)]
pub(crate) struct MessageView {
    of: Option<(MessageId, Version)>,
    lines: Vec<Line<'static>>,
    offset: usize,
    height: usize,
}

/// Everything except for the message itself that the lines depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    updated_at: Timestamp,
    reactions: usize,
    columns: usize,
}

impl MessageView {
    /// Scrolls. Says whether the action was a movement.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        let page = self.height.max(2) - 1;
        self.offset = match action {
            Action::Up => self.offset.saturating_sub(1),
            Action::Down => self.offset + 1,
            Action::PageUp => self.offset.saturating_sub(page),
            Action::PageDown => self.offset + page,
            Action::Top => 0,
            Action::Bottom => self.lines.len(),
            _ => return false,
        };
        true
    }

    /// Draws a message.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, message: &Message, view: &View<'_>) {
        let columns = usize::from(area.width);
        let version = Version { updated_at: message.updated_at, reactions: message.reactions.len(), columns };
        if self.of.map(|(id, _)| id) != Some(message.id) {
            self.offset = 0;
        }
        if self.of != Some((message.id, version)) {
            self.lines = lines(message, columns, view);
            self.of = Some((message.id, version));
        }
        self.height = usize::from(area.height);
        parts::scrolled(frame, area, &self.lines, &mut self.offset);
    }
}

fn lines(message: &Message, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let look = &view.look;
    let when = format!("{}, {}", text::day(message.created_at, view.zone), text::clock(message.created_at, view.zone));
    let mut lines = vec![
        Row::new(columns)
            .part(&message.from, name_style(message, view))
            .gap(" → ", look.dim)
            .part(&place(message), look.accent)
            .line(),
        Row::new(columns).part(&when, look.dim).line(),
    ];
    if !message.subject.is_empty() {
        lines.push(Row::new(columns).part(&message.subject, look.strong).line());
    }
    let mut facts = Row::new(columns);
    if let Some(state) = message.workflow_state {
        facts = facts.part(state_title(state), state_style(state, look));
    }
    if message.status == MessageStatus::Failed {
        facts = facts.gap(" · ", look.dim).part("failed", look.bad);
    }
    for reaction in &message.reactions {
        let text = format!("{} {}", reaction_word(reaction.reaction), reaction.by);
        facts = facts.gap(" · ", look.dim).part(&text, look.dim);
    }
    let facts = facts.line();
    if !facts.spans.is_empty() {
        lines.push(facts);
    }
    lines.push(Line::default());
    lines.extend(text::markdown(&message.body, columns, look));
    if !message.attachments.is_empty() {
        lines.push(Line::default());
    }
    for attachment in &message.attachments {
        lines.push(Line::from(vec![Span::styled(
            text::fit(&format!("[file: {}]", attachment.filename), columns),
            look.link,
        )]));
    }
    lines
}

/// Where a message is: its channel, or its recipient.
pub(crate) fn place(message: &Message) -> String {
    match (&message.channel, &message.to) {
        (Some(channel), _) => format!("#{channel}"),
        (None, Some(to)) => format!("@{to}"),
        (None, None) => String::new(),
    }
}

/// The style of the name of a message's sender.
pub(crate) fn name_style(message: &Message, view: &View<'_>) -> Style {
    match message.from_kind {
        _ if message.from == view.shared.me => view.look.mine,
        ParticipantKind::Human => view.look.strong,
        ParticipantKind::Agent => view.look.agent,
        ParticipantKind::System => view.look.system,
    }
}

/// The name of a state.
pub(crate) fn state_title(state: WorkflowState) -> &'static str {
    match state {
        WorkflowState::Proposed => "Proposed",
        WorkflowState::Approved => "Approved",
        WorkflowState::InProgress => "In progress",
        WorkflowState::Rejected => "Rejected",
        WorkflowState::Done => "Done",
        WorkflowState::Published => "Published",
    }
}

/// The style of a state.
pub(crate) fn state_style(state: WorkflowState, look: &Look) -> Style {
    match state {
        WorkflowState::Proposed => look.strong,
        WorkflowState::Approved => look.accent,
        WorkflowState::InProgress => look.warn,
        WorkflowState::Rejected => look.bad,
        WorkflowState::Done | WorkflowState::Published => look.good,
    }
}

fn reaction_word(kind: ReactionKind) -> &'static str {
    match kind {
        ReactionKind::Approve => "approved by",
        ReactionKind::Reject => "rejected by",
        ReactionKind::InProgress => "claimed by",
        ReactionKind::Done => "done by",
        ReactionKind::Published => "published by",
    }
}
