//! The list of conversations: opening, joining, leaving, and logging out of all of them.

use svc_core::Timestamp;

use super::Ui;
use super::context::Context;
use super::conversations::Conversations;
use super::destination::Destination;
use super::overlay::{Menu, Overlay, Prompt};
use super::screen::Handled;
use crate::action::Action;
use crate::backend::Place;

impl Ui {
    pub(super) fn act_sidebar(&mut self, action: &Action, now: Timestamp) -> Handled {
        let count = self.shared.conversations.entries().len();
        if self.shared.conversations.selection.act(action, count) {
            return Handled::Yes;
        }
        match action {
            Action::Enter | Action::Right => {
                if let Some(place) = self.shared.conversations.selected().map(|entry| entry.place.clone()) {
                    self.go(Destination::Conversation(place), now);
                }
            }
            Action::Click { column, row } if self.sidebar_area.contains((*column, *row).into()) => {
                self.click_sidebar(*row, now);
            }
            Action::Click { .. } => {
                self.sidebar = false;
                self.act(action, now);
            }
            Action::New => self.ask_for_conversation(),
            Action::Reject => self.ask_to_leave(),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    pub(super) fn click_sidebar(&mut self, row: u16, now: Timestamp) {
        let count = self.shared.conversations.entries().len();
        let row = usize::from(row.saturating_sub(self.sidebar_area.y));
        if let Some(index) = crate::view::sidebar::entry_at(&self.shared.conversations, row)
            && index < count
        {
            self.shared.conversations.selection.index = index;
            if let Some(place) = self.shared.conversations.selected().map(|entry| entry.place.clone()) {
                self.go(Destination::Conversation(place), now);
            }
        }
    }

    /// Asks for a channel to join or a participant to write to.
    fn ask_for_conversation(&mut self) {
        let title = "Join a channel (#name) or write to somebody (@name)".to_owned();
        self.overlay = Some(Overlay::Prompt(Prompt::new(
            title,
            "",
            Box::new(|_, text, context| {
                let text = text.trim();
                if let Some(name) = text.strip_prefix('@').filter(|name| !name.is_empty()) {
                    context.go(Destination::Conversation(Place::Direct(name.to_owned())));
                    return;
                }
                let name = text.strip_prefix('#').unwrap_or(text).to_owned();
                if name.is_empty() {
                    return;
                }
                let channel = name.clone();
                context.ask_shared(
                    move |hub| async move { hub.join(&channel).await },
                    move |answer, context| match answer {
                        Ok(channel) => {
                            Conversations::load(context);
                            context.go(Destination::Conversation(Place::Channel(channel.name)));
                        }
                        Err(failure) => context.fail(&failure),
                    },
                );
            }),
        )));
    }

    /// Asks whether to leave the selected channel.
    fn ask_to_leave(&mut self) {
        let Some(Place::Channel(name)) = self.shared.conversations.selected().map(|entry| entry.place.clone()) else {
            return;
        };
        let title = format!("Leave #{}?", crate::text::one_line(&name));
        self.overlay = Some(Overlay::Menu(Menu::confirm(title, move |context| {
            context.ask_shared(
                move |hub| async move { hub.leave(&name).await },
                |answer, context| match answer {
                    Ok(()) => Conversations::load(context),
                    Err(failure) => context.fail(&failure),
                },
            );
        })));
    }

    /// Asks whether to log out.
    pub(super) fn ask_to_log_out(&mut self) {
        let title = match self.shared.kept.outbox().len() {
            0 => "Log out?".to_owned(),
            1 => "Log out? A message is not sent yet. It is kept, and sent after the next login.".to_owned(),
            count => {
                format!("Log out? {count} messages are not sent yet. They are kept, and sent after the next login.")
            }
        };
        let log_out = |context: &mut Context<'_>| context.log_out();
        self.overlay = Some(Overlay::Menu(Menu::confirm(title, log_out)));
    }
}
