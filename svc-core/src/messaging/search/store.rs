//! The SQL of searches. A statement is put together from our own words; every value is bound.

use super::dialect::Dialect;
use super::filter::{Has, Names, Search, Sort};
use crate::error::Result;
use crate::ids::MessageId;
use crate::limits;
use crate::messaging::messages::viewer::{Viewer, visible_among_many, visible_message};
use crate::messaging::messages::store::{MessageRow, select_messages};
use crate::store::db::{Column, Query, Tx, Value, placeholders};

/// The ids of a page and how many there are in all.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) ids: Vec<MessageId>,
    pub(super) total: i64,
    /// Whether there are no more than these.
    pub(super) is_exact: bool,
    /// Whether the time was over before all had been looked at.
    pub(super) is_partial: bool,
}

impl Found {
    /// What is known when the time was over before anything was.
    pub(super) fn late() -> Self {
        Self { is_partial: true, ..Self::default() }
    }
}

/// Which messages are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    All,
    /// The newest [`limits::SEARCH_RECENT`], whoever sent them.
    Recent,
}

/// The matches of a search as they come, from the newest on.
struct Matches {
    sort: Sort,
    offset: usize,
    limit: usize,
    bound: usize,
    count: usize,
    /// By time those of the page, by relevance all within the bound.
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
            // The one beyond the bound only tells that there are more.
            Sort::Relevance => self.count < self.bound,
        };
        if is_wanted {
            self.kept.push((id, relevance));
        }
        self.count += 1;
    }

    fn found(mut self, is_whole: bool) -> Found {
        let skipped = match self.sort {
            Sort::Newest => 0,
            Sort::Relevance => {
                self.kept.sort_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
                self.offset
            }
        };
        Found {
            ids: self.kept.into_iter().skip(skipped).take(self.limit).map(|(id, _)| id).collect(),
            total: i64::try_from(self.count.min(self.bound)).unwrap_or(i64::MAX),
            is_exact: is_whole && self.count <= self.bound,
            is_partial: !is_whole,
        }
    }
}

/// Finds what can be seen and fits. One pass over the matches, from the newest on and not without end,
/// gives both the page and the total; when the time is over, it ends with what it has.
pub(super) async fn find(tx: &mut Tx, viewer: &Viewer, search: &Search, reach: Reach) -> Result<Found> {
    let nothing = Found { is_exact: true, ..Found::default() };
    let Some(conversations) = chosen(tx, CONVERSATIONS, &search.channels).await? else { return Ok(nothing) };
    let Some(senders) = chosen(tx, SENDERS, &search.senders).await? else { return Ok(nothing) };
    let dialect = Dialect::of(tx.engine(), &search.query);
    let relevance = match search.sort {
        Sort::Relevance => dialect.relevance,
        Sort::Newest => "0",
    };
    let mut statement = Statement::new(&dialect);
    statement.filter(search, &conversations, &senders);
    if reach == Reach::Recent {
        let recent = statement.value(limits::SEARCH_RECENT);
        statement.conditions.push(format!("m.id > (SELECT max(newest.id) FROM messages newest) - {recent}"));
    }
    let text = statement.matches(&dialect, relevance, bound(search));
    let mut matches = Matches::of(search);
    let is_whole = statement.run(tx, viewer, text).fetch_each(|row| matches.take(row)).await?;
    Ok(matches.found(is_whole))
}

/// How many matches are looked at. By time a page may lie deeper; the most relevant are chosen among the
/// same ones for every page.
fn bound(search: &Search) -> i64 {
    let page_end = search.page.offset().saturating_add(search.page.limit());
    match search.sort {
        Sort::Relevance => limits::SEARCH_MATCHES_MAX,
        Sort::Newest => limits::SEARCH_MATCHES_MAX.max(page_end),
    }
}

/// The messages of these ids, in their order, as far as they can still be seen.
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

/// The ids of what is asked for and of what is left out.
#[derive(Default)]
struct Chosen {
    include: Vec<i64>,
    exclude: Vec<i64>,
}

/// Looks names up. None if nothing can be found because no name that is asked for exists.
async fn chosen(tx: &mut Tx, text: &'static str, names: &Names) -> Result<Option<Chosen>> {
    let all: Vec<_> = names.include.iter().chain(&names.exclude).collect();
    if all.is_empty() {
        return Ok(Some(Chosen::default()));
    }
    let text = format!("{text} ({})", placeholders(1, all.len()));
    let query = all.iter().fold(tx.query(text), |query, name| query.bind(name.as_str()));
    let known: Vec<(String, i64)> = query.fetch_all().await?;
    let ids = |side: &[String]| -> Vec<i64> {
        known.iter().filter(|(name, _)| side.contains(name)).map(|(_, id)| *id).collect()
    };
    let chosen = Chosen { include: ids(&names.include), exclude: ids(&names.exclude) };
    Ok((names.include.is_empty() || !chosen.include.is_empty()).then_some(chosen))
}

/// What must hold, and the values that are bound after those of [`Viewer`].
struct Statement {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Statement {
    fn new(dialect: &Dialect) -> Self {
        Self {
            conditions: vec![dialect.condition.to_owned(), visible_among_many!().to_owned()],
            values: dialect.text.iter().map(|text| Value::Text(text.clone())).collect(),
        }
    }

    /// Binds one more value and tells its placeholder.
    fn value(&mut self, value: impl Column) -> String {
        self.values.push(value.into_value());
        format!("${}", FIRST_VALUE + self.values.len() - 1)
    }

    fn filter(&mut self, search: &Search, conversations: &Chosen, senders: &Chosen) {
        self.one_of("m.conversation_id IN", &conversations.include);
        self.one_of("m.conversation_id NOT IN", &conversations.exclude);
        self.one_of("m.sender_id IN", &senders.include);
        self.one_of("m.sender_id NOT IN", &senders.exclude);
        self.one_of("m.status IN", &search.statuses);
        if !search.statuses.is_empty() {
            // Those in channels have no status work.
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

    /// The newest matches, one more than the bound when there are more.
    fn matches(&mut self, dialect: &Dialect, relevance: &str, bound: i64) -> String {
        let most = self.value(bound.saturating_add(1));
        let (from, id) = (dialect.from, dialect.id);
        let conditions = self.conditions.join(" AND ");
        format!(
            "SELECT {id} AS id, CAST({relevance} AS DOUBLE PRECISION) AS relevance
               FROM {from} WHERE {conditions} ORDER BY {id} DESC LIMIT {most}"
        )
    }

    /// An empty list asks for nothing.
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

fn carries(has: Has) -> &'static str {
    match has {
        Has::Attachment => "m.attachment_count > 0",
        Has::Reaction => "m.reaction_count > 0",
        // Whoever was mentioned was told so.
        Has::Mention => "EXISTS (SELECT 1 FROM messages told WHERE told.mention_of = m.id)",
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
