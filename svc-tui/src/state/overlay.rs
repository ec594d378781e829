//! Questions to the person, over the screen: menus and prompts.

use super::context::{Chosen, Context, Entered};
use super::editor::Editor;

/// A question over the screen.
pub(crate) enum Overlay {
    /// One of several things.
    Menu(Menu),
    /// A line of text.
    Prompt(Prompt),
    /// The keys of the screen.
    Help,
    /// The palette.
    Palette(super::palette::Palette),
}

/// A choice of one of several things.
pub(crate) struct Menu {
    /// The question.
    pub(crate) title: String,
    /// Keys and texts.
    pub(crate) items: Vec<(char, String)>,
    /// The selected item.
    pub(crate) selected: usize,
    pub(super) then: Chosen,
}

impl Menu {
    /// A question about all screens that is answered with yes or no.
    pub(super) fn confirm(title: String, yes: impl FnOnce(&mut Context<'_>) + Send + 'static) -> Self {
        let items = vec![('n', "No".to_owned()), ('y', "Yes".to_owned())];
        let then: Chosen = Box::new(move |_, choice, context| {
            if choice == 'y' {
                yes(context);
            }
        });
        Self { title, items, selected: 0, then }
    }
}

/// A field of one line.
pub(crate) struct Prompt {
    /// The question.
    pub(crate) title: String,
    /// The text.
    pub(crate) editor: Editor,
    pub(super) then: Entered,
}

impl Prompt {
    pub(super) fn new(title: String, text: &str, then: Entered) -> Self {
        Self { title, editor: Editor::new(text), then }
    }
}
