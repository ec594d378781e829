//! Everything that a person can ask for, with a key, the mouse or the palette.

use crate::state::destination::Destination;

/// A request of the person at the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// Ends the program.
    Quit,
    /// Ends the login and the program.
    LogOut,
    /// Leaves a field, closes a menu, or goes back to the screen before.
    Back,
    /// Shows the keys of this screen.
    Help,
    /// Opens the palette.
    Palette,
    /// Opens the search, or the filter of a list.
    Search,
    /// Reads the data of this screen again.
    Refresh,
    /// Goes to a screen.
    Go(Destination),
    /// Moves the focus to the list of conversations and back.
    NextPane,
    /// Goes to the next conversation with unread messages.
    NextUnread,

    /// Moves the selection.
    Up,
    /// Moves the selection.
    Down,
    /// Moves to the left, closes a node.
    Left,
    /// Moves to the right, opens a node.
    Right,
    /// Moves the selection by a page.
    PageUp,
    /// Moves the selection by a page.
    PageDown,
    /// Moves to the first row.
    Top,
    /// Moves to the last row.
    Bottom,
    /// Opens the selected row, or sends what is typed.
    Enter,
    /// A press of the left mouse button.
    Click {
        /// The column, from 0.
        column: u16,
        /// The row, from 0.
        row: u16,
    },

    /// Writes a message.
    Write,
    /// Answers the selected message.
    Reply,
    /// Opens the thread of the selected message.
    Thread,
    /// Reacts to the selected message.
    React,
    /// Claims the selected message.
    Claim,
    /// Marks the selected message as done.
    Done,
    /// Opens a link or a file.
    Open,
    /// Copies the selected text.
    Copy,
    /// Edits the selected message, or an article in the editor of the person.
    Edit,
    /// Deletes the selected message.
    Remove,
    /// Approves.
    Approve,
    /// Rejects, or cancels.
    Reject,
    /// Repeats.
    Retry,
    /// Acknowledges.
    Acknowledge,
    /// Creates.
    New,
    /// Pauses or resumes.
    Pause,
    /// Mutes a conversation or changes its level.
    Mute,

    /// Types a character.
    Insert(char),
    /// Inserts a text of any number of lines.
    Paste(String),
    /// Begins a new line.
    NewLine,
    /// Deletes the character before the cursor.
    Backspace,
    /// Deletes the character after the cursor.
    Delete,
    /// Deletes the word before the cursor.
    DeleteWord,
    /// Deletes up to the beginning of the line.
    DeleteLine,
    /// Moves to the beginning of the line.
    LineStart,
    /// Moves to the end of the line.
    LineEnd,
    /// Moves by a word.
    WordLeft,
    /// Moves by a word.
    WordRight,
    /// Completes a name.
    Complete,
}
