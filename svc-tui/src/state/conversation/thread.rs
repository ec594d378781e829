//! The thread beside a timeline: opened, read, closed.

use svc_core::messages::Thread;

use super::super::context::Context;
use super::super::loaded::Loaded;
use super::super::messages::Messages;
use super::{Conversation, Focus, OpenThread};
use crate::backend::Result;

impl Conversation {
    pub(super) fn open_thread(&mut self, context: &mut Context<'_>) {
        let Some(message) = self.messages.selected() else { return };
        let root = message.reply_to.unwrap_or(message.id);
        self.keep_draft(context);
        self.edited = None;
        self.thread = Some(OpenThread { root, messages: Messages::default(), loaded: Loaded::Waiting });
        self.editor.set(context.shared.kept.draft(&self.place, Some(root)));
        self.focus = Focus::Thread;
        self.ask_thread(context);
    }

    pub(super) fn ask_thread(&mut self, context: &mut Context<'_>) {
        let Some(root) = self.thread_root() else { return };
        context.ask(
            move |hub| async move { hub.thread(root).await },
            |screen: &mut Self, answer: Result<Thread>, context| {
                let Some(thread) = &mut screen.thread else { return };
                match answer {
                    Ok(answer) => {
                        let root = answer.root.as_ref().map_or(thread.root, |root| root.id);
                        thread.root = root;
                        let messages: Vec<_> = answer.root.into_iter().chain(answer.replies).collect();
                        if thread.messages.list().is_empty() {
                            thread.messages.set(messages);
                        } else {
                            thread.messages.merge(messages);
                        }
                        thread.loaded = Loaded::Here(());
                    }
                    Err(failure) => {
                        if let Some(failure) = thread.loaded.take(Err(failure)) {
                            context.fail(&failure);
                        }
                    }
                }
            },
        );
    }

    pub(super) fn close_thread(&mut self, context: &mut Context<'_>) {
        self.keep_draft(context);
        self.edited = None;
        self.thread = None;
        self.focus = Focus::Timeline;
        self.editor.set(context.shared.kept.draft(&self.place, None));
    }
}
