//! A merge of two changes of a text by lines, with marks where they contradict each other.
//!
//! Invariants: every line of both changes is in the merge, except for lines that the other change removed. The time is
//! bounded: of texts that differ in too many lines, everything between their first and last difference is a conflict.

/// Maximum number of pairs of lines that are compared.
const PAIRS_MAX: usize = 2_000_000;

/// The beginning of a conflict, its middle and its end.
const MARKS: [&str; 3] = ["<<<<<<< yours", "=======", ">>>>>>> "];

/// The merge of two changes of `base`. `name` says whose the other text is.
pub(crate) fn merged(base: &str, yours: &str, theirs: &str, name: &str) -> String {
    let [base, yours, theirs] = [lines(base), lines(yours), lines(theirs)];
    let (in_yours, in_theirs) = (matches(&base, &yours), matches(&base, &theirs));
    let mut whole = String::new();
    let (mut at, mut at_yours, mut at_theirs) = (0, 0, 0);
    for (index, both) in in_yours.iter().zip(&in_theirs).enumerate() {
        let (Some(here), Some(there)) = both else { continue };
        let part = [part(&base, at, index), part(&yours, at_yours, *here), part(&theirs, at_theirs, *there)];
        resolve(part, name, &mut whole);
        whole.push_str(base.get(index).copied().unwrap_or_default());
        (at, at_yours, at_theirs) = (index + 1, here + 1, there + 1);
    }
    let rest =
        [part(&base, at, base.len()), part(&yours, at_yours, yours.len()), part(&theirs, at_theirs, theirs.len())];
    resolve(rest, name, &mut whole);
    whole
}

/// Whether a text has the marks of a conflict.
pub(crate) fn has_marks(text: &str) -> bool {
    let mut left = MARKS.iter().peekable();
    for line in text.lines() {
        left.next_if(|mark| line.starts_with(**mark));
    }
    left.peek().is_none()
}

/// For each line of a text, whether it is not in the base.
pub(crate) fn changed(base: &str, text: &str) -> Vec<bool> {
    let (base, text) = (lines(base), lines(text));
    let mut changed = vec![true; text.len()];
    for index in matches(&base, &text).into_iter().flatten() {
        if let Some(changed) = changed.get_mut(index) {
            *changed = false;
        }
    }
    changed
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn part<'t, 'l>(lines: &'l [&'t str], from: usize, to: usize) -> &'l [&'t str] {
    lines.get(from..to).unwrap_or_default()
}

/// Adds a part between two common lines: the change of one, or both with marks.
fn resolve([base, yours, theirs]: [&[&str]; 3], name: &str, whole: &mut String) {
    if yours == base || yours == theirs {
        whole.extend(theirs.iter().copied());
    } else if theirs == base {
        whole.extend(yours.iter().copied());
    } else {
        let end = format!("{}{name}", MARKS[2]);
        for (mark, lines) in [(MARKS[0], yours), (MARKS[1], theirs), (end.as_str(), &[][..])] {
            mark_line(whole, mark);
            whole.extend(lines.iter().copied());
        }
    }
}

fn mark_line(whole: &mut String, mark: &str) {
    if !whole.is_empty() && !whole.ends_with('\n') {
        whole.push('\n');
    }
    whole.push_str(mark);
    whole.push('\n');
}

/// For each line of `base`, the line of `other` that is the same one, in a longest common subsequence.
fn matches(base: &[&str], other: &[&str]) -> Vec<Option<usize>> {
    let same_start = base.iter().zip(other).take_while(|(one, another)| one == another).count();
    let (base_rest, other_rest) = (part(base, same_start, base.len()), part(other, same_start, other.len()));
    let same_end =
        base_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(one, another)| one == another).count();
    let (base_end, other_end) = (base.len() - same_end, other.len() - same_end);
    let mut found: Vec<_> = (0..same_start).map(Some).collect();
    let between = (part(base, same_start, base_end), part(other, same_start, other_end));
    found.extend(common(between.0, between.1).into_iter().map(|index| index.map(|index| index + same_start)));
    found.extend((other_end..other.len()).map(Some));
    found
}

/// The longest common subsequence, by the table of its lengths.
fn common(base: &[&str], other: &[&str]) -> Vec<Option<usize>> {
    let mut found = vec![None; base.len()];
    let columns = other.len() + 1;
    if base.len().saturating_mul(other.len()) > PAIRS_MAX {
        return found;
    }
    // The length for the lines from `row` and from `column` on is at `row * columns + column`.
    let mut lengths = vec![0_u32; (base.len() + 1) * columns];
    for row in (0..base.len()).rev() {
        for column in (0..other.len()).rev() {
            let at = row * columns + column;
            lengths[at] = if base[row] == other[column] {
                lengths[at + columns + 1] + 1
            } else {
                lengths[at + columns].max(lengths[at + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < base.len() && column < other.len() {
        let at = row * columns + column;
        if base[row] == other[column] {
            found[row] = Some(column);
            row += 1;
            column += 1;
        } else if lengths[at + columns] >= lengths[at + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_of_different_lines_fit_together() {
        let merge = merged("a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nb\nc\nD\ne\n", "ann");
        assert_eq!(merge, "a\nB\nc\nD\ne\n");
        assert!(!has_marks(&merge));
    }

    #[test]
    fn changes_of_one_line_are_marked() {
        let merge = merged("a\nb\nc", "a\nmine\nc", "a\nhers\nc", "ann");
        assert_eq!(merge, "a\n<<<<<<< yours\nmine\n=======\nhers\n>>>>>>> ann\nc");
        assert!(has_marks(&merge));
        let end = merged("a", "b", "c", "ann");
        assert_eq!(end, "<<<<<<< yours\nb\n=======\nc\n>>>>>>> ann\n");
    }

    #[test]
    fn a_heading_with_a_line_below_it_is_no_conflict() {
        assert!(!has_marks("Title\n=======\ntext\n"));
    }

    #[test]
    fn lines_that_are_not_in_the_base_are_changed() {
        assert_eq!(changed("a\nb\n", "a\nx\nb\ny"), [false, true, false, true]);
    }

    #[test]
    fn large_texts_take_bounded_time() {
        let base: Vec<_> = (0..20_000).map(|line| format!("base {line}\n")).collect();
        let other: Vec<_> = (0..20_000).map(|line| format!("other {line}\n")).collect();
        let merge = merged(&base.concat(), &other.concat(), "new\n", "ann");
        assert!(has_marks(&merge));
    }

    proptest! {
        #[test]
        fn one_change_alone_is_the_merge(base in "([ab]\n){0,8}", text in "([abc]\n){0,8}") {
            prop_assert_eq!(&merged(&base, &text, &base, "ann"), &text);
            prop_assert_eq!(&merged(&base, &base, &text, "ann"), &text);
            prop_assert_eq!(&merged(&base, &text, &text, "ann"), &text);
        }

        #[test]
        fn no_new_line_is_lost(base in "([ab]\n){0,8}", yours in "([abx]\n){0,8}", theirs in "([aby]\n){0,8}") {
            let merge = merged(&base, &yours, &theirs, "ann");
            for (text, new) in [(&yours, "x\n"), (&theirs, "y\n")] {
                prop_assert_eq!(merge.matches(new).count(), text.matches(new).count());
            }
        }
    }
}
