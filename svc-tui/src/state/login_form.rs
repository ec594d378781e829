//! The form for logging in, before the hub is connected.
//!
//! Invariants: the password is kept exactly as it is typed, is never drawn, and is removed from the form when it is
//! handed over. While a login is on its way the form takes no input.

use unicode_segmentation::UnicodeSegmentation;

use super::editor::Editor;
use crate::action::Action;
use crate::text;

/// Maximum size of the password, in bytes.
const PASSWORD_MAX: usize = 4096;

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoginField {
    /// The name.
    Username,
    /// The password.
    Password,
}

/// The result of an action in the form. It has no `Debug`, because it may contain the password.
#[derive(PartialEq, Eq)]
pub(crate) enum LoginOutcome {
    /// The form stays.
    Stays,
    /// The program ends.
    Quit,
    /// Logs in. The form is busy until [`LoginForm::failed`] is called.
    Submit {
        /// The name.
        username: String,
        /// The password.
        password: String,
    },
}

/// The form.
pub(crate) struct LoginForm {
    /// The address or the directory of the hub.
    pub(crate) server: String,
    /// The name.
    pub(crate) username: Editor,
    /// The field that receives the keys.
    pub(crate) field: LoginField,
    /// The reason why the last login failed, clean.
    pub(crate) error: Option<String>,
    /// Whether a login is on its way.
    pub(crate) busy: bool,
    /// Whether the keys are shown.
    pub(crate) help: bool,
    password: String,
}

impl LoginForm {
    /// A form for a hub, with the name of the last login.
    pub(crate) fn new(server: String, username: &str) -> Self {
        let username = Editor::new(&text::one_line(username));
        let field = first_field(&username);
        Self { server, username, field, error: None, busy: false, help: false, password: String::new() }
    }

    /// The number of characters of the password, as a person counts them.
    pub(crate) fn password_length(&self) -> usize {
        self.password.graphemes(true).count()
    }

    /// Shows why a login failed, or what to know before one. The name stays, and the password is typed again.
    pub(crate) fn failed(&mut self, message: &str) {
        self.busy = false;
        self.error = Some(text::one_line(message));
        self.field = first_field(&self.username);
    }

    /// Reacts to an action.
    pub(crate) fn act(&mut self, action: &Action) -> LoginOutcome {
        match action {
            Action::Quit => return LoginOutcome::Quit,
            // Any key closes the help.
            _ if self.help => self.help = false,
            Action::Back => return LoginOutcome::Quit,
            _ if self.busy => {}
            Action::Help => self.help = true,
            // A name has no question mark; a password may.
            Action::Insert('?') if self.field == LoginField::Username => self.help = true,
            Action::Enter => return self.enter(),
            Action::NextPane | Action::Complete => {
                self.field = match self.field {
                    LoginField::Username => LoginField::Password,
                    LoginField::Password => LoginField::Username,
                };
            }
            Action::Down => self.field = LoginField::Password,
            Action::Up => self.field = LoginField::Username,
            Action::NewLine => {}
            Action::Paste(text) => self.paste(text),
            action if self.field == LoginField::Username => {
                self.username.act(action);
            }
            action => self.edit_password(action),
        }
        LoginOutcome::Stays
    }

    fn enter(&mut self) -> LoginOutcome {
        let username = self.username.text().trim().to_owned();
        if username.is_empty() {
            self.field = LoginField::Username;
            self.error = Some("Type your username.".to_owned());
        } else if self.password.is_empty() {
            // Enter after the name goes on to the password; it is an error only there.
            let missing = self.field == LoginField::Password;
            self.error = missing.then(|| "Type your password.".to_owned());
            self.field = LoginField::Password;
        } else {
            self.busy = true;
            self.error = None;
            return LoginOutcome::Submit { username, password: std::mem::take(&mut self.password) };
        }
        LoginOutcome::Stays
    }

    /// Pastes the first line of a text: a password that was copied often ends with a line break.
    fn paste(&mut self, text: &str) {
        let line = text.lines().next().unwrap_or_default();
        match self.field {
            LoginField::Username => _ = self.username.act(&Action::Paste(line.to_owned())),
            LoginField::Password => self.type_password(line),
        }
    }

    fn edit_password(&mut self, action: &Action) {
        match action {
            Action::Insert(character) => self.type_password(character.encode_utf8(&mut [0; 4])),
            Action::Backspace => {
                let last = self.password.grapheme_indices(true).next_back().map_or(0, |(start, _)| start);
                self.password.truncate(last);
            }
            // Words are invisible here, so that everything is deleted.
            Action::DeleteWord | Action::DeleteLine => self.password.clear(),
            _ => {}
        }
    }

    fn type_password(&mut self, text: &str) {
        if self.password.len() + text.len() <= PASSWORD_MAX {
            self.password.push_str(text);
        }
    }
}

/// The field to type in first: the name, unless it is known.
fn first_field(username: &Editor) -> LoginField {
    if username.text().trim().is_empty() { LoginField::Username } else { LoginField::Password }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(form: &mut LoginForm, text: &str) {
        for letter in text.chars() {
            assert!(form.act(&Action::Insert(letter)) == LoginOutcome::Stays);
        }
    }

    #[test]
    fn both_fields_are_submitted_and_the_password_leaves_the_form() {
        let mut form = LoginForm::new("http://127.0.0.1:8080".to_owned(), "");
        type_in(&mut form, "ada");
        assert!(form.act(&Action::Enter) == LoginOutcome::Stays);
        assert_eq!((form.field, form.error.is_none()), (LoginField::Password, true));
        assert!(form.act(&Action::Enter) == LoginOutcome::Stays);
        assert_eq!(form.error.as_deref(), Some("Type your password."));
        type_in(&mut form, " a\u{200b}b");
        assert!(form.act(&Action::Paste("c\t\n".to_owned())) == LoginOutcome::Stays);
        let expected = LoginOutcome::Submit { username: "ada".to_owned(), password: " a\u{200b}bc\t".to_owned() };
        assert!(form.act(&Action::Enter) == expected, "the password is exact");
        assert_eq!((form.password_length(), form.busy), (0, true));
    }

    #[test]
    fn a_busy_form_only_ends() {
        let mut form = LoginForm::new(String::new(), "ada");
        type_in(&mut form, "secret");
        form.act(&Action::Enter);
        assert!(form.act(&Action::Enter) == LoginOutcome::Stays);
        type_in(&mut form, "x");
        assert_eq!(form.password_length(), 0);
        assert!(form.act(&Action::Quit) == LoginOutcome::Quit);
        form.failed("The username or the password is wrong.\x1b[2J");
        assert!(form.error.as_deref().is_some_and(|error| !error.contains('\x1b')));
        type_in(&mut form, "x");
        assert_eq!(form.password_length(), 1);
    }

    #[test]
    fn the_help_is_one_key_away_and_a_password_may_have_a_question_mark() {
        let mut form = LoginForm::new(String::new(), "");
        form.act(&Action::Insert('?'));
        assert!(form.help);
        assert!(form.act(&Action::Back) == LoginOutcome::Stays);
        assert_eq!((form.help, form.username.text()), (false, ""));
        form.act(&Action::Complete);
        form.act(&Action::Insert('?'));
        assert_eq!((form.help, form.password_length()), (false, 1));
        form.act(&Action::Help);
        assert!(form.help);
        assert!(form.act(&Action::Quit) == LoginOutcome::Quit);
    }

    #[test]
    fn fields_are_changed_with_tab() {
        let mut form = LoginForm::new(String::new(), "ada");
        assert_eq!(form.field, LoginField::Password);
        form.act(&Action::Complete);
        assert_eq!(form.field, LoginField::Username);
        form.act(&Action::DeleteLine);
        form.act(&Action::Enter);
        assert_eq!(form.error.as_deref(), Some("Type your username."));
    }
}
