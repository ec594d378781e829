//! What several methods take and return.

use serde::{Deserialize, Serialize};
use svc_core::{Page, Result};

/// For methods that take nothing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// For methods that take a name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The user or the agent.
    pub name: String,
}

/// For lists.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paged {
    /// How many at most; 50 when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many to pass over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Paged {
    pub(super) fn page(self) -> Result<Page> {
        Page::new(self.limit, self.offset)
    }
}

/// For lists of what belongs to users.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerPaged {
    /// Only what belongs to this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// How many at most; 50 when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many to pass over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl OwnerPaged {
    pub(super) fn page(&self) -> Result<Page> {
        Page::new(self.limit, self.offset)
    }
}

/// What was ended for good.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deleted {
    /// Its name, which is never given again.
    pub deleted: String,
}
