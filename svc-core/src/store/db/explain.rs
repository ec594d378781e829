//! Explains to the operator why a store could not be opened.

use super::{DbError, StoreUrl};
use crate::error::Error;
use crate::store::db::StoreFailure as _;

/// Converts an error of opening a store into a message that names the store and the remedy.
pub(crate) fn explain(url: &StoreUrl, error: Error) -> Error {
    let (code, sentence) = match (error.db(), url) {
        (Some(DbError::Corrupt(_)), _) => (
            "storage_damaged",
            format!("{url} is damaged or is not a database: move it away, or restore a backup over it."),
        ),
        (Some(DbError::Full(_)), _) => ("storage_full", format!("The disk is full: free some space for {url}.")),
        (Some(DbError::Unavailable(detail)), StoreUrl::Sqlite(_)) if detail.contains("locked") => {
            ("storage_unavailable", format!("{url} is locked by another program: stop that program, then start again."))
        }
        (Some(DbError::Unavailable(detail)), StoreUrl::Sqlite(_)) => (
            "storage_unavailable",
            format!("{url} cannot be opened ({detail}): check that this user may read and write it and its directory."),
        ),
        (Some(DbError::Unavailable(detail)), StoreUrl::Postgres(_)) => (
            "storage_unavailable",
            format!(
                "{url} cannot be reached ({detail}): check that the server runs, and the address, user and password."
            ),
        ),
        _ => return error,
    };
    Error::unavailable(code, sentence).with_source(error)
}
