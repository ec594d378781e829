//! The SQL of the wiki.

mod articles;
mod links;
mod lists;
mod revisions;
mod words;

pub(super) use articles::*;
pub(super) use links::*;
pub(super) use lists::*;
pub(super) use revisions::*;
pub(crate) use words::rebuild_words;
pub(super) use words::*;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("wiki.by_slug", articles::BY_SLUG),
    ("wiki.slug", links::SLUG),
    ("wiki.slugs_of", links::SLUGS_OF),
    ("wiki.links_of", links::LINKS_OF),
    ("wiki.targets_of", links::TARGETS_OF),
    ("wiki.new_backlinks", links::NEW_BACKLINKS),
    ("wiki.sources", links::SOURCES),
    ("wiki.wanted", links::WANTED),
    ("wiki.list_updated", lists::UPDATED),
    ("wiki.list_title", lists::TITLE),
    ("wiki.list_backlinks", lists::BACKLINKS),
    ("wiki.list_orphan", lists::ORPHAN),
    ("wiki.list_stale", lists::STALE),
    ("wiki.list_deleted", lists::DELETED),
    ("wiki.revisions", revisions::LIST),
    ("wiki.revision", revisions::FIND),
    ("wiki.text", revisions::TEXT),
];
