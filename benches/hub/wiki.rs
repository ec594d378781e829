//! Time of reading a wiki of 100,000 articles with 1,000,000 links beside one of 1,000 articles with 10,000 links: an
//! article, the backlinks of the most linked one, the map and a search. On both engines.

use std::time::{Duration, Instant};

use svc_core::db::Engine;
use svc_core::wiki::{ArticleFilter, ArticleSlug};
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

use crate::postgres::Cluster;
use crate::report::{Bar, Report, Row};

const LARGE: i64 = 100_000;
const SMALL: i64 = 1_000;
/// Articles that are stored by one statement.
const BATCH: i64 = 5_000;
/// Reads of each kind.
const READS: usize = 301;
const ALLOWED: f64 = 1.5;

/// The kinds of reads.
const KINDS: [(Kind, &str); 4] = [
    (Kind::Open, "opening an article"),
    (Kind::Backlinks, "backlinks of the most linked article"),
    (Kind::Map, "the map"),
    (Kind::Search, "a search"),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Open,
    Backlinks,
    Map,
    Search,
}

/// Adds the rows.
pub(crate) async fn measure(report: &mut Report) {
    on(report, None).await;
    match Cluster::start("") {
        Ok(cluster) => on(report, Some(&cluster)).await,
        Err(reason) => report.notes.push(format!("skipped: the wiki on PostgreSQL: {reason}")),
    }
}

async fn on(report: &mut Report, cluster: Option<&Cluster>) {
    let engine = if cluster.is_some() { "PostgreSQL" } else { "SQLite" };
    let (large, small) = (Filled::new(cluster, LARGE).await, Filled::new(cluster, SMALL).await);
    for (kind, name) in KINDS {
        let (mut of_large, mut of_small) = (Vec::new(), Vec::new());
        for number in 0..READS {
            of_small.push(small.read(kind, number).await);
            of_large.push(large.read(kind, number).await);
        }
        let name = format!("{name} on {engine}, 100,000 articles ÷ 1,000, p50");
        report.rows.push(Row::micros(&name, crate::median(of_large), crate::median(of_small), Bar::AtMost(ALLOWED)));
    }
    large.hub.close().await;
    small.hub.close().await;
}

/// A hub with a wiki.
struct Filled {
    hub: Hub,
    articles: i64,
    _data: TempDir,
}

impl Filled {
    async fn new(cluster: Option<&Cluster>, articles: i64) -> Self {
        let data = TempDir::new().expect("a temporary directory");
        let mut config = HubConfig::at(data.path());
        if let Some(cluster) = cluster {
            config = config.with_store(&cluster.empty_database().await).expect("a valid address");
        }
        let hub = Hub::open(config).await.expect("a new hub opens");
        for text in statements(hub.db().engine(), articles) {
            let run = hub.db().write(text, |tx, text| Box::pin(async move { tx.query(text.clone()).execute().await }));
            run.await.expect("the articles are stored");
        }
        Self { hub, articles, _data: data }
    }

    /// The time of a read, in microseconds.
    async fn read(&self, kind: Kind, number: usize) -> f64 {
        let (wiki, reader) = (self.hub.wiki(), Caller::root());
        let article = i64::try_from(number).unwrap_or_default() * 7919 % self.articles + 1;
        let slug = |number: i64| -> ArticleSlug { format!("page-{number}").parse().expect("a valid slug") };
        let begun = Instant::now();
        let found = match kind {
            Kind::Open => wiki.get(&reader, &slug(article)).await.map(|_| 1),
            Kind::Backlinks => wiki.backlinks(&reader, &slug(1), None, None).await.map(|page| page.backlinks.len()),
            Kind::Map => wiki.map(&reader).await.map(|map| map.hubs.len()),
            Kind::Search => {
                let q = Some(format!("group{}", article % (self.articles / 20)));
                wiki.list(&reader, ArticleFilter { q, ..ArticleFilter::default() })
                    .await
                    .map(|page| page.articles.len())
            }
        };
        let time = begun.elapsed();
        assert!(found.expect("the wiki is read") > 0, "{kind:?} finds something");
        Duration::as_secs_f64(&time) * 1e6
    }
}

/// The statements that store articles with ten links each: one to one of twenty hubs, eight to others, and one to a
/// slug that no article has.
fn statements(engine: Engine, articles: i64) -> Vec<String> {
    let mut all = Vec::new();
    for first in (1..=articles).step_by(usize::try_from(BATCH).unwrap_or(1)) {
        let last = articles.min(first + BATCH - 1);
        let numbers = match engine {
            Engine::Sqlite => format!(
                "WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last})"
            ),
            Engine::Postgres => format!("WITH numbers (n) AS (SELECT generate_series({first}, {last}))"),
        };
        let (words, word) = match engine {
            Engine::Sqlite => ("", String::new()),
            Engine::Postgres => {
                let groups = articles / 20;
                (", words", format!(", CAST('page:1A common:3 group' || (n % {groups}) || ':4' AS tsvector)"))
            }
        };
        all.push(format!(
            "{numbers} INSERT INTO wiki_articles
                (slug, title, title_key, revision, size, stale_after, stale_at, backlink_count, created_by, created_at,
                 updated_by, updated_at{words})
             SELECT 'page-' || n, 'Page ' || n, 'page ' || n, 1, 1000, CASE n % 10 WHEN 0 THEN n END,
                    CASE n % 10 WHEN 0 THEN n END, 0, 'ann', n, 'ann', n{word}
               FROM numbers"
        ));
        let range = "a.slug IN (SELECT 'page-' || n FROM numbers)";
        all.push(format!(
            "{numbers} INSERT INTO wiki_revisions (article_id, number, action, slug, title, size, author, created_at, body)
             SELECT a.id, 1, 'created', a.slug, a.title, 1000, 'ann', a.created_at,
                    'common group' || (a.created_at % {}) || {} FROM wiki_articles a WHERE {range}",
            articles / 20,
            match engine {
                Engine::Sqlite => "printf('%.*c', 1000, 'x')",
                Engine::Postgres => "repeat('x', 1000)",
            }
        ));
        all.push(format!(
            "{numbers} INSERT INTO wiki_slugs (slug, article_id, link_count, is_wanted)
             SELECT a.slug, a.id, 0, FALSE FROM wiki_articles a WHERE {range}"
        ));
        if engine == Engine::Sqlite {
            all.push(format!(
                "{numbers} INSERT INTO wiki_words (rowid, title, body)
                 SELECT a.id, 'page ', 'common group' || (a.created_at % {}) || ' ' FROM wiki_articles a WHERE {range}",
                articles / 20
            ));
        }
    }
    all.push(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
         INSERT INTO wiki_slugs (slug, link_count, is_wanted) SELECT 'wanted-' || n, n, TRUE FROM numbers"
            .into(),
    );
    let targets = ["a.id % 20 + 1".to_owned()]
        .into_iter()
        .chain((1..9).map(|link| format!("(a.id * {} + {link} * 977) % {articles} + 1", 31 * link)))
        .map(|target| format!("'page-' || ({target})"))
        .chain(["'wanted-' || (a.id % 500 + 1)".to_owned()]);
    for target in targets {
        for first in (0..articles).step_by(usize::try_from(BATCH * 4).unwrap_or(1)) {
            all.push(format!(
                "INSERT INTO wiki_links (source_id, slug) SELECT a.id, {target} FROM wiki_articles a
                  WHERE a.id > {first} AND a.id <= {} ON CONFLICT DO NOTHING",
                first + BATCH * 4
            ));
        }
    }
    for first in (0..articles).step_by(usize::try_from(BATCH).unwrap_or(1)) {
        all.push(format!(
            "UPDATE wiki_articles SET backlink_count =
                (SELECT count(*) FROM wiki_links l WHERE l.slug = wiki_articles.slug)
              WHERE id > {first} AND id <= {}",
            first + BATCH
        ));
    }
    all.push(format!("UPDATE wiki SET article_count = {articles}, stored_count = {articles} WHERE id = 1"));
    // A server does so by itself after a while.
    all.extend((engine == Engine::Postgres).then(|| "ANALYZE".to_owned()));
    all
}
