//! The palette: everything that one can go to or do, found by typing a part of its name.
//!
//! Invariants: the matches are those of the text in the field, the best first; equal ones keep the order of the items.

mod scoring;

use ratatui::layout::{Position, Rect};
use svc_core::participants::ParticipantKind;

use super::conversations::Entry;
use super::destination::Destination;
use super::editor::Editor;
use super::list::Selection;
use super::shared::Shared;
use crate::action::Action;
use crate::backend::Place;
use crate::text;

/// Maximum number of matches that are shown.
const MATCHES_MAX: usize = 50;

/// Something that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Goes to a screen.
    Go(Destination),
    /// Does something.
    Act(Action),
}

/// The result of an action in the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The palette stays open.
    Stays,
    /// The palette is closed.
    Closed,
    /// An item was chosen.
    Chosen(Choice),
}

/// An item of the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// The name, clean.
    pub(crate) name: String,
    /// The kind of item, or its key.
    pub(crate) kind: String,
    /// Whether there are unread messages.
    pub(crate) unread: bool,
    /// Other words by which it is found.
    also: String,
    choice: Choice,
}

impl Item {
    fn new(name: impl Into<String>, kind: impl Into<String>, also: impl Into<String>, choice: Choice) -> Self {
        Self { name: name.into(), kind: kind.into(), unread: false, also: also.into(), choice }
    }
}

/// The palette.
#[derive(Debug)]
pub(crate) struct Palette {
    /// The field.
    pub(crate) editor: Editor,
    /// The items that match, the best first.
    pub(crate) matches: Vec<Item>,
    /// The selected match.
    pub(crate) selected: Selection,
    /// The area of the matches, as of the last drawing.
    pub(crate) area: Rect,
    items: Vec<Item>,
}

impl Palette {
    /// A palette of everything that is known.
    pub(crate) fn new(shared: &Shared) -> Self {
        Self::of(items(shared.conversations.entries()))
    }

    fn of(items: Vec<Item>) -> Self {
        let mut palette = Self {
            editor: Editor::default(),
            matches: Vec::new(),
            selected: Selection::default(),
            area: Rect::default(),
            items,
        };
        palette.find();
        palette
    }

    /// Takes what has become known meanwhile.
    pub(crate) fn refresh(&mut self, shared: &Shared) {
        self.items = items(shared.conversations.entries());
        let selected = self.selected;
        self.find();
        self.selected = selected;
        self.selected.limit(self.matches.len());
    }

    /// Reacts to an action.
    pub(crate) fn act(&mut self, action: &Action) -> Outcome {
        match action {
            Action::Back | Action::Palette => return Outcome::Closed,
            Action::Enter => return self.chosen(),
            Action::Click { column, row } => return self.click(Position { x: *column, y: *row }),
            Action::Complete | Action::NextPane => {
                self.selected.act(&Action::Down, self.matches.len());
            }
            Action::Paste(text) => self.edit(&Action::Paste(text::one_line(text))),
            Action::NewLine => {}
            action if self.selected.act(action, self.matches.len()) => {}
            action => self.edit(action),
        }
        Outcome::Stays
    }

    fn edit(&mut self, action: &Action) {
        let before = self.editor.text().to_owned();
        self.editor.act(action);
        if self.editor.text() != before {
            self.find();
        }
    }

    fn chosen(&self) -> Outcome {
        match self.matches.get(self.selected.index) {
            Some(item) => Outcome::Chosen(item.choice.clone()),
            None => Outcome::Stays,
        }
    }

    /// A click on a match chooses it; one outside of the matches does nothing.
    fn click(&mut self, place: Position) -> Outcome {
        let row = usize::from(place.y.saturating_sub(self.area.y));
        if self.area.contains(place) && self.selected.click(row, self.matches.len()) {
            return self.chosen();
        }
        Outcome::Stays
    }

    fn find(&mut self) {
        let query = self.editor.text().trim();
        let mut found: Vec<_> =
            self.items.iter().filter_map(|item| Some((scoring::score(&item.name, &item.also, query)?, item))).collect();
        found.sort_by_key(|(score, _)| *score);
        self.matches = found.into_iter().take(MATCHES_MAX - 1).map(|(_, item)| item.clone()).collect();
        if !query.is_empty() {
            let choice = Choice::Go(Destination::Search(query.to_owned()));
            self.matches.push(Item::new(format!("Search for “{}”", text::one_line(query)), "messages", "", choice));
        }
        self.selected = Selection::default();
    }
}

/// Everything that one can go to or do: unread conversations, screens, other conversations, what belongs to them, and
/// actions.
fn items(entries: &[Entry]) -> Vec<Item> {
    let (unread, read): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| entry.counted() > 0 || entry.mentioned() > 0);
    let mut items: Vec<_> = unread.into_iter().map(conversation).collect();
    items.extend(screens());
    items.extend(read.into_iter().map(conversation));
    items.extend(entries.iter().filter_map(related));
    items.extend(actions());
    items
}

fn conversation(entry: &Entry) -> Item {
    let kind = match entry.partner {
        None => "channel",
        Some(ParticipantKind::Agent) => "agent",
        Some(_) => "direct messages",
    };
    let kind = match (entry.mentioned(), entry.counted()) {
        (0, 0) => kind.to_owned(),
        (0, unread) => format!("{unread} unread"),
        (1, _) => "1 mention".to_owned(),
        (mentions, _) => format!("{mentions} mentions"),
    };
    let also = if entry.partner.is_some() { entry.about.clone() } else { String::new() };
    let choice = Choice::Go(Destination::Conversation(entry.place.clone()));
    let unread = entry.counted() > 0 || entry.mentioned() > 0;
    Item { unread, ..Item::new(text::one_line(&entry.place.name()), kind, also, choice) }
}

/// The board of a channel with a workflow, or the runs of an agent.
fn related(entry: &Entry) -> Option<Item> {
    match &entry.place {
        Place::Channel(name) if entry.workflow => {
            let choice = Choice::Go(Destination::Board(Some(name.clone())));
            Some(Item::new(text::one_line(&format!("Board of #{name}")), "board", "kanban workflow", choice))
        }
        Place::Direct(handle) if entry.partner == Some(ParticipantKind::Agent) => {
            let choice = Choice::Go(Destination::Runs(Some(handle.clone())));
            Some(Item::new(text::one_line(&format!("Runs of {handle}")), "runs", "log history", choice))
        }
        _ => None,
    }
}

fn screens() -> Vec<Item> {
    let screens = [
        ("Today", "g t", "home inbox approvals attention", Destination::Today),
        ("Conversations", "g c", "channels direct messages list", Destination::Conversations),
        ("Board", "g b", "kanban workflow proposals", Destination::Board(None)),
        ("Search", "g s", "find messages", Destination::Search(String::new())),
        ("Agents", "g a", "budget quarantine pause", Destination::Agents),
        ("Runs", "g r", "log history", Destination::Runs(None)),
        ("Goals", "g o", "tasks plan approve", Destination::Goals),
        ("Wiki", "g w", "articles knowledge", Destination::Wiki),
        ("Dead letters", "g d", "deliveries webhooks failed", Destination::DeadLetters),
        ("Machines", "g m", "principals registry", Destination::Machines),
    ];
    let item = |(name, keys, also, destination)| Item::new(name, keys, also, Choice::Go(destination));
    screens.into_iter().map(item).collect()
}

fn actions() -> Vec<Item> {
    let actions = [
        ("Next unread conversation", "u", "mentions", Action::NextUnread),
        ("Read again", "Ctrl+R", "refresh reload", Action::Refresh),
        ("Keys of this screen", "?", "help shortcuts", Action::Help),
        ("Log out", "", "end session switch user", Action::LogOut),
        ("Quit", "q", "exit end", Action::Quit),
    ];
    let item = |(name, keys, also, action)| Item::new(name, keys, also, Choice::Act(action));
    actions.into_iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use svc_core::notifications::AttentionLevel;

    use super::*;

    fn entry(place: Place, unread: i64, partner: Option<ParticipantKind>) -> Entry {
        let level = AttentionLevel::default();
        Entry { place, unread, mentions: 0, level, partner, latest: None, about: String::new(), workflow: false }
    }

    fn palette() -> Palette {
        Palette::of(items(&[
            Entry { workflow: true, ..entry(Place::Channel("builds".to_owned()), 0, None) },
            entry(Place::Channel("ops".to_owned()), 3, None),
            entry(Place::Direct("builder".to_owned()), 0, Some(ParticipantKind::Agent)),
        ]))
    }

    fn typed(text: &str) -> Palette {
        let mut palette = palette();
        for letter in text.chars() {
            assert_eq!(palette.act(&Action::Insert(letter)), Outcome::Stays);
        }
        palette
    }

    fn names(palette: &Palette) -> Vec<&str> {
        palette.matches.iter().map(|item| item.name.as_str()).collect()
    }

    #[test]
    fn unread_conversations_come_before_screens() {
        assert_eq!(names(&palette()).first(), Some(&"#ops"));
        assert_eq!(names(&palette()).get(1), Some(&"Today"));
    }

    #[test]
    fn the_best_match_is_chosen_with_enter() {
        let mut runs = typed("runs bui");
        assert_eq!(names(&runs), ["Runs of builder", "Search for “runs bui”"]);
        let destination = Destination::Runs(Some("builder".to_owned()));
        assert_eq!(runs.act(&Action::Enter), Outcome::Chosen(Choice::Go(destination)));
        let board = Destination::Board(Some("builds".to_owned()));
        assert_eq!(typed("board of").act(&Action::Enter), Outcome::Chosen(Choice::Go(board)));
        assert_eq!(typed("quit").act(&Action::Enter), Outcome::Chosen(Choice::Act(Action::Quit)));
    }

    #[test]
    fn any_text_can_be_searched_for() {
        let search = Choice::Go(Destination::Search("no such name".to_owned()));
        assert_eq!(typed(" no such name ").act(&Action::Enter), Outcome::Chosen(search));
    }

    #[test]
    fn a_new_text_selects_the_first_match() {
        let mut palette = palette();
        palette.act(&Action::Down);
        palette.act(&Action::Down);
        assert_eq!(palette.selected.index, 2);
        palette.act(&Action::Left);
        assert_eq!(palette.selected.index, 2, "moving the cursor finds nothing new");
        palette.act(&Action::Insert('o'));
        assert_eq!(palette.selected.index, 0);
        assert_eq!(palette.act(&Action::Back), Outcome::Closed);
    }
}
