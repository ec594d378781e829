//! The text of a search, as a person types it: words, and filters such as `in:ops from:builder has:attachment`.

use svc_core::search::SearchFilter;

/// A filter that can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Channel,
    Agent,
    Has,
    State,
    Status,
    After,
    Before,
    Sort,
}

impl Name {
    fn read(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "in" | "channel" => Self::Channel,
            "from" | "agent" => Self::Agent,
            "has" => Self::Has,
            "is" | "state" => Self::State,
            "status" => Self::Status,
            "after" | "since" => Self::After,
            "before" | "until" => Self::Before,
            "sort" => Self::Sort,
            _ => return None,
        })
    }

    fn can_exclude(self) -> bool {
        matches!(self, Self::Channel | Self::Agent)
    }

    /// Whether it takes one value, so that a later one replaces an earlier one.
    fn is_single(self) -> bool {
        matches!(self, Self::After | Self::Before | Self::Sort)
    }

    fn of(self, filter: &mut SearchFilter) -> &mut Option<String> {
        match self {
            Self::Channel => &mut filter.channel,
            Self::Agent => &mut filter.agent,
            Self::Has => &mut filter.has,
            Self::State => &mut filter.state,
            Self::Status => &mut filter.status,
            Self::After => &mut filter.after,
            Self::Before => &mut filter.before,
            Self::Sort => &mut filter.sort,
        }
    }
}

/// Reads a typed text. Words with a colon that are no filters stay words.
pub(crate) fn read(text: &str) -> SearchFilter {
    let mut filter = SearchFilter::default();
    let mut words = Vec::new();
    for part in parts(text) {
        match read_filter(part) {
            Some((name, values)) => values.into_iter().for_each(|value| add(name.of(&mut filter), name, &value)),
            None => words.push(part),
        }
    }
    filter.q = (!words.is_empty()).then(|| words.join(" "));
    filter
}

/// Whether nothing is asked for; an order alone is no question.
pub(crate) fn is_empty(filter: &SearchFilter) -> bool {
    SearchFilter { sort: None, ..filter.clone() } == SearchFilter::default()
}

/// The parts of a text: phrases in quotation marks, which need not be closed, and words.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('-').unwrap_or(rest).strip_prefix('"');
        let length = match quoted {
            Some(inside) => rest.len() - inside.len() + inside.find('"').map_or(inside.len(), |end| end + 1),
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        let (part, after) = rest.split_at(length);
        parts.push(part.trim_end());
        rest = after.trim_start();
    }
    parts
}

fn read_filter(part: &str) -> Option<(Name, Vec<String>)> {
    let (word, values) = part.split_once(':')?;
    let bare = word.strip_prefix('-');
    let name = Name::read(bare.unwrap_or(word))?;
    let excluded = bare.is_some();
    if excluded && !name.can_exclude() {
        return None;
    }
    let values: Vec<_> = values
        .split(',')
        .filter_map(|value| {
            let (minus, value) = value.strip_prefix('-').map_or((false, value), |value| (true, value));
            let value = value.strip_prefix(['#', '@']).unwrap_or(value);
            let sign = if minus || excluded { "-" } else { "" };
            (!value.is_empty()).then(|| format!("{sign}{value}"))
        })
        .collect();
    (!values.is_empty()).then_some((name, values))
}

/// Adds a value. A list has a value once, and not together with its contrary.
fn add(list: &mut Option<String>, name: Name, value: &str) {
    let bare = |value: &str| value.strip_prefix('-').unwrap_or(value).to_lowercase();
    let before = list.take().filter(|_| !name.is_single()).unwrap_or_default();
    let others = before.split(',').filter(|one| !one.is_empty() && bare(one) != bare(value));
    *list = Some(others.chain([value]).collect::<Vec<_>>().join(","));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_phrases_stay_in_their_order() {
        for text in ["deploy \"build failed\" -flaky pre*", "\"in:ops now\"", "\"in:ops now", "-\"in:ops now\" x"] {
            assert_eq!(read(text), SearchFilter { q: Some(text.to_owned()), ..SearchFilter::default() }, "{text}");
        }
        assert!(is_empty(&read("  ")));
    }

    #[test]
    fn filters_are_taken_out_of_the_text() {
        assert_eq!(
            read("deploy in:#ops,-noise FROM:@builder has:attachment,mention is:proposed"),
            SearchFilter {
                q: Some("deploy".to_owned()),
                channel: Some("ops,-noise".to_owned()),
                agent: Some("builder".to_owned()),
                has: Some("attachment,mention".to_owned()),
                state: Some("proposed".to_owned()),
                ..SearchFilter::default()
            }
        );
        assert_eq!(
            read("-in:noise -from:scout status:failed since:2026-11-01 before:2026-11-15T02:00:00Z sort:newest"),
            SearchFilter {
                channel: Some("-noise".to_owned()),
                agent: Some("-scout".to_owned()),
                status: Some("failed".to_owned()),
                after: Some("2026-11-01".to_owned()),
                before: Some("2026-11-15T02:00:00Z".to_owned()),
                sort: Some("newest".to_owned()),
                ..SearchFilter::default()
            }
        );
    }

    #[test]
    fn other_words_with_a_colon_are_words() {
        let text = "https://example.org 12:30 in: in:- -has:mention";
        assert_eq!(read(text), SearchFilter { q: Some(text.to_owned()), ..SearchFilter::default() });
    }

    #[test]
    fn a_later_value_replaces_its_contrary() {
        assert_eq!(read("in:ops in:dev -in:Ops").channel, Some("dev,-Ops".to_owned()));
        assert_eq!(read("after:2026-01-01 after:2026-02-02").after, Some("2026-02-02".to_owned()));
    }

    #[test]
    fn an_order_alone_asks_for_nothing() {
        assert!(is_empty(&read("sort:newest")));
        assert!(!is_empty(&read("has:mention")));
    }
}
