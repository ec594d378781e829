//! The styles of the screen.
//!
//! Invariants: only the 16 colours of the terminal are used, so its theme decides how they appear. No style sets a
//! background; a selection is reversed. Running text has the terminal's own foreground. Without colour every style
//! consists of modifiers only.

use ratatui::style::{Color, Modifier, Style};

/// The styles of everything that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// Running text.
    pub(crate) text: Style,
    /// Text of less importance. It is the modifier and not bright black, because some themes give bright black the
    /// colour of the background; a terminal without the modifier shows ordinary text.
    pub(crate) dim: Style,
    /// Strong emphasis.
    pub(crate) strong: Style,
    /// Names of participants and channels in a text.
    pub(crate) accent: Style,
    /// Links.
    pub(crate) link: Style,
    /// Code in a line of text, and code without a known language.
    pub(crate) code: Style,
    /// The bar of a quote.
    pub(crate) quote: Style,
    /// Headings.
    pub(crate) heading: Style,
    /// Success.
    pub(crate) good: Style,
    /// Warnings.
    pub(crate) warn: Style,
    /// Failures.
    pub(crate) bad: Style,
    /// The selected row.
    pub(crate) selected: Style,
    /// Conversations with unread messages.
    pub(crate) unread: Style,
    /// Mentions of the user.
    pub(crate) mention: Style,
    /// Borders.
    pub(crate) border: Style,
    /// The border of the area that receives the keys.
    pub(crate) border_focused: Style,
    /// Titles of areas.
    pub(crate) title: Style,
    /// The status bar.
    pub(crate) status_bar: Style,
    /// Names of keys.
    pub(crate) key: Style,
    /// The user's own name.
    pub(crate) mine: Style,
    /// Names of agents.
    pub(crate) agent: Style,
    /// Messages of the hub itself.
    pub(crate) system: Style,
    /// Keywords in code.
    pub(crate) code_keyword: Style,
    /// Strings in code.
    pub(crate) code_string: Style,
    /// Comments in code.
    pub(crate) code_comment: Style,
    /// Numbers and constants in code.
    pub(crate) code_number: Style,
    /// Names of functions in code.
    pub(crate) code_function: Style,
    /// Names of types in code.
    pub(crate) code_type: Style,
}

impl Look {
    /// The styles, with the colours of the terminal or with modifiers only.
    pub(crate) fn new(colour: bool) -> Self {
        if colour { Self::coloured() } else { Self::plain() }
    }

    /// Modifiers only. Code has no style except for keywords and comments, because too many modifiers are noise.
    fn plain() -> Self {
        let none = Style::new();
        let bold = none.add_modifier(Modifier::BOLD);
        let dim = none.add_modifier(Modifier::DIM);
        let underlined = none.add_modifier(Modifier::UNDERLINED);
        let reversed = none.add_modifier(Modifier::REVERSED);
        Self {
            text: none,
            dim,
            strong: bold,
            accent: bold,
            link: underlined,
            code: dim,
            quote: dim,
            heading: bold,
            good: none,
            warn: bold,
            bad: bold.add_modifier(Modifier::UNDERLINED),
            selected: reversed,
            unread: bold,
            mention: bold.add_modifier(Modifier::UNDERLINED),
            border: dim,
            border_focused: bold,
            title: bold,
            status_bar: reversed,
            key: bold,
            mine: underlined,
            agent: none,
            system: dim,
            code_keyword: bold,
            code_string: none,
            code_comment: dim,
            code_number: none,
            code_function: none,
            code_type: none,
        }
    }

    /// Colours on top of the modifiers. Yellow is always bold, because thin yellow is unreadable on white.
    fn coloured() -> Self {
        let none = Style::new();
        let bold = none.add_modifier(Modifier::BOLD);
        Self {
            accent: none.fg(Color::Magenta),
            link: none.fg(Color::Blue).add_modifier(Modifier::UNDERLINED),
            code: none.fg(Color::Cyan),
            quote: none.fg(Color::Green),
            heading: bold.fg(Color::Magenta),
            good: none.fg(Color::Green),
            warn: bold.fg(Color::Yellow),
            bad: bold.fg(Color::Red),
            mention: bold.fg(Color::Red),
            border_focused: bold.fg(Color::Cyan),
            key: bold.fg(Color::Cyan),
            mine: bold.fg(Color::Green),
            agent: bold.fg(Color::Magenta),
            code_keyword: none.fg(Color::Magenta),
            code_string: none.fg(Color::Green),
            code_number: none.fg(Color::Red),
            code_function: none.fg(Color::Blue),
            code_type: none.fg(Color::Cyan),
            ..Self::plain()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(look: &Look) -> Vec<Style> {
        vec![
            look.text,
            look.dim,
            look.strong,
            look.accent,
            look.link,
            look.code,
            look.quote,
            look.heading,
            look.good,
            look.warn,
            look.bad,
            look.selected,
            look.unread,
            look.mention,
            look.border,
            look.border_focused,
            look.title,
            look.status_bar,
            look.key,
            look.mine,
            look.agent,
            look.system,
            look.code_keyword,
            look.code_string,
            look.code_comment,
            look.code_number,
            look.code_function,
            look.code_type,
        ]
    }

    #[test]
    fn without_colour_there_are_modifiers_only() {
        assert!(styles(&Look::new(false)).iter().all(|style| style.fg.is_none() && style.bg.is_none()));
    }

    #[test]
    fn colours_read_on_light_and_dark_backgrounds() {
        for style in styles(&Look::new(true)) {
            assert_eq!(style.bg, None);
            assert!(!matches!(
                style.fg,
                Some(Color::Rgb(..) | Color::Indexed(_) | Color::White | Color::Black | Color::Gray | Color::DarkGray)
            ));
            if style.fg == Some(Color::Yellow) {
                assert!(style.add_modifier.contains(Modifier::BOLD));
            }
        }
    }
}
