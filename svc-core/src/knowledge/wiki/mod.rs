//! The wiki: articles that all participants of a hub read and write.
//!
//! Invariants:
//! - Every change of an article but a verification is a revision with its author, and revisions never change.
//! - A save names the revision that it is based on. It is stored only if nobody changed the text since, or as a merge
//!   without a conflict that was asked for.
//! - A slug leads to one article, now and after a rename. It is never given to another article.
//! - Links, counts of links and words of an article change in the transaction that changes its text. Each of them
//!   holds the row of the wiki first, so that saves happen one after the other.
//! - Comparing texts takes time, so it happens outside of transactions that write.

mod author;
mod conflict;
mod create;
mod delete;
mod diff;
mod import;
mod links;
mod list;
mod map;
mod record;
mod rename;
mod restore;
mod save;
mod search;
mod service;
mod store;
mod verify;

pub use service::Wiki;
pub(crate) use store::LISTED;
pub(crate) use store::rebuild_words;
