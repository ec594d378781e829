//! The checked search filter. All fields are checked and all errors are reported at once.

use svc_model::messages::MessageStatus;
use svc_model::reactions::WorkflowState;
use svc_model::search::SearchFilter;

use super::query::Query;
use crate::error::{Error, FieldError, Result};
use crate::page::Page;
use crate::timestamp::Timestamp;
use crate::{limits, when};

/// A search that passes every check that needs no store access.
#[derive(Debug, Clone)]
pub(super) struct Search {
    pub(super) query: Query,
    pub(super) channels: Names,
    pub(super) senders: Names,
    pub(super) after: Option<Timestamp>,
    pub(super) before: Option<Timestamp>,
    pub(super) statuses: Vec<MessageStatus>,
    pub(super) has: Vec<Property>,
    pub(super) states: Vec<WorkflowState>,
    pub(super) sort: Sort,
    pub(super) page: Page,
}

/// Included and excluded names, in lowercase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
}

/// Properties that a message may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Attachment,
    Reaction,
    Mention,
}

/// The sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Relevance,
    Newest,
}

const STATUSES: [(&str, MessageStatus); 4] = [
    ("pending", MessageStatus::Pending),
    ("processing", MessageStatus::Processing),
    ("done", MessageStatus::Done),
    ("failed", MessageStatus::Failed),
];

const STATES: [(&str, WorkflowState); 6] = [
    ("proposed", WorkflowState::Proposed),
    ("approved", WorkflowState::Approved),
    ("in_progress", WorkflowState::InProgress),
    ("rejected", WorkflowState::Rejected),
    ("done", WorkflowState::Done),
    ("published", WorkflowState::Published),
];

const PROPERTIES: [(&str, Property); 3] =
    [("attachment", Property::Attachment), ("reaction", Property::Reaction), ("mention", Property::Mention)];

const SORTS: [(&str, Sort); 2] = [("relevance", Sort::Relevance), ("newest", Sort::Newest)];

impl Search {
    pub(super) fn checked(filter: &SearchFilter) -> Result<Self> {
        let mut faults = Faults::default();
        let query = Query::parse(filter.q.as_deref().unwrap_or_default());
        let moment =
            |field: &str, text: &Option<String>| text.as_deref().map(|text| when::parse(field, text)).transpose();
        let sorts = faults.note(words("sort", filter.sort.as_deref(), &SORTS));
        let search = Self {
            channels: faults.note(Names::parse("channel", filter.channel.as_deref())),
            senders: faults.note(Names::parse("agent", filter.agent.as_deref())),
            after: faults.note(moment("after", &filter.after)),
            before: faults.note(moment("before", &filter.before)),
            statuses: faults.note(words("status", filter.status.as_deref(), &STATUSES)),
            has: faults.note(words("has", filter.has.as_deref(), &PROPERTIES)),
            states: faults.note(words("state", filter.state.as_deref(), &STATES)),
            // Without search words there is no relevance.
            sort: match sorts.first() {
                Some(Sort::Newest) => Sort::Newest,
                _ if query.must.is_empty() => Sort::Newest,
                _ => Sort::Relevance,
            },
            page: faults.note(Page::new(filter.limit, filter.offset)),
            query,
        };
        if faults.0.is_empty() { Ok(search) } else { Err(Error::invalid_fields(faults.0)) }
    }
}

#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    /// The value, or its default after its errors were added.
    fn note<T: Default>(&mut self, checked: Result<T>) -> T {
        checked.unwrap_or_else(|error| {
            self.0.extend_from_slice(error.fields());
            T::default()
        })
    }
}

impl Names {
    fn parse(field: &str, list: Option<&str>) -> Result<Self> {
        let mut names = Self::default();
        for name in pieces(list) {
            let (side, name) = match name.strip_prefix('-') {
                Some(name) => (&mut names.exclude, name),
                None => (&mut names.include, name),
            };
            let name = name.trim_start_matches(['#', '@']).to_lowercase();
            if name.contains('\0') {
                return Err(Error::invalid(field, "must not contain the NUL character"));
            }
            side.push(name);
        }
        if names.include.len() + names.exclude.len() > limits::SEARCH_NAMES_MAX {
            return Err(Error::invalid(field, format!("must be at most {} names", limits::SEARCH_NAMES_MAX)));
        }
        Ok(names)
    }
}

/// The values of a comma-separated list; empty for no list.
fn words<T: Copy>(field: &str, list: Option<&str>, known: &[(&str, T)]) -> Result<Vec<T>> {
    let value = |word| known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    pieces(list)
        .map(|word| {
            value(word).ok_or_else(|| {
                let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                Error::invalid(field, format!("must be one of {}", names.join(", ")))
            })
        })
        .collect()
}

fn pieces(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split(',').map(str::trim).filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(filter: &SearchFilter) -> Vec<String> {
        Search::checked(filter).unwrap_err().fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn lists_include_and_exclude() {
        let names = Names::parse("channel", Some("#Ops, -dev ,,@x")).unwrap();
        assert_eq!((names.include, names.exclude), (vec!["ops".into(), "x".into()], vec!["dev".into()]));
        assert_eq!(Names::parse("channel", Some("")).unwrap(), Names::default());
        assert!(Names::parse("channel", Some(&"a,".repeat(101))).is_err());
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let filter = SearchFilter {
            after: Some("2026-02-30".into()),
            before: Some(String::new()),
            status: Some("open".into()),
            has: Some("attachment,hat".into()),
            state: Some("great".into()),
            sort: Some("oldest".into()),
            limit: Some(0),
            ..SearchFilter::default()
        };
        assert_eq!(faults(&filter), ["sort", "after", "before", "status", "has", "state", "limit"]);
    }

    #[test]
    fn a_search_with_words_is_sorted_by_relevance() {
        let sort = |q: &str, sort: Option<&str>| {
            let filter = SearchFilter { q: Some(q.into()), sort: sort.map(Into::into), ..SearchFilter::default() };
            Search::checked(&filter).unwrap().sort
        };
        assert_eq!((sort("a", None), sort("", None), sort("-a", None)), (Sort::Relevance, Sort::Newest, Sort::Newest));
        assert_eq!((sort("a", Some("newest")), sort("", Some("relevance"))), (Sort::Newest, Sort::Newest));
    }
}
