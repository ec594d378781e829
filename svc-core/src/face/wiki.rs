//! The wiki: articles that all participants read and write, with history, links and search. The handle is `hub.wiki()`.

pub use crate::knowledge::wiki::Wiki;

#[doc(inline)]
pub use svc_model::names::ArticleSlug;
#[doc(inline)]
pub use svc_model::wiki::{
    Article, ArticleDiff, ArticleFilter, ArticlePage, ArticleRename, ArticleRestore, ArticleSave, ArticleSort,
    ArticleState, ArticleSummary, ArticleVerify, Backlink, BacklinkPage, ChangeNote, DiffHunk, DiffKind, DiffLine,
    DiffPart, DiffRange, ImportStep, ImportedRevision, ImportedState, MapLink, NewArticle, Protection,
    ProtectionChange, Revision, RevisionPage, RevisionText, Section, WantedArticle, WikiAction, WikiMap, find_section,
    outgoing_links, sections, with_section,
};
