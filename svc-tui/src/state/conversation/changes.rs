//! Editing and deleting messages of a conversation.

use svc_core::ids::MessageId;
use svc_core::messages::{Message, MessageEdit};

use super::super::context::Context;
use super::{Conversation, Focus};
use crate::backend::Result;

/// The message that is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edited {
    id: MessageId,
    /// The version that the person saw: another change in between is not overwritten.
    version: u32,
}

impl Conversation {
    /// `E`: puts the text of the selected message into the composer.
    pub(super) fn edit(&mut self, context: &mut Context<'_>) {
        let Some(message) = self.selected() else { return };
        if message.deleted_at.is_some() {
            return context.note("This message was deleted.");
        }
        if message.from != context.shared.me {
            return context.note("Only your own messages can be edited.");
        }
        let edited = Edited { id: message.id, version: message.version };
        let body = message.body.clone();
        self.keep_draft(context);
        self.edited = Some(edited);
        self.editor.set(&body);
        self.focus = Focus::Composer;
    }

    /// Gives up an edit: the draft is in the composer again.
    pub(super) fn leave_edit(&mut self, context: &mut Context<'_>) {
        if self.edited.take().is_some() {
            let root = self.thread_root();
            self.editor.set(context.shared.kept.draft(&self.place, root));
        }
    }

    /// Saves the text of the composer as that of a message.
    pub(super) fn save_edit(&mut self, edited: Edited, context: &mut Context<'_>) {
        let body = self.editor.text().trim_end().to_owned();
        if body.trim().is_empty() {
            return context.note("A message cannot be empty: D deletes it.");
        }
        let edit = MessageEdit { body, version: Some(edited.version) };
        context.change(
            move |hub| async move { hub.edit(edited.id, edit).await },
            move |screen: &mut Self, answer: Result<Message>, context| match answer {
                Ok(message) => {
                    if screen.edited == Some(edited) {
                        screen.leave_edit(context);
                        screen.focus = if screen.thread.is_some() { Focus::Thread } else { Focus::Timeline };
                    }
                    context.note("Edited.");
                    screen.put(message);
                }
                Err(failure) => context.fail(&failure),
            },
        );
    }

    /// `D`: deletes the selected message, after a question.
    pub(super) fn remove(&mut self, context: &mut Context<'_>) {
        let Some(message) = self.selected() else { return };
        if message.deleted_at.is_some() {
            return context.note("This message was deleted.");
        }
        let (id, from) = (message.id, message.from.clone());
        let whose =
            if from == context.shared.me { "your message".to_owned() } else { format!("the message of @{from}") };
        let question = format!("Delete {whose}? Its text, files and reactions are gone for everybody.");
        context.confirm(question, move |_: &mut Self, context| {
            context.change(
                move |hub| async move { hub.delete(id).await },
                |screen: &mut Self, answer: Result<Message>, context| match answer {
                    Ok(message) => {
                        context.note("Deleted.");
                        screen.put(message);
                    }
                    Err(failure) => context.fail(&failure),
                },
            );
        });
    }

    /// Shows the present state of a message that is here.
    fn put(&mut self, message: Message) {
        if let Some(thread) = &mut self.thread {
            thread.messages.replace(message.clone());
        }
        self.messages.replace(message);
    }
}
