//! Keys and the mouse, as actions.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::action::Action;
use crate::state::destination::Destination;
use crate::state::screen::Mode;

/// Reads keys, with the memory of a `g` that waits for its second key.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// Whether `g` was pressed.
    pub(crate) go: bool,
}

impl Input {
    /// The action of an event; none if it has no meaning here. `menu` says that letters choose from a menu.
    pub(crate) fn action(&mut self, event: &Event, mode: Mode, menu: bool) -> Option<Action> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, mode, menu),
            Event::Paste(text) => (mode != Mode::Command).then(|| Action::Paste(text.clone())),
            Event::Mouse(mouse) => mouse_action(*mouse),
            _ => None,
        }
    }

    fn key(&mut self, key: KeyEvent, mode: Mode, menu: bool) -> Option<Action> {
        let go = std::mem::take(&mut self.go);
        if let Some(action) = everywhere(key) {
            return Some(action);
        }
        match mode {
            Mode::Command if menu => match key.code {
                KeyCode::Char(letter) => Some(Action::Insert(letter)),
                code => movement(code),
            },
            Mode::Command if go => destination(key.code),
            Mode::Command if key.code == KeyCode::Char('g') && key.modifiers.is_empty() => {
                self.go = true;
                None
            }
            Mode::Command => command(key),
            Mode::Line | Mode::Text => typing(key, mode),
        }
    }
}

fn everywhere(key: KeyEvent) -> Option<Action> {
    if key.code == KeyCode::F(1) {
        return Some(Action::Help);
    }
    if !key.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    match key.code {
        KeyCode::Char('c' | 'q') => Some(Action::Quit),
        KeyCode::Char('k') => Some(Action::Palette),
        KeyCode::Char('r') => Some(Action::Refresh),
        _ => None,
    }
}

fn movement(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Up => Action::Up,
        KeyCode::Down => Action::Down,
        KeyCode::Left => Action::Left,
        KeyCode::Right => Action::Right,
        KeyCode::PageUp => Action::PageUp,
        KeyCode::PageDown => Action::PageDown,
        KeyCode::Home => Action::Top,
        KeyCode::End => Action::Bottom,
        KeyCode::Enter => Action::Enter,
        KeyCode::Esc => Action::Back,
        KeyCode::Tab => Action::NextPane,
        _ => return None,
    })
}

fn command(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('d' | 'f') => Some(Action::PageDown),
            KeyCode::Char('u' | 'b') => Some(Action::PageUp),
            KeyCode::Char('n') => Some(Action::Down),
            KeyCode::Char('p') => Some(Action::Up),
            _ => None,
        };
    }
    let KeyCode::Char(letter) = key.code else { return movement(key.code) };
    Some(match letter {
        'q' => Action::Quit,
        '?' => Action::Help,
        '/' => Action::Search,
        'u' => Action::NextUnread,
        'j' => Action::Down,
        'k' => Action::Up,
        'h' => Action::Left,
        'l' => Action::Right,
        'G' => Action::Bottom,
        ' ' => Action::PageDown,
        'i' => Action::Write,
        'r' => Action::Reply,
        't' => Action::Thread,
        'e' => Action::React,
        'c' => Action::Claim,
        'd' => Action::Done,
        'o' => Action::Open,
        'y' => Action::Copy,
        'E' => Action::Edit,
        'D' => Action::Remove,
        'a' => Action::Approve,
        'x' => Action::Reject,
        'R' => Action::Retry,
        'A' => Action::Acknowledge,
        'n' => Action::New,
        'p' => Action::Pause,
        'm' => Action::Mute,
        _ => return None,
    })
}

fn destination(code: KeyCode) -> Option<Action> {
    Some(Action::Go(match code {
        KeyCode::Char('g') => return Some(Action::Top),
        KeyCode::Char('t') => Destination::Today,
        KeyCode::Char('c') => Destination::Conversations,
        KeyCode::Char('b') => Destination::Board(None),
        KeyCode::Char('s') => Destination::Search(String::new()),
        KeyCode::Char('a') => Destination::Agents,
        KeyCode::Char('r') => Destination::Runs(None),
        KeyCode::Char('o') => Destination::Goals,
        KeyCode::Char('w') => Destination::Wiki,
        KeyCode::Char('d') => Destination::DeadLetters,
        KeyCode::Char('m') => Destination::Machines,
        _ => return None,
    }))
}

fn typing(key: KeyEvent, mode: Mode) -> Option<Action> {
    let (control, alt) = (key.modifiers.contains(KeyModifiers::CONTROL), key.modifiers.contains(KeyModifiers::ALT));
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    Some(match key.code {
        KeyCode::Enter if mode == Mode::Text && (alt || shift || control) => Action::NewLine,
        KeyCode::Char('j') if control && mode == Mode::Text => Action::NewLine,
        KeyCode::Char('w') if control => Action::DeleteWord,
        KeyCode::Char('u') if control => Action::DeleteLine,
        KeyCode::Char('a') if control => Action::LineStart,
        KeyCode::Char('e') if control => Action::LineEnd,
        KeyCode::Char('n') if control => Action::Down,
        KeyCode::Char('p') if control => Action::Up,
        KeyCode::Char('h') if control => Action::Backspace,
        KeyCode::Char('b') if alt => Action::WordLeft,
        KeyCode::Char('f') if alt => Action::WordRight,
        KeyCode::Backspace if alt || control => Action::DeleteWord,
        KeyCode::Left if alt || control => Action::WordLeft,
        KeyCode::Right if alt || control => Action::WordRight,
        KeyCode::Char(_) if control || alt => return None,
        KeyCode::Char(letter) => Action::Insert(letter),
        KeyCode::Backspace => Action::Backspace,
        KeyCode::Delete => Action::Delete,
        KeyCode::Home => Action::LineStart,
        KeyCode::End => Action::LineEnd,
        KeyCode::Tab => Action::Complete,
        code => return movement(code),
    })
}

fn mouse_action(mouse: MouseEvent) -> Option<Action> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Action::Click { column: mouse.column, row: mouse.row }),
        MouseEventKind::ScrollUp => Some(Action::Up),
        MouseEventKind::ScrollDown => Some(Action::Down),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut Input, code: KeyCode, modifiers: KeyModifiers, mode: Mode) -> Option<Action> {
        input.action(&Event::Key(KeyEvent::new(code, modifiers)), mode, false)
    }

    #[test]
    fn g_waits_for_a_second_key() {
        let mut input = Input::default();
        assert_eq!(press(&mut input, KeyCode::Char('g'), KeyModifiers::NONE, Mode::Command), None);
        let runs = press(&mut input, KeyCode::Char('r'), KeyModifiers::NONE, Mode::Command);
        assert_eq!(runs, Some(Action::Go(Destination::Runs(None))));
        assert_eq!(press(&mut input, KeyCode::Char('r'), KeyModifiers::NONE, Mode::Command), Some(Action::Reply));
        assert_eq!(press(&mut input, KeyCode::Char('g'), KeyModifiers::NONE, Mode::Text), Some(Action::Insert('g')));
    }

    #[test]
    fn enter_sends_and_alt_enter_begins_a_line() {
        let mut input = Input::default();
        assert_eq!(press(&mut input, KeyCode::Enter, KeyModifiers::NONE, Mode::Text), Some(Action::Enter));
        assert_eq!(press(&mut input, KeyCode::Enter, KeyModifiers::ALT, Mode::Text), Some(Action::NewLine));
        let paste = Event::Paste("a\nb".into());
        assert_eq!(input.action(&paste, Mode::Text, false), Some(Action::Paste("a\nb".into())));
        assert_eq!(input.action(&paste, Mode::Command, false), None, "a paste is no command");
    }

    #[test]
    fn the_palette_and_the_end_are_everywhere() {
        for mode in [Mode::Command, Mode::Line, Mode::Text] {
            let mut input = Input::default();
            assert_eq!(press(&mut input, KeyCode::Char('k'), KeyModifiers::CONTROL, mode), Some(Action::Palette));
            assert_eq!(press(&mut input, KeyCode::Char('c'), KeyModifiers::CONTROL, mode), Some(Action::Quit));
        }
    }
}
