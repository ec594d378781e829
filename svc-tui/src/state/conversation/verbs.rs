//! What a person does in a conversation: sending, reacting, opening links, choosing levels.

use std::path::PathBuf;

use svc_core::messages::{Message, NewMessage};
use svc_core::notifications::AttentionLevel;
use svc_core::reactions::{ReactionAction, ReactionChange, ReactionKind};

use super::super::context::Context;
use super::super::destination::Destination;
use super::super::outbox;
use super::super::screen::{Handled, Screen};
use super::{Conversation, Focus};
use crate::action::Action;
use crate::backend::{Place, Result};
use crate::files;
use crate::text;

impl Conversation {
    pub(super) fn send(&mut self, context: &mut Context<'_>) {
        if let Some(edited) = self.edited {
            return self.save_edit(edited, context);
        }
        let body = self.editor.text().trim_end().to_owned();
        if body.trim().is_empty() {
            return;
        }
        let mut message = NewMessage { body, reply_to: self.thread_root(), ..NewMessage::default() };
        match &self.place {
            Place::Channel(name) => message.channel = Some(name.clone()),
            Place::Direct(name) => message.to = Some(name.clone()),
            Place::Between(..) => return,
        }
        if outbox::send(message, context) {
            self.editor.take();
            self.keep_draft(context);
            match &mut self.thread {
                Some(thread) => thread.messages.following = true,
                None if self.more_after => self.go_to_end(context),
                None => _ = self.messages.act(&Action::Bottom),
            }
        }
    }

    pub(super) fn go_to_end(&mut self, context: &mut Context<'_>) {
        if self.more_after {
            self.ask(None, context);
        } else {
            self.messages.act(&Action::Bottom);
        }
    }

    pub(super) fn react(&mut self, reaction: ReactionKind, context: &mut Context<'_>) {
        let Some(id) = self.selected().map(|message| message.id) else { return };
        let key = context.shared.new_key();
        context.change(
            move |hub| async move { hub.react(id, reaction, &key).await },
            move |screen: &mut Self, answer: Result<ReactionChange>, context| match answer {
                Ok(change) => {
                    let done = if change.action == ReactionAction::Removed { "removed" } else { "added" };
                    context.note(format!("Reaction {} {done}.", reaction.as_str()));
                    screen.changed.insert(id);
                    screen.settle(context);
                }
                Err(failure) => context.fail(&failure),
            },
        );
    }

    /// `d`: a direct message to the person is marked as processed, another message gets the reaction.
    pub(super) fn done(&mut self, context: &mut Context<'_>) {
        let Some(message) = self.selected() else { return };
        if message.channel.is_some() || message.to.as_deref() != Some(&context.shared.me) {
            self.react(ReactionKind::Done, context);
            return;
        }
        let id = message.id;
        context.change(
            move |hub| async move { hub.finish(id).await },
            |screen: &mut Self, answer: Result<Message>, context| match answer {
                Ok(message) => {
                    context.note("Marked as done.");
                    screen.changed.insert(message.id);
                    screen.settle(context);
                }
                Err(failure) => context.fail(&failure),
            },
        );
    }

    pub(super) fn choose_reaction(context: &mut Context<'_>) {
        let items =
            [('a', "approve"), ('x', "reject"), ('c', "claim (in progress)"), ('d', "done"), ('p', "published")];
        let items = items.map(|(key, label)| (key, label.to_owned())).to_vec();
        context.menu("React", items, |screen: &mut Self, choice, context| {
            let reaction = match choice {
                'a' => ReactionKind::Approve,
                'x' => ReactionKind::Reject,
                'c' => ReactionKind::InProgress,
                'd' => ReactionKind::Done,
                _ => ReactionKind::Published,
            };
            screen.react(reaction, context);
        });
    }

    pub(super) fn choose_level(context: &mut Context<'_>) {
        let items = [('a', "All messages"), ('m', "Mentions"), ('n', "Nothing: mute")];
        let items = items.map(|(key, label)| (key, label.to_owned())).to_vec();
        context.menu("Notify me of", items, |screen: &mut Self, choice, context| {
            let level = match choice {
                'a' => AttentionLevel::All,
                'm' => AttentionLevel::Mentions,
                _ => AttentionLevel::Nothing,
            };
            let place = screen.place.clone();
            context.change(
                move |hub| async move { hub.set_level(&place, level).await },
                |_: &mut Self, answer, context| match answer {
                    Ok(()) => context.note("Saved."),
                    Err(failure) => context.fail(&failure),
                },
            );
        });
    }

    pub(super) fn open_link(&mut self, context: &mut Context<'_>) {
        let Some(message) = self.selected() else { return };
        let files = message.attachments.iter().map(|file| (file.filename.clone(), Some(file.hash.clone())));
        let links = text::links(&message.body).into_iter().map(|link| (link, None));
        let targets: Vec<_> = files.chain(links).take(9).collect();
        match targets.as_slice() {
            [] => context.note("This message has no link and no file."),
            [(name, hash)] => open_target(name, hash.clone(), context),
            _ => {
                let label = |(index, (name, _)): (usize, &(String, Option<String>))| {
                    (char::from_digit(u32::try_from(index).unwrap_or(0) + 1, 10).unwrap_or('1'), text::fit(name, 60))
                };
                let items = targets.iter().enumerate().map(label).collect();
                context.menu("Open", items, move |_: &mut Self, choice, context| {
                    let index = choice.to_digit(10).unwrap_or(1) as usize - 1;
                    if let Some((name, hash)) = targets.get(index) {
                        open_target(name, hash.clone(), context);
                    }
                });
            }
        }
    }

    pub(super) fn complete(&mut self) {
        let before = self.editor.before();
        let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
        let Some(typed) = word.strip_prefix('@').filter(|typed| !typed.is_empty()) else { return };
        let found = self.names.iter().find(|name| {
            name.len() >= typed.len() && name.as_bytes()[..typed.len()].eq_ignore_ascii_case(typed.as_bytes())
        });
        if let Some(name) = found {
            let (bytes, name) = (typed.len(), format!("{name} "));
            self.editor.replace_before(bytes, &name);
        }
    }

    /// Focuses what was clicked on, and selects the message there.
    pub(super) fn click(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let Action::Click { column, row } = *action else { return Handled::No };
        let at = ratatui::layout::Position { x: column, y: row };
        if self.areas.composer.contains(at) {
            self.focus = Focus::Composer;
        } else if self.areas.thread.contains(at) {
            self.focus = Focus::Thread;
            if let Some(thread) = &mut self.thread {
                let line = thread.messages.top + usize::from(row - self.areas.thread.y);
                thread.messages.select_line(line);
            }
        } else if self.areas.timeline.contains(at) {
            self.focus = Focus::Timeline;
            self.messages.select_line(self.messages.top + usize::from(row - self.areas.timeline.y));
            self.extend(context);
        } else {
            return Handled::No;
        }
        Handled::Yes
    }

    /// Sends messages again that the hub has refused, or removes them.
    pub(super) fn resend(context: &mut Context<'_>) {
        if !context.shared.kept.has_refused() {
            context.note("No message was refused.");
            return;
        }
        let items = vec![('s', "Send them again".to_owned()), ('d', "Discard them".to_owned())];
        context.menu("Messages that the hub refused", items, |_: &mut Self, choice, context| {
            if choice == 's' {
                context.shared.kept.retry();
                outbox::pump(context);
            } else {
                context.shared.kept.discard_refused();
            }
        });
    }
}

/// Whether an action changes something in the conversation.
pub(super) fn is_change(action: &Action) -> bool {
    matches!(
        action,
        Action::Write
            | Action::Reply
            | Action::Enter
            | Action::React
            | Action::Approve
            | Action::Reject
            | Action::Claim
            | Action::Done
            | Action::Mute
            | Action::Retry
            | Action::Edit
            | Action::Remove
    )
}

/// Opens a link. A file is downloaded, and opened the second time: a person sees first where and what it is.
fn open_target(name: &str, hash: Option<String>, context: &mut Context<'_>) {
    let Some(hash) = hash else {
        match name.strip_prefix("wiki/") {
            Some(slug) => context.go(Destination::Article(slug.to_owned())),
            None => context.open(name),
        }
        return;
    };
    let (name, directory) = (name.to_owned(), context.shared.downloads.clone());
    let (saved, wanted) = (context.shared.saved.get(&hash).cloned(), hash.clone());
    if saved.is_none() {
        context.note(format!("Downloading {name} …"));
    }
    context.ask(
        move |hub| async move {
            if let Some(path) = saved
                && tokio::fs::try_exists(&path).await.is_ok_and(|exists| exists)
            {
                return Ok((path, true));
            }
            let bytes = hub.download(&wanted).await?;
            Ok((files::save(&directory, &name, bytes).await?, false))
        },
        move |_: &mut Conversation, answer: Result<(PathBuf, bool)>, context| {
            let (path, again) = match answer {
                Ok(found) => found,
                Err(failure) => return context.fail(&failure),
            };
            let shown = path.display().to_string();
            match (files::is_document(&path), again) {
                (true, true) => {
                    context.note(format!("Opening {shown} …"));
                    context.open(shown);
                }
                (true, false) => context.note(format!("Saved as {shown}: o opens it.")),
                (false, _) => context.note(format!("Saved as {shown}. It may be a program, so it is not opened here.")),
            }
            context.shared.saved.insert(hash, path);
        },
    );
}
