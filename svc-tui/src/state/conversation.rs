//! A conversation: its timeline, a thread beside it, and the composer.

mod changes;
mod thread;
mod verbs;

use std::collections::BTreeSet;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::conversations::Timeline;
use svc_core::ids::MessageId;
use svc_core::live::LiveBody;
use svc_core::messages::Message;
use svc_core::model::conversations::Window;
use svc_core::notifications::Mark;
use svc_core::reactions::ReactionKind;

use super::context::Context;
use super::destination::Destination;
use super::editor::Editor;
use super::loaded::Loaded;
use super::messages::Messages;
use super::screen::{Handled, KeyHint, Mode, Screen, key};
use crate::action::Action;
use crate::backend::{Place, Result};
use crate::text;
use crate::view::View;

pub(crate) use changes::Edited;

/// Messages of a request.
const PAGE: i64 = 50;
/// The answer to a key that would change something in a conversation between others.
const READ_ONLY: &str = "This conversation is between others: it can only be read.";
/// Messages that are read again one by one; for more of them the page is read again.
const SINGLE_MAX: usize = 4;

/// The part that takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The timeline.
    Timeline,
    /// The thread.
    Thread,
    /// The composer, which writes into the timeline or the thread.
    Composer,
}

/// A thread that is open beside the timeline.
pub(crate) struct OpenThread {
    /// The first message.
    pub(crate) root: MessageId,
    /// The messages, as soon as they are here.
    pub(crate) messages: Messages,
    /// Whether they are here, or why not.
    pub(crate) loaded: Loaded<()>,
}

/// A conversation on screen.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Conversation {
    /// Which one it is.
    pub(crate) place: Place,
    /// The messages.
    pub(crate) messages: Messages,
    /// Whether messages are here, or why not.
    pub(crate) loaded: Loaded<()>,
    /// The first unread message when the conversation was opened.
    pub(crate) first_unread: Option<MessageId>,
    /// Whether there are older messages.
    pub(crate) more_before: bool,
    /// Whether there are later messages.
    pub(crate) more_after: bool,
    /// The thread.
    pub(crate) thread: Option<OpenThread>,
    /// The part that takes keys.
    pub(crate) focus: Focus,
    /// The composer.
    pub(crate) editor: Editor,
    /// The message whose text is in the composer, to be changed.
    pub(crate) edited: Option<Edited>,
    /// The areas of the last drawing, for the mouse.
    pub(crate) areas: Areas,
    /// A message to select when it is here.
    wanted: Option<MessageId>,
    /// The message up to which none is missing. Messages of the person may be here before those of others.
    complete_to: Option<MessageId>,
    /// The message up to which it was marked as read.
    marked: Option<MessageId>,
    /// Handles that can be mentioned.
    names: Vec<String>,
    busy: bool,
    /// Whether later messages exist.
    stale: bool,
    /// Messages that have changed.
    changed: BTreeSet<MessageId>,
}

/// The areas of the last drawing.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Areas {
    /// The timeline.
    pub(crate) timeline: Rect,
    /// The thread.
    pub(crate) thread: Rect,
    /// The composer.
    pub(crate) composer: Rect,
}

impl Conversation {
    /// A conversation, at a message or at the first unread one.
    pub(crate) fn new(place: Place, wanted: Option<MessageId>) -> Self {
        Self {
            place,
            messages: Messages::default(),
            loaded: Loaded::Waiting,
            first_unread: None,
            more_before: false,
            more_after: false,
            thread: None,
            focus: Focus::Timeline,
            editor: Editor::default(),
            edited: None,
            areas: Areas::default(),
            wanted,
            complete_to: None,
            marked: None,
            names: Vec::new(),
            busy: false,
            stale: false,
            changed: BTreeSet::new(),
        }
    }

    /// The message that verbs act on.
    pub(crate) fn selected(&self) -> Option<&Message> {
        match &self.thread {
            Some(thread) if self.writes_to_thread() || self.focus == Focus::Thread => thread.messages.selected(),
            _ => self.messages.selected(),
        }
    }

    /// Whether it is between others.
    pub(crate) fn is_read_only(&self) -> bool {
        self.place.own().is_none()
    }

    /// Whether the composer answers in the thread.
    pub(crate) fn writes_to_thread(&self) -> bool {
        self.thread.is_some()
    }

    fn thread_root(&self) -> Option<MessageId> {
        self.thread.as_ref().map(|thread| thread.root)
    }

    fn ask(&mut self, window: Option<Window>, context: &mut Context<'_>) {
        if self.busy {
            self.stale = true;
            return;
        }
        self.busy = true;
        let place = self.place.clone();
        context.ask(
            move |hub| async move { hub.timeline(&place, window, PAGE).await },
            move |screen: &mut Self, answer, context| screen.arrived(window, answer, context),
        );
    }

    fn arrived(&mut self, window: Option<Window>, answer: Result<Timeline>, context: &mut Context<'_>) {
        self.busy = false;
        let timeline = match answer {
            Ok(timeline) => timeline,
            Err(failure) => {
                let first = self.loaded.get().is_none();
                if let Some(failure) = self.loaded.take(Err(failure)) {
                    context.fail(&failure);
                }
                // It was asked for again meanwhile, for example because the hub is back.
                if first && std::mem::take(&mut self.stale) {
                    self.ask(window, context);
                }
                return;
            }
        };
        let first = self.loaded.get().is_none();
        match window {
            Some(Window::Before(_)) => {
                let (_, dropped) = self.messages.merge(timeline.messages);
                self.more_before = timeline.has_more_before;
                self.more_after |= dropped;
            }
            Some(Window::After(_)) => {
                self.complete_to = self.complete_to.max(timeline.messages.last().map(|message| message.id));
                self.answered(&timeline.messages);
                let (dropped, _) = self.messages.merge(timeline.messages);
                self.more_after = timeline.has_more_after;
                self.more_before |= dropped;
                if self.more_after && self.messages.following {
                    // The conversation is faster than pages: go on with its end.
                    return self.ask(None, context);
                }
            }
            Some(Window::Around(_)) | None => {
                (self.more_before, self.more_after) = (timeline.has_more_before, timeline.has_more_after);
                if first {
                    let read = timeline.last_read_message_id;
                    let unread = timeline
                        .messages
                        .iter()
                        .find(|message| read.is_none_or(|read| message.id > read) && message.from != context.shared.me);
                    let waits = context.shared.conversations.entry(&self.place).is_some_and(|entry| entry.unread > 0);
                    self.first_unread = unread.filter(|_| waits).map(|message| message.id);
                }
                self.messages.set(timeline.messages);
                self.complete_to = self.messages.last();
                // One that was never read opens at its end: its beginning may be long ago.
                let is_known = first && timeline.last_read_message_id.is_some();
                let target = self.wanted.take().or(self.first_unread.filter(|_| is_known));
                if let Some(id) = target {
                    self.messages.select(id);
                }
            }
        }
        self.loaded = Loaded::Here(());
        self.mark_read(context);
        self.settle(context);
    }

    /// Records that the number of replies of some messages has changed.
    fn answered(&mut self, replies: &[Message]) {
        let roots = replies.iter().filter_map(|reply| reply.reply_to);
        let here = |root: &MessageId| self.messages.list().binary_search_by_key(root, |message| message.id).is_ok();
        self.changed.extend(roots.filter(here).collect::<Vec<_>>());
    }

    /// Marks the conversation as read when its latest message is here.
    fn mark_read(&mut self, context: &mut Context<'_>) {
        let Some(last) = self.messages.last().filter(|_| !self.more_after && context.on_top) else { return };
        let Some((kind, name)) = self.place.own().map(|(kind, name)| (kind, name.to_owned())) else { return };
        let unread =
            context.shared.conversations.entry(&self.place).is_none_or(|entry| entry.unread > 0 || entry.mentions > 0);
        if self.marked >= Some(last) || !(unread || self.marked.is_none()) {
            return;
        }
        self.marked = Some(last);
        let mark = Mark { kind, name, last_message_id: Some(last) };
        context.change(
            move |hub| async move { hub.mark_read(vec![mark]).await },
            |screen: &mut Self, answer, context| match answer {
                Ok(()) => context.shared.conversations.read(&screen.place),
                Err(_) => screen.marked = None,
            },
        );
    }

    fn keep_draft(&self, context: &mut Context<'_>) {
        // The text of a message that is edited is no draft.
        if self.edited.is_some() {
            return;
        }
        context.shared.kept.set_draft(&self.place, self.thread_root(), self.editor.text());
    }

    /// Asks for messages beyond either end of the list when the selection is near it.
    fn extend(&mut self, context: &mut Context<'_>) {
        if self.busy {
            return;
        }
        let (first, last) = (self.messages.first(), self.messages.last());
        if self.more_before && self.messages.selected < 10 {
            self.ask(first.map(Window::Before), context);
        } else if self.more_after && self.messages.selected + 10 > self.messages.list().len() {
            self.ask(last.map(Window::After), context);
        }
    }

    fn act_composer(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Back => {
                self.leave_edit(context);
                self.focus = if self.thread.is_some() { Focus::Thread } else { Focus::Timeline };
            }
            Action::Enter => self.send(context),
            Action::Complete => self.complete(),
            Action::Click { .. } => return self.click(action, context),
            Action::PageUp | Action::PageDown => _ = self.messages.act(action),
            action if self.editor.act(action) => {}
            _ => return Handled::No,
        }
        self.keep_draft(context);
        Handled::Yes
    }
}

impl Screen for Conversation {
    fn destination(&self) -> Destination {
        Destination::Conversation(self.place.clone())
    }

    fn title(&self) -> String {
        text::one_line(&self.place.name())
    }

    fn load(&mut self, context: &mut Context<'_>) {
        if self.loaded.get().is_none() {
            self.editor.set(context.shared.kept.draft(&self.place, None));
        }
        context.shared.conversations.select(&self.place);
        // When it is read again, the person stays where they are.
        if self.loaded.get().is_some() && !self.messages.following {
            self.wanted = self.wanted.or_else(|| self.messages.selected().map(|message| message.id));
        }
        self.ask(self.wanted.map(Window::Around), context);
        self.ask_thread(context);
        let place = self.place.clone();
        context.ask(
            move |hub| async move {
                match place {
                    Place::Channel(name) => {
                        Ok(hub.members(&name).await?.into_iter().map(|member| member.name).collect())
                    }
                    Place::Direct(name) => Ok(vec![name]),
                    Place::Between(..) => Ok(Vec::new()),
                }
            },
            |screen: &mut Self, answer: Result<Vec<String>>, _| screen.names = answer.unwrap_or_default(),
        );
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if self.focus == Focus::Composer {
            return self.act_composer(action, context);
        }
        let in_thread = self.focus == Focus::Thread;
        match action {
            action if self.is_read_only() && verbs::is_change(action) => context.note(READ_ONLY),
            Action::Write | Action::Reply | Action::Enter => {
                if *action == Action::Reply && !in_thread {
                    self.open_thread(context);
                }
                self.focus = Focus::Composer;
            }
            Action::Thread | Action::Back | Action::Left if in_thread => self.close_thread(context),
            Action::Thread => self.open_thread(context),
            Action::Right if self.thread.is_some() => self.focus = Focus::Thread,
            Action::React => Self::choose_reaction(context),
            Action::Approve => self.react(ReactionKind::Approve, context),
            Action::Reject => self.react(ReactionKind::Reject, context),
            Action::Claim => self.react(ReactionKind::InProgress, context),
            Action::Done => self.done(context),
            Action::Edit => self.edit(context),
            Action::Remove => self.remove(context),
            Action::Open => self.open_link(context),
            Action::Mute => Self::choose_level(context),
            Action::Copy => {
                if let Some(body) = self.selected().map(|message| message.body.clone()) {
                    context.copy(body);
                    context.note("Copied.");
                }
            }
            Action::Retry => Self::resend(context),
            Action::Click { .. } => return self.click(action, context),
            Action::Bottom if !in_thread => self.go_to_end(context),
            action if in_thread => {
                let Some(thread) = &mut self.thread else { return Handled::No };
                return if thread.messages.act(action) { Handled::Yes } else { Handled::No };
            }
            action if self.messages.act(action) => {
                self.extend(context);
                self.mark_read(context);
            }
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, context: &mut Context<'_>) {
        let changed = match news {
            LiveBody::NewMessage(news) => {
                self.stale |= Place::of_news(news, &context.shared.me).as_ref() == Some(&self.place);
                return;
            }
            LiveBody::MessageUpdated(news) => news.message_id,
            LiveBody::MessageEdited(news) => news.message_id,
            LiveBody::MessageDeleted(news) => news.message_id,
            LiveBody::ReactionChanged(news) => news.message_id,
            LiveBody::WorkflowStateChanged(news) => news.message_id,
            _ => return,
        };
        let here = |messages: &Messages| messages.list().binary_search_by_key(&changed, |message| message.id).is_ok();
        if here(&self.messages) || self.thread.as_ref().is_some_and(|thread| here(&thread.messages)) {
            self.changed.insert(changed);
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        let me = context.shared.me.clone();
        let sent: Vec<_> = context
            .shared
            .sent
            .iter()
            .filter(|sent| Place::of(sent, &me).as_ref() == Some(&self.place))
            .cloned()
            .collect();
        if let (Some(thread), false) = (&mut self.thread, sent.is_empty()) {
            let replies = sent.iter().filter(|message| message.reply_to == Some(thread.root));
            thread.messages.merge(replies.cloned().collect());
        }
        if !sent.is_empty() && !self.more_after && self.loaded.get().is_some() {
            self.stale = true;
            self.answered(&sent);
            let (dropped, _) = self.messages.merge(sent);
            self.more_before |= dropped;
        }
        if self.busy || self.loaded.get().is_none() {
            return;
        }
        self.mark_read(context);
        if std::mem::take(&mut self.stale) && !self.more_after {
            self.ask(self.complete_to.map(Window::After), context);
            self.ask_thread(context);
            return;
        }
        let changed = std::mem::take(&mut self.changed);
        if changed.len() > SINGLE_MAX {
            self.ask(self.messages.selected().map(|message| Window::Around(message.id)), context);
            self.wanted = self.messages.selected().map(|message| message.id);
            self.ask_thread(context);
            return;
        }
        for id in changed {
            context.ask(
                move |hub| async move { hub.message(id).await },
                |screen: &mut Self, answer: Result<Message>, _| {
                    if let Ok(message) = answer {
                        if let Some(thread) = &mut screen.thread {
                            thread.messages.replace(message.clone());
                        }
                        screen.messages.replace(message);
                    }
                },
            );
        }
    }

    fn mode(&self) -> Mode {
        if self.focus == Focus::Composer { Mode::Text } else { Mode::Command }
    }

    fn keys(&self) -> Vec<KeyHint> {
        if self.focus == Focus::Composer {
            return vec![
                key("Enter", "send"),
                key("Alt+Enter", "new line"),
                key("Tab", "complete"),
                key("Esc", "leave"),
            ];
        }
        if self.is_read_only() {
            return vec![key("t", "thread"), key("o", "open"), key("y", "copy")];
        }
        vec![
            key("i", "write"),
            key("r", "reply"),
            key("t", "thread"),
            key("e", "react"),
            key("c", "claim"),
            key("d", "done"),
            key("o", "open"),
            key("y", "copy"),
            key("m", "notify"),
            key("R", "refused messages"),
            key("a", "approve"),
            key("x", "reject"),
            key("E", "edit"),
            key("D", "delete"),
        ]
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::conversation::draw(self, frame, area, view);
    }

    fn close(&mut self, context: &mut Context<'_>) {
        self.keep_draft(context);
    }
}
