//! What waits for the person: mentions and direct messages, decisions, and agents that cannot go on.

mod waiting;

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::live::LiveBody;
use svc_core::reactions::ReactionKind;

use self::waiting::read;
pub(crate) use self::waiting::{Item, Key, Row, Waiting, rows};
use super::context::Context;
use super::decision::Decision;
use super::destination::Destination;
use super::headed;
use super::kept::{self, Origin};
use super::list::Selection;
use super::loaded::Loaded;
use super::outbox;
use super::reading::Reading;
use super::rendered::Rendered;
use super::screen::{Handled, KeyHint, Screen, key};
use super::shared::{Connection, Shared};
use crate::action::Action;
use crate::backend::{Place, Result};
use crate::view::View;

/// What waits for the person.
#[derive(Default)]
pub(crate) struct Today {
    /// What the hub knows; unread messages are shared by all screens.
    pub(crate) waiting: Loaded<Waiting>,
    /// The selected row.
    pub(crate) selection: Selection,
    /// The text of the selected row, in a wide window.
    pub(crate) details: Rendered,
    /// Where the list was drawn.
    pub(crate) area: Rect,
    /// The selected item, so that it stays selected when others come or go.
    chosen: Option<Key>,
    reading: Reading,
    /// Items whose decision is on its way.
    deciding: HashSet<Key>,
}

impl Today {
    /// The screen, with nothing read yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether a decision about an item is on its way.
    pub(crate) fn is_deciding(&self, key: &Key) -> bool {
        self.deciding.contains(key)
    }

    /// Moves the selection to the item that was chosen, wherever it is now.
    pub(crate) fn follow(&mut self, keys: &[Option<Key>]) {
        let headings: Vec<_> = keys.iter().map(Option::is_none).collect();
        let chosen = self.chosen.as_ref().and_then(|chosen| keys.iter().position(|key| key.as_ref() == Some(chosen)));
        if let Some(index) = chosen {
            self.selection.index = index;
        }
        headed::skip(&mut self.selection, &headings, false);
        headed::reveal(&mut self.selection, &headings);
        self.chosen = keys.get(self.selection.index).cloned().flatten();
    }

    /// The identities of the rows; none for a heading.
    pub(crate) fn keys_of(&self, shared: &Shared) -> Vec<Option<Key>> {
        rows(known(&self.waiting), shared).iter().map(Row::key).collect()
    }

    /// Calls a function with the selected item.
    fn with_selected<T>(&self, shared: &Shared, then: impl FnOnce(&Item<'_>) -> T) -> Option<T> {
        let rows = rows(known(&self.waiting), shared);
        match rows.get(self.selection.index)? {
            Row::Item(item) => Some(then(item)),
            Row::Heading(..) => None,
        }
    }

    fn answered(&mut self, answer: Result<Waiting>, context: &mut Context<'_>) {
        self.reading.ends();
        if let Some(failure) = self.waiting.take(answer) {
            context.fail(&failure);
        }
        self.settle(context);
    }

    fn open(&self, context: &mut Context<'_>) {
        if let Some(destination) = self.with_selected(context.shared, destination) {
            context.go(destination);
        }
    }

    fn approve(&mut self, context: &mut Context<'_>) {
        let id = context.shared.new_key();
        let decision = self.with_selected(context.shared, |item| match item {
            Item::Approval(waiting) => Decision::approval(waiting).ok_or(SECRET),
            Item::Proposal(message) => Ok(Decision::React(message.id, ReactionKind::Approve, id)),
            _ => Err("This needs no approval: Enter opens it."),
        });
        match decision {
            Some(Ok(decision)) => self.decide(decision, context),
            Some(Err(note)) => context.note(note),
            None => {}
        }
    }

    fn reject(&mut self, context: &mut Context<'_>) {
        let id = context.shared.new_key();
        let decision = self.with_selected(context.shared, |item| match item {
            Item::Approval(waiting) => {
                let decision = Decision::rejection(waiting).ok_or(SECRET)?;
                let question = decision.question(&waiting.title);
                Ok((decision, question))
            }
            Item::Proposal(message) => {
                Ok((Decision::React(message.id, ReactionKind::Reject, id), "Reject this proposal?".to_owned()))
            }
            _ => Err("There is nothing to reject here: Enter opens it."),
        });
        match decision {
            Some(Ok((decision @ Decision::React(..), question))) => {
                context.confirm(question, |screen: &mut Self, context| screen.decide(decision, context));
            }
            Some(Ok((decision, question))) => {
                let about = self.chosen.clone();
                context.prompt(question, "", move |screen: &mut Self, reason, context| {
                    screen.decide_about(about, decision.because(&reason), context);
                });
            }
            Some(Err(note)) => context.note(note),
            None => {}
        }
    }

    fn retry(&mut self, context: &mut Context<'_>) {
        let id = context.shared.new_key();
        let run = self.with_selected(context.shared, |item| match item {
            Item::Failed(run) => Some(run.id),
            _ => None,
        });
        match run.flatten() {
            Some(run) => self.decide(Decision::RetryRun(run, id), context),
            None => context.note("Only a failed run can be repeated here."),
        }
    }

    fn decide(&mut self, decision: Decision, context: &mut Context<'_>) {
        self.decide_about(self.chosen.clone(), decision, context);
    }

    /// Sends a decision, once for an item.
    fn decide_about(&mut self, about: Option<Key>, decision: Decision, context: &mut Context<'_>) {
        let Some(about) = about else { return };
        if !self.deciding.insert(about.clone()) {
            return;
        }
        let done = decision.done();
        context.change(
            move |hub| decision.send(hub),
            move |screen: &mut Self, answer, context| {
                screen.deciding.remove(&about);
                match answer {
                    Ok(()) => {
                        context.note(done);
                        if let Some(waiting) = screen.waiting.get_mut() {
                            waiting.remove(&about);
                        }
                    }
                    Err(failure) => context.fail(&failure),
                }
                screen.reading.expire();
                screen.settle(context);
            },
        );
    }

    fn click(&mut self, column: u16, row: u16, context: &mut Context<'_>) -> Handled {
        if !self.area.contains((column, row).into()) {
            return Handled::No;
        }
        let keys = self.keys_of(context.shared);
        let headings: Vec<_> = keys.iter().map(Option::is_none).collect();
        match headed::click(&mut self.selection, usize::from(row - self.area.y), &headings) {
            Some(true) => self.open(context),
            Some(false) => self.details.rewind(),
            None => {}
        }
        self.chosen = keys.get(self.selection.index).cloned().flatten();
        Handled::Yes
    }
}

/// The knowledge before the hub has answered.
static NOTHING: Waiting = Waiting {
    mentions: Vec::new(),
    approvals: Vec::new(),
    proposals: Vec::new(),
    more_proposals: false,
    failed: Vec::new(),
    stopped: Vec::new(),
    loops: Vec::new(),
    dead_letters: 0,
};

const SECRET: &str = "A secret is provided in the web UI, on the page of the goal or the agent.";

/// Where an item leads.
fn destination(item: &Item<'_>) -> Destination {
    match item {
        Item::Mention(mention) => Destination::Message(Place::Channel(mention.channel.clone()), mention.message_id),
        Item::Mentions(entry) | Item::Letters(entry) => Destination::Conversation(entry.place.clone()),
        Item::Approval(waiting) => waiting.goal_id.map_or(Destination::Agents, Destination::Goal),
        Item::Proposal(message) => match &message.channel {
            Some(channel) => Destination::Message(Place::Channel(channel.clone()), message.id),
            None => Destination::Board(None),
        },
        Item::MoreProposals => Destination::Board(None),
        Item::Failed(run) => Destination::Run(run.id),
        Item::Stopped(_) | Item::Held(_) => Destination::Agents,
        Item::Dead(_) => Destination::DeadLetters,
        Item::Unsent(outgoing) => {
            outbox::destination(&outgoing.message).map_or(Destination::Conversations, Destination::Conversation)
        }
        Item::Draft(name, _) => match kept::origin(name) {
            Some(Origin::Conversation(place)) => Destination::Conversation(place),
            Some(Origin::Thread(place, root)) => Destination::Message(place, root),
            Some(Origin::Article(slug)) => Destination::Article(slug),
            Some(Origin::NewArticle) => Destination::Wiki,
            None => Destination::Conversations,
        },
    }
}

/// The knowledge of the hub; nothing before it has answered.
pub(crate) fn known(waiting: &Loaded<Waiting>) -> &Waiting {
    waiting.get().unwrap_or(&NOTHING)
}

/// Whether all rows are known. Before the conversations are here, the first row is not known, unless the hub is away.
pub(crate) fn is_complete(shared: &Shared) -> bool {
    shared.conversations.known || matches!(shared.connection, Connection::Lost(_))
}

impl Screen for Today {
    fn destination(&self) -> Destination {
        Destination::Today
    }

    fn title(&self) -> String {
        "Today".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        self.reading.expire();
        self.settle(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let keys = self.keys_of(context.shared);
        if is_complete(context.shared) {
            self.follow(&keys);
        }
        let headings: Vec<_> = keys.iter().map(Option::is_none).collect();
        if headed::act(&mut self.selection, action, &headings) {
            self.chosen = keys.get(self.selection.index).cloned().flatten();
            self.details.rewind();
            return Handled::Yes;
        }
        match action {
            Action::Enter | Action::Right | Action::Open => self.open(context),
            Action::Approve => self.approve(context),
            Action::Reject => self.reject(context),
            Action::Retry => self.retry(context),
            Action::Click { column, row } => return self.click(*column, *row, context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, context: &mut Context<'_>) {
        let concerns = match news {
            // A message in a channel without a workflow proposes nothing; unread counts are shared by all screens.
            LiveBody::NewMessage(news) => {
                news.mentions_me
                    || news.channel.as_ref().is_none_or(|channel| {
                        let entry = context.shared.conversations.entry(&Place::Channel(channel.clone()));
                        entry.is_none_or(|entry| entry.workflow)
                    })
            }
            LiveBody::UnreadUpdate(news) => {
                let listed =
                    known(&self.waiting).mentions.iter().filter(|mention| mention.channel == news.name).count();
                news.kind == "channel" && usize::try_from(news.mentions).unwrap_or(0) != listed
            }
            LiveBody::MessageUpdated(_)
            | LiveBody::MessageEdited(_)
            | LiveBody::MessageDeleted(_)
            | LiveBody::WorkflowStateChanged(_)
            | LiveBody::AgentChanged(_)
            | LiveBody::LoopChanged(_)
            | LiveBody::RunChanged(_)
            | LiveBody::GoalChanged(_)
            | LiveBody::DeadLettersAdded(_)
            | LiveBody::Reset(_) => true,
            _ => false,
        };
        if concerns {
            self.reading.expire();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if self.reading.begins() {
            let (now, me) = (context.now, context.shared.me.clone());
            context.ask(
                move |hub| async move { read(hub.as_ref(), now, &me).await },
                |screen: &mut Self, answer, context| screen.answered(answer, context),
            );
        }
    }

    fn keys(&self) -> Vec<KeyHint> {
        vec![
            key("Enter", "open"),
            key("a", "approve"),
            key("x", "reject"),
            key("R", "repeat run"),
            key("Ctrl+R", "read again"),
        ]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::today::draw(self, frame, area, view);
    }
}
