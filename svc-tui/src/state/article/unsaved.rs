//! A text that the hub does not have yet.
//!
//! Invariant: from the moment that the editor is left until the hub has the text, or the person discards it, it is kept
//! with the drafts, so that it survives the end of the program.

use serde::{Deserialize, Serialize};
use svc_core::Timestamp;

use super::merge;
use crate::backend::Failure;
use crate::state::kept::{ARTICLE, Kept};

/// A text on its way to the hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unsaved {
    /// The text.
    pub(crate) text: String,
    /// The text of the revision that it is based on.
    pub(crate) base: String,
    /// That revision.
    pub(crate) base_revision: i64,
    /// How far it is.
    #[serde(skip)]
    pub(crate) state: SaveState,
}

/// How far a text is on its way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum SaveState {
    /// It was kept, and waits for the person.
    #[default]
    Kept,
    /// It is being saved.
    Saving,
    /// It could not be saved, for this reason.
    Failed(String),
    /// Another change of the same lines was saved first.
    Conflict(Conflict),
}

/// The change that was saved first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Conflict {
    /// The newest revision.
    pub(crate) revision: i64,
    /// Its text.
    pub(crate) body: String,
    /// The handle of its author.
    pub(crate) updated_by: String,
    /// When it was saved.
    pub(crate) updated_at: Timestamp,
}

impl Unsaved {
    /// Reads the text that was kept for an article.
    pub(crate) fn restore(kept: &Kept, slug: &str) -> Option<Self> {
        serde_json::from_str(kept.text(&drawer(slug))).ok()
    }

    /// Keeps the text for an article.
    pub(crate) fn keep(&self, kept: &mut Kept, slug: &str) {
        if let Ok(text) = serde_json::to_string(self) {
            kept.set_text(&drawer(slug), &text);
        }
    }

    /// Forgets the text that was kept for an article.
    pub(crate) fn forget(kept: &mut Kept, slug: &str) {
        kept.set_text(&drawer(slug), "");
    }

    /// Records that it could not be saved.
    pub(crate) fn failed(&mut self, failure: &Failure) {
        let conflict = failure.details.get("conflict").filter(|_| failure.code == "edit_conflict");
        let conflict = conflict.and_then(|conflict| serde_json::from_value(conflict.clone()).ok());
        self.state = match conflict {
            Some(conflict) => SaveState::Conflict(conflict),
            None => SaveState::Failed(failure.message.clone()),
        };
    }

    /// The conflict that it is in.
    pub(crate) fn conflict(&self) -> Option<&Conflict> {
        if let SaveState::Conflict(conflict) = &self.state { Some(conflict) } else { None }
    }

    /// Both texts in one, with marks where they contradict each other.
    pub(crate) fn merged(&self, conflict: &Conflict) -> String {
        let name = format!("{}, revision {}", conflict.updated_by, conflict.revision);
        merge::merged(&self.base, &self.text, &conflict.body, &name)
    }
}

/// The name under which the text is kept.
fn drawer(slug: &str) -> String {
    format!("{ARTICLE}{slug}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::backend::Cause;

    fn unsaved() -> Unsaved {
        Unsaved { text: "a\nmine\n".into(), base: "a\nb\n".into(), base_revision: 1, state: SaveState::Saving }
    }

    #[test]
    fn a_text_is_kept_until_it_is_forgotten() {
        let mut kept = Kept::default();
        unsaved().keep(&mut kept, "deploy");
        let found = Unsaved::restore(&kept, "deploy").unwrap();
        assert_eq!(found, Unsaved { state: SaveState::Kept, ..unsaved() });
        assert_eq!(Unsaved::restore(&kept, "other"), None);
        Unsaved::forget(&mut kept, "deploy");
        assert_eq!(Unsaved::restore(&kept, "deploy"), None);
    }

    #[test]
    fn a_conflict_has_the_other_text() {
        let mut unsaved = unsaved();
        let conflict = json!({
            "revision": 3, "base_revision": 1, "title": "T", "body": "a\nhers\n", "updated_by": "ann",
            "updated_at": "2026-11-17T12:00:00Z", "merge_is_clean": false, "merged": null, "merged_title": null,
        });
        let details = [("conflict".to_owned(), conflict)].into_iter().collect();
        let mut failure =
            Failure { cause: Cause::Refused, code: "edit_conflict".into(), message: "Changed.".into(), details };
        unsaved.failed(&failure);
        let merge = unsaved.merged(unsaved.conflict().unwrap());
        assert_eq!(merge, "a\n<<<<<<< yours\nmine\n=======\nhers\n>>>>>>> ann, revision 3\n");
        failure.details.clear();
        unsaved.failed(&failure);
        assert_eq!(unsaved.state, SaveState::Failed("Changed.".into()));
    }
}
