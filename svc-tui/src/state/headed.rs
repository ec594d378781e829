//! The selection in a list with headings. A heading cannot be selected.

use crate::action::Action;
use crate::state::list::Selection;

/// Moves the selection in a list, where `headings` says for each row whether it is a heading. Says whether the action
/// was a movement.
pub(crate) fn act(selection: &mut Selection, action: &Action, headings: &[bool]) -> bool {
    let moved = selection.act(action, headings.len());
    if moved {
        skip(selection, headings, matches!(action, Action::Up | Action::PageUp | Action::Bottom));
    }
    moved
}

/// Moves the selection from a heading to the nearest row, in one direction if there is one.
pub(crate) fn skip(selection: &mut Selection, headings: &[bool], upwards: bool) {
    selection.limit(headings.len());
    let at = selection.index;
    if headings.get(at) != Some(&true) {
        return;
    }
    let above = headings.iter().take(at).rposition(|heading| !heading);
    let below = headings.iter().skip(at).position(|heading| !heading).map(|distance| at + distance);
    let next = if upwards { above.or(below) } else { below.or(above) };
    selection.index = next.unwrap_or(at);
}

/// Scrolls so that the heading right above the selected row is on screen too.
pub(crate) fn reveal(selection: &mut Selection, headings: &[bool]) {
    let above = selection.index.saturating_sub(1);
    if headings.get(above) == Some(&true) {
        selection.first = selection.first.min(above);
    }
}

/// Selects the row that was clicked. Says whether there is one, and whether it was selected before.
pub(crate) fn click(selection: &mut Selection, row: usize, headings: &[bool]) -> Option<bool> {
    let before = *selection;
    if !selection.click(row, headings.len()) {
        return None;
    }
    if headings.get(selection.index) == Some(&true) {
        *selection = before;
        return None;
    }
    Some(selection.index == before.index)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: [bool; 6] = [true, false, true, true, false, false];

    #[test]
    fn a_heading_is_never_selected() {
        let mut selection = Selection { height: 6, ..Selection::default() };
        skip(&mut selection, &LIST, false);
        assert_eq!(selection.index, 1);
        for (action, expected) in [
            (Action::Down, 4),
            (Action::Up, 1),
            (Action::Up, 1),
            (Action::Bottom, 5),
            (Action::Top, 1),
            (Action::PageDown, 5),
            (Action::PageUp, 1),
        ] {
            assert!(act(&mut selection, &action, &LIST));
            assert_eq!(selection.index, expected, "{action:?}");
        }
        assert_eq!(click(&mut selection, 3, &LIST), None);
        assert_eq!(click(&mut selection, 4, &LIST), Some(false));
        assert_eq!(click(&mut selection, 4, &LIST), Some(true));
    }

    #[test]
    fn a_list_of_headings_only_does_no_harm() {
        let mut selection = Selection::default();
        for list in [&[][..], &[true][..]] {
            skip(&mut selection, list, true);
            assert!(act(&mut selection, &Action::Down, list));
            reveal(&mut selection, list);
            assert_eq!(selection.index, 0);
        }
    }
}
