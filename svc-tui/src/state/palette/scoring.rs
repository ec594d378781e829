//! How well a name answers what is typed into the palette. Lower is better.
//!
//! The order of kinds: the whole name, its beginning, the beginning of a word, a part, and at last letters in their
//! order with others between them. Upper and lower case are the same.

const BEGINNING: u32 = 10;
const WORD: u32 = 20;
const PART: u32 = 30;
const OTHER: u32 = 40;
const LETTERS: u32 = 50;
/// The cost of a letter that neither begins a word nor follows the letter found before.
const JUMP: u32 = 4;

/// The score of a name for all words of a query, which may be in any order; none if one is missing. `also` has other
/// words by which the name is found.
pub(super) fn score(name: &str, also: &str, query: &str) -> Option<u32> {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let also = also.to_lowercase();
    query.split_whitespace().map(|word| one(&name, &also, &word.to_lowercase())).sum()
}

fn one(name: &[char], also: &str, word: &str) -> Option<u32> {
    let letters: Vec<char> = word.chars().collect();
    let bare = name.iter().position(|letter| !matches!(letter, '#' | '@')).unwrap_or(name.len());
    let name = if letters.first().is_some_and(|first| matches!(first, '#' | '@')) { name } else { &name[bare..] };
    if name == letters {
        return Some(0);
    }
    if name.starts_with(&letters) {
        return Some(BEGINNING);
    }
    let found: Vec<_> =
        name.windows(letters.len().max(1)).enumerate().filter(|(_, part)| *part == letters).map(|(at, _)| at).collect();
    if found.iter().any(|at| begins_word(name, *at)) {
        return Some(WORD);
    }
    if !found.is_empty() {
        return Some(PART);
    }
    if also.contains(word) {
        return Some(OTHER);
    }
    in_order(name, &letters).map(|cost| LETTERS + cost)
}

fn begins_word(name: &[char], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| name.get(before)).is_none_or(|before| !before.is_alphanumeric())
}

/// The least cost of finding letters in their order; none if they are not there.
fn in_order(name: &[char], letters: &[char]) -> Option<u32> {
    // For each position, the cost of the letters so far with the last one found there.
    let mut costs: Vec<Option<u32>> = Vec::new();
    for (number, letter) in letters.iter().enumerate() {
        let mut best: Option<u32> = (number == 0).then_some(0);
        let mut next = vec![None; name.len()];
        for (at, cost) in next.iter_mut().enumerate() {
            let adjacent = at.checked_sub(1).and_then(|before| costs.get(before).copied().flatten());
            if name.get(at) == Some(letter) {
                let jump = if begins_word(name, at) { 1 } else { JUMP };
                *cost = [best.map(|cost| cost + jump), adjacent].into_iter().flatten().min();
            }
            let here = costs.get(at).copied().flatten();
            best = [best, here].into_iter().flatten().min();
        }
        costs = next;
    }
    costs.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Vec<&'static str> {
        let names =
            ["operations", "dev-ops", "#ops", "Settings", "cops and robbers", "of people shown", "Dead letters"];
        let mut found: Vec<_> = names.into_iter().filter_map(|name| Some((score(name, "", query)?, name))).collect();
        found.sort_by_key(|(score, _)| *score);
        found.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn whole_names_come_first_then_beginnings_of_words_then_parts_then_letters() {
        assert_eq!(found("ops"), ["#ops", "dev-ops", "cops and robbers", "of people shown", "operations"]);
        assert_eq!(found("op"), ["operations", "#ops", "dev-ops", "cops and robbers", "of people shown"]);
    }

    #[test]
    fn letters_are_found_in_their_order_and_in_any_case() {
        assert_eq!(found("DL"), ["Dead letters"]);
        assert_eq!(found("sgs"), ["Settings"]);
        assert_eq!(found("xyz"), [""; 0]);
    }

    #[test]
    fn all_words_must_be_there_in_any_order() {
        assert_eq!(found("robbers cops"), ["cops and robbers"]);
        assert_eq!(found("robbers police"), [""; 0]);
        assert_eq!(score("Settings", "password profile", "passw"), Some(OTHER));
    }

    #[test]
    fn nothing_asked_finds_everything() {
        assert_eq!(found(" ").len(), 7);
        assert_eq!(score("", "", "a"), None);
    }
}
