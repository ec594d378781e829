//! The board: messages of workflow channels, by the state of the workflow.
//!
//! Invariants: at most one request for the board is on its way; news during it leads to one more. A message has at most
//! one change on its way, so that a key pressed twice does not undo itself.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::try_join_all;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use svc_core::ids::MessageId;
use svc_core::live::LiveBody;
use svc_core::messages::Message;
use svc_core::reactions::{ReactionAction, ReactionChange, ReactionKind, WorkflowState};

use super::context::Context;
use super::destination::Destination;
use super::list::Selection;
use super::loaded::Loaded;
use super::parts::go_to;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Backend, Result};
use crate::text;
use crate::view::View;
use crate::view::search::message::MessageView;

/// Messages of a state that are read.
const PAGE: i64 = 50;

/// The states, in the order of the board.
pub(crate) const STATES: [WorkflowState; 6] = [
    WorkflowState::Proposed,
    WorkflowState::Approved,
    WorkflowState::InProgress,
    WorkflowState::Done,
    WorkflowState::Published,
    WorkflowState::Rejected,
];

/// The messages in a state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    /// The latest messages, the newest first.
    pub(crate) messages: Vec<Message>,
    /// The number of all.
    pub(crate) total: i64,
}

/// The areas of the last drawing, for the mouse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Areas {
    /// The tabs, by the index of the state.
    pub(crate) tabs: Vec<(usize, Rect)>,
    /// The lists, by the index of the state.
    pub(crate) lists: Vec<(usize, Rect)>,
    /// Lines of a message.
    pub(crate) card: u16,
}

/// The board of a channel, or of all channels with a workflow.
pub(crate) struct Board {
    /// The channel.
    pub(crate) channel: Option<String>,
    /// The columns, in the order of [`STATES`].
    pub(crate) columns: Loaded<Vec<Column>>,
    /// The index of the selected column.
    pub(crate) column: usize,
    /// The selected message of each column.
    pub(crate) selections: [Selection; STATES.len()],
    /// The first column on screen.
    pub(crate) first: usize,
    /// The selected message, as it is drawn.
    pub(crate) shown: MessageView,
    /// The areas of the last drawing.
    pub(crate) areas: Areas,
    /// Messages with a change on its way.
    changing: HashSet<MessageId>,
    dirty: bool,
    loading: bool,
    again: bool,
}

impl Board {
    /// The board of a channel, or of all.
    pub(crate) fn new(channel: Option<String>) -> Self {
        Self {
            channel,
            columns: Loaded::Waiting,
            column: 0,
            selections: [Selection::default(); STATES.len()],
            first: 0,
            shown: MessageView::default(),
            areas: Areas::default(),
            changing: HashSet::new(),
            dirty: false,
            loading: false,
            again: false,
        }
    }

    /// The selected message.
    pub(crate) fn selected(&self) -> Option<&Message> {
        let selection = self.selections.get(self.column)?;
        self.columns.get()?.get(self.column)?.messages.get(selection.index)
    }

    fn count(&self, column: usize) -> usize {
        self.columns.get().and_then(|columns| columns.get(column)).map_or(0, |column| column.messages.len())
    }

    fn request(&mut self, context: &mut Context<'_>) {
        if self.loading {
            self.again = true;
            return;
        }
        self.loading = true;
        let channel = self.channel.clone();
        let asked = channel.clone();
        context.ask(
            move |hub| fetch(hub, channel),
            move |board: &mut Self, answer, context| {
                board.loading = false;
                if board.channel == asked {
                    board.arrived(answer, context);
                }
                if std::mem::take(&mut board.again) {
                    board.request(context);
                }
            },
        );
    }

    fn arrived(&mut self, answer: Result<Vec<Column>>, context: &mut Context<'_>) {
        let known = self.columns.get().is_some();
        let chosen: Vec<_> = (0..STATES.len()).map(|column| self.chosen(column)).collect();
        if let Some(failure) = self.columns.take(answer) {
            context.fail(&failure);
        }
        for (column, chosen) in chosen.into_iter().enumerate() {
            self.select(column, chosen);
        }
        if !known && self.count(self.column) == 0 {
            self.column = (0..STATES.len()).find(|column| self.count(*column) > 0).unwrap_or(self.column);
        }
    }

    fn chosen(&self, column: usize) -> Option<MessageId> {
        let messages = &self.columns.get()?.get(column)?.messages;
        messages.get(self.selections.get(column)?.index).map(|message| message.id)
    }

    /// Selects a message in a column. If it is gone, the selection stays at its row.
    fn select(&mut self, column: usize, id: Option<MessageId>) {
        let Some(list) = self.columns.get().and_then(|columns| columns.get(column)) else { return };
        let Some(selection) = self.selections.get_mut(column) else { return };
        if let Some(index) = list.messages.iter().position(|message| Some(message.id) == id) {
            selection.index = index;
        }
        selection.limit(list.messages.len());
    }

    fn react(&mut self, kind: ReactionKind, context: &mut Context<'_>) {
        let Some(id) = self.selected().map(|message| message.id) else { return };
        if !self.changing.insert(id) {
            return;
        }
        let idempotency_key = context.shared.new_key();
        context.change(
            move |hub| async move { hub.react(id, kind, &idempotency_key).await },
            move |board: &mut Self, answer: Result<ReactionChange>, context| {
                board.changing.remove(&id);
                match answer {
                    Ok(change) => {
                        context.note(told(kind, change.action));
                        board.moved(id, change);
                        board.request(context);
                    }
                    Err(failure) => context.fail(&failure),
                }
            },
        );
    }

    /// Moves a message to the column of its new state, before the hub is asked again.
    fn moved(&mut self, id: MessageId, change: ReactionChange) {
        let chosen: Vec<_> = (0..STATES.len()).map(|column| self.chosen(column)).collect();
        let Some(columns) = self.columns.get_mut() else { return };
        let found = columns.iter_mut().find_map(|column| {
            let index = column.messages.iter().position(|message| message.id == id)?;
            column.total -= 1;
            Some(column.messages.remove(index))
        });
        let target = STATES.iter().position(|state| Some(*state) == change.workflow_state);
        let target = target.and_then(|target| columns.get_mut(target));
        if let (Some(mut message), Some(target)) = (found, target) {
            message.reactions = change.reactions;
            message.workflow_state = change.workflow_state;
            let index = target.messages.iter().position(|other| other.id < id).unwrap_or(target.messages.len());
            target.messages.insert(index, message);
            target.total += 1;
        }
        for (column, chosen) in chosen.into_iter().enumerate() {
            self.select(column, chosen);
        }
    }

    fn open(&self, context: &mut Context<'_>) {
        if let Some(message) = self.selected() {
            go_to(message, context);
        }
    }

    fn choose_channel(&self, context: &mut Context<'_>) {
        let channel = self.channel.clone().unwrap_or_default();
        context.prompt("Channel of the board (empty: all)", &channel, |board: &mut Self, name, context| {
            let name = name.trim().trim_start_matches('#').to_owned();
            let channel = (!name.is_empty()).then_some(name);
            if channel != board.channel {
                board.channel = channel;
                board.columns = Loaded::Waiting;
                board.selections = Default::default();
            }
            board.request(context);
        });
    }

    fn click(&mut self, place: Position) -> Handled {
        if let Some((column, _)) = self.areas.tabs.iter().find(|(_, area)| area.contains(place)) {
            self.column = *column;
            return Handled::Yes;
        }
        let Some((column, area)) = self.areas.lists.iter().find(|(_, area)| area.contains(place)).copied() else {
            return Handled::No;
        };
        self.column = column;
        let row = usize::from((place.y - area.y) / self.areas.card.max(1));
        let count = self.count(column);
        if let Some(selection) = self.selections.get_mut(column) {
            selection.click(row, count);
        }
        Handled::Yes
    }

    fn concerns(&self, channel: Option<&str>) -> bool {
        channel.is_some() && (self.channel.is_none() || self.channel.as_deref() == channel)
    }
}

impl Screen for Board {
    fn destination(&self) -> Destination {
        Destination::Board(self.channel.clone())
    }

    fn title(&self) -> String {
        match &self.channel {
            Some(channel) => format!("Board of #{}", text::one_line(channel)),
            None => "Board".to_owned(),
        }
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.request(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let count = self.count(self.column);
        match action {
            Action::Left => self.column = self.column.saturating_sub(1),
            Action::Right => self.column = (self.column + 1).min(STATES.len() - 1),
            Action::Enter => self.open(context),
            Action::Approve => self.react(ReactionKind::Approve, context),
            Action::Reject => self.react(ReactionKind::Reject, context),
            Action::Claim => self.react(ReactionKind::InProgress, context),
            Action::Done => self.react(ReactionKind::Done, context),
            Action::Search => self.choose_channel(context),
            Action::Click { column, row } => return self.click(Position { x: *column, y: *row }),
            action => {
                let moved = self.selections.get_mut(self.column).is_some_and(|selection| selection.act(action, count));
                return if moved { Handled::Yes } else { Handled::No };
            }
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        let channel = match news {
            LiveBody::NewMessage(news) => &news.channel,
            LiveBody::MessageUpdated(news) => &news.channel,
            LiveBody::MessageEdited(news) => &news.channel,
            LiveBody::MessageDeleted(news) => &news.channel,
            LiveBody::ReactionChanged(news) => &news.channel,
            LiveBody::WorkflowStateChanged(news) => &news.channel,
            LiveBody::ChannelChanged(_) => {
                self.dirty = true;
                return;
            }
            _ => return,
        };
        self.dirty |= self.concerns(channel.as_deref());
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if std::mem::take(&mut self.dirty) {
            self.request(context);
        }
    }

    fn keys(&self) -> Vec<KeyHint> {
        vec![
            key("Enter", "go to message"),
            key("a", "approve"),
            key("x", "reject"),
            key("c", "claim"),
            key("d", "done"),
            key("h/l", "state"),
            key("/", "channel"),
        ]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::board::draw(self, frame, area, view);
    }
}

async fn fetch(hub: Arc<dyn Backend>, channel: Option<String>) -> Result<Vec<Column>> {
    let pages = STATES.map(|state| hub.by_state(state, channel.as_deref(), PAGE));
    let pages = try_join_all(pages).await?;
    Ok(pages.into_iter().map(|page| Column { messages: page.messages, total: page.total }).collect())
}

/// The note after a reaction. A reaction that was there is removed by the same key.
fn told(kind: ReactionKind, action: ReactionAction) -> &'static str {
    match (kind, action) {
        (ReactionKind::Approve, ReactionAction::Removed) => "Your approval is removed.",
        (ReactionKind::Approve, _) => "Approved.",
        (ReactionKind::Reject, ReactionAction::Removed) => "Your rejection is removed.",
        (ReactionKind::Reject, _) => "Rejected.",
        (ReactionKind::InProgress, ReactionAction::Removed) => "Your claim is released.",
        (ReactionKind::InProgress, _) => "Claimed.",
        (ReactionKind::Done, ReactionAction::Removed) => "It is no longer marked as done.",
        (ReactionKind::Done, _) => "Marked as done.",
        (ReactionKind::Published, ReactionAction::Removed) => "It is no longer marked as published.",
        (ReactionKind::Published, _) => "Marked as published.",
    }
}
