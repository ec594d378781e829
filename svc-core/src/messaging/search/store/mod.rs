//! The SQL of searches. Statements are built from constant text; every value is bound.

pub(super) mod index;

use super::dialect::Dialect;
use super::filter::{Names, Property, Search, Sort};
use crate::error::Result;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::messages::store::{MessageRow, select_messages};
use crate::messaging::messages::viewer::{Viewer, visible_among_many, visible_message};
use crate::store::db::{Column, Query, Tx, Value, placeholders};

/// The message ids of a page and the total number of matches.
#[derive(Debug, Default)]
pub(super) struct SearchResults {
    pub(super) ids: Vec<MessageId>,
    pub(super) total: i64,
    /// Whether the total is exact.
    pub(super) is_exact: bool,
    /// Whether the time limit was reached before all messages were examined.
    pub(super) is_partial: bool,
}

impl SearchResults {
    /// The result of a search that reached its time limit without any match.
    pub(super) fn timed_out() -> Self {
        Self { is_partial: true, ..Self::default() }
    }
}

/// The messages to examine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchScope {
    All,
    /// The newest [`limits::SEARCH_RECENT`] messages of all senders.
    Recent,
}

/// Collects the matches of a search, from the newest on.
struct Matches {
    sort: Sort,
    offset: usize,
    limit: usize,
    bound: usize,
    count: usize,
    /// The matches of the page when sorted by time, all matches within the bound when sorted by
    /// relevance.
    kept: Vec<(MessageId, f64)>,
}

impl Matches {
    fn of(search: &Search) -> Self {
        let whole = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        Self {
            sort: search.sort,
            offset: whole(search.page.offset()),
            limit: whole(search.page.limit()),
            bound: whole(bound(search)),
            count: 0,
            kept: Vec::new(),
        }
    }

    fn take(&mut self, (id, relevance): (MessageId, f64)) {
        let is_wanted = match self.sort {
            Sort::Newest => (self.offset..self.offset.saturating_add(self.limit)).contains(&self.count),
            // The match beyond the bound only shows that there are more.
            Sort::Relevance => self.count < self.bound,
        };
        if is_wanted {
            self.kept.push((id, relevance));
        }
        self.count += 1;
    }

    fn found(mut self, is_whole: bool) -> SearchResults {
        let skipped = match self.sort {
            Sort::Newest => 0,
            Sort::Relevance => {
                self.kept.sort_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
                self.offset
            }
        };
        SearchResults {
            ids: self.kept.into_iter().skip(skipped).take(self.limit).map(|(id, _)| id).collect(),
            total: i64::try_from(self.count.min(self.bound)).unwrap_or(i64::MAX),
            is_exact: is_whole && self.count <= self.bound,
            is_partial: !is_whole,
        }
    }
}

/// Finds visible matches. One bounded pass over the matches, from the newest on, yields both the
/// page and the total. At the time limit it ends with the results so far.
pub(super) async fn find(tx: &mut Tx, viewer: &Viewer, search: &Search, scope: SearchScope) -> Result<SearchResults> {
    let nothing = SearchResults { is_exact: true, ..SearchResults::default() };
    let Some(conversations) = selected_ids(tx, CONVERSATIONS, &search.channels).await? else { return Ok(nothing) };
    let Some(senders) = selected_ids(tx, SENDERS, &search.senders).await? else { return Ok(nothing) };
    let dialect = Dialect::of(tx.engine(), &search.query);
    let relevance = match search.sort {
        Sort::Relevance => dialect.relevance,
        Sort::Newest => "0",
    };
    let mut statement = Statement::new(&dialect);
    statement.filter(search, &conversations, &senders);
    if scope == SearchScope::Recent {
        let recent = statement.value(limits::SEARCH_RECENT);
        statement.conditions.push(format!("m.id > (SELECT max(newest.id) FROM messages newest) - {recent}"));
    }
    let text = statement.matches(&dialect, relevance, bound(search));
    let mut matches = Matches::of(search);
    let is_whole = statement.run(tx, viewer, text).fetch_each(|row| matches.take(row)).await?;
    Ok(matches.found(is_whole))
}

/// The number of matches to examine. A page sorted by time may lie deeper; pages sorted by
/// relevance all use the same matches.
fn bound(search: &Search) -> i64 {
    let page_end = search.page.offset().saturating_add(search.page.limit());
    match search.sort {
        Sort::Relevance => limits::SEARCH_MATCHES_MAX,
        Sort::Newest => limits::SEARCH_MATCHES_MAX.max(page_end),
    }
}

/// The messages of these ids that are still visible, in the order of the ids.
pub(super) async fn rows(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<MessageRow>> {
    let text = format!("{ROWS} ({})", placeholders(FIRST_VALUE, ids.len()));
    let query = ids.iter().fold(viewer.bind(tx.query(text)), |query, id| query.bind(*id));
    let mut rows: Vec<MessageRow> = query.fetch_all().await?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

const ROWS: &str = select_messages!("WHERE ", visible_message!(), " AND m.id IN");

const CONVERSATIONS: &str = "
    SELECT c.name, v.id
      FROM channels c
      JOIN conversations v ON v.channel_id = c.id
     WHERE c.name IN";

const SENDERS: &str = "SELECT p.handle_key, p.id FROM participants p WHERE p.handle_key IN";

/// Included and excluded ids.
#[derive(Default)]
struct SelectedIds {
    include: Vec<i64>,
    exclude: Vec<i64>,
}

/// Looks up names. `None` if none of the included names exists, so that nothing can match.
async fn selected_ids(tx: &mut Tx, text: &'static str, names: &Names) -> Result<Option<SelectedIds>> {
    let all: Vec<_> = names.include.iter().chain(&names.exclude).collect();
    if all.is_empty() {
        return Ok(Some(SelectedIds::default()));
    }
    let text = format!("{text} ({})", placeholders(1, all.len()));
    let query = all.iter().fold(tx.query(text), |query, name| query.bind(name.as_str()));
    let known: Vec<(String, i64)> = query.fetch_all().await?;
    let ids = |side: &[String]| -> Vec<i64> {
        known.iter().filter(|(name, _)| side.contains(name)).map(|(_, id)| *id).collect()
    };
    let selected_ids = SelectedIds { include: ids(&names.include), exclude: ids(&names.exclude) };
    Ok((names.include.is_empty() || !selected_ids.include.is_empty()).then_some(selected_ids))
}

/// The conditions of a search, and the values bound after those of [`Viewer`].
struct Statement {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Statement {
    fn new(dialect: &Dialect) -> Self {
        Self {
            conditions: vec![
                dialect.condition.to_owned(),
                visible_among_many!().to_owned(),
                "m.deleted_at IS NULL".to_owned(),
            ],
            values: dialect.text.iter().map(|text| Value::Text(text.clone())).collect(),
        }
    }

    /// Binds one more value and returns its placeholder.
    fn value(&mut self, value: impl Column) -> String {
        self.values.push(value.into_value());
        format!("${}", FIRST_VALUE + self.values.len() - 1)
    }

    fn filter(&mut self, search: &Search, conversations: &SelectedIds, senders: &SelectedIds) {
        self.one_of("m.conversation_id IN", &conversations.include);
        self.one_of("m.conversation_id NOT IN", &conversations.exclude);
        self.one_of("m.sender_id IN", &senders.include);
        self.one_of("m.sender_id NOT IN", &senders.exclude);
        self.one_of("m.status IN", &search.statuses);
        if !search.statuses.is_empty() {
            // Channel messages have no processing status.
            self.conditions.push("m.recipient_id IS NOT NULL".to_owned());
        }
        if !search.states.is_empty() {
            self.one_of("m.workflow_state IN", &search.states);
            let shown = "m.channel_id IN (SELECT wc.id FROM channels wc WHERE wc.workflow_enabled)";
            self.conditions.push(shown.to_owned());
        }
        for (comparison, moment) in [("m.created_at >=", search.after), ("m.created_at <", search.before)] {
            if let Some(moment) = moment {
                let value = self.value(moment);
                self.conditions.push(format!("{comparison} {value}"));
            }
        }
        self.conditions.extend(search.has.iter().map(|has| carries(*has).to_owned()));
    }

    /// The newest matches, one more than the bound if there are more.
    fn matches(&mut self, dialect: &Dialect, relevance: &str, bound: i64) -> String {
        let most = self.value(bound.saturating_add(1));
        let (from, id) = (dialect.from, dialect.id);
        let conditions = self.conditions.join(" AND ");
        format!(
            "SELECT {id} AS id, CAST({relevance} AS DOUBLE PRECISION) AS relevance
               FROM {from} WHERE {conditions} ORDER BY {id} DESC LIMIT {most}"
        )
    }

    /// Adds a condition, unless the list is empty.
    fn one_of<T: Column + Copy>(&mut self, comparison: &str, values: &[T]) {
        if !values.is_empty() {
            let names: Vec<_> = values.iter().map(|value| self.value(*value)).collect();
            self.conditions.push(format!("{comparison} ({})", names.join(", ")));
        }
    }

    fn run<'t>(self, tx: &'t mut Tx, viewer: &Viewer, text: String) -> Query<'t> {
        self.values.into_iter().fold(viewer.bind(tx.query(text)), Query::bind)
    }
}

/// `$1` to `$4` are bound by [`Viewer`].
const FIRST_VALUE: usize = 5;

fn carries(has: Property) -> &'static str {
    match has {
        Property::Attachment => "m.attachment_count > 0",
        Property::Reaction => "m.reaction_count > 0",
        // Every mention is notified by a direct copy.
        Property::Mention => "EXISTS (SELECT 1 FROM messages told WHERE told.mention_of = m.id)",
    }
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("search.rows", select_messages!("WHERE ", visible_message!(), " AND m.id IN ($5, $6, $7)")),
    (
        "search.mentions",
        "SELECT m.id FROM messages m WHERE m.id = $1 AND EXISTS (SELECT 1 FROM messages told WHERE told.mention_of = m.id)",
    ),
];
