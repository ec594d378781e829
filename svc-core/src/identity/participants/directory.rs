//! The directory of participants.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::participants::{ParticipantFilter, ParticipantKind, ParticipantPage};

use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::store::db::Db;

/// The participants of a hub; see [`Hub::participants`](crate::Hub::participants).
#[derive(Clone)]
pub struct Participants {
    db: Db,
}

#[boxed_futures]
impl Participants {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Lists humans and agents by handle. Handles are not secret among participants; a key that is limited to
    /// channels has no access to the directory.
    pub async fn list(&self, caller: &Caller, filter: ParticipantFilter) -> Result<ParticipantPage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let is_bad = |words: &String| words.chars().count() > limits::DIRECTORY_QUERY_MAX || words.contains('\0');
        if filter.q.as_ref().is_some_and(is_bad) {
            let rule = format!("must be at most {} characters, without NUL", limits::DIRECTORY_QUERY_MAX);
            return Err(Error::invalid("q", rule));
        }
        let pattern = filter.q.as_deref().map(pattern).unwrap_or_default();
        let kind = filter.kind.map_or("", ParticipantKind::as_str);
        let after = filter.after.unwrap_or_default().to_ascii_lowercase();
        if after.contains('\0') {
            return Err(Error::invalid("after", "must be a handle"));
        }
        self.db
            .read((kind, pattern, after, filter.page), |tx, (kind, pattern, after, page)| {
                Box::pin(async move {
                    let participants = store::list(tx, kind, pattern, after, *page).await?;
                    let total = store::count(tx, kind, pattern).await?;
                    Ok(ParticipantPage { participants, total })
                })
            })
            .await
    }
}

/// A `LIKE` pattern for texts that contain these letters literally.
pub(crate) fn pattern(words: &str) -> String {
    let words = words.trim().trim_start_matches('@').to_lowercase();
    if words.is_empty() {
        return String::new();
    }
    let escaped = words.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_mean_themselves() {
        assert_eq!(pattern("@Ann"), "%ann%");
        assert_eq!(pattern("a_b%c\\d"), "%a\\_b\\%c\\\\d%");
        assert_eq!(pattern("  "), "");
    }
}
