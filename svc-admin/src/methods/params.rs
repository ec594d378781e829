//! Common parameters and results of methods.

use serde::{Deserialize, Serialize};
use svc_core::{Page, Result};

/// No parameters.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// A name as the only parameter.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Name of the user, agent or channel.
    pub name: String,
}

/// Paging of a list.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paged {
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl Paged {
    pub(super) fn page(self) -> Result<Page> {
        Page::new(self.limit, self.offset)
    }
}

/// Paging of a list with an owner filter.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerPaged {
    /// Only entries of this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Number of entries to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

impl OwnerPaged {
    pub(super) fn page(&self) -> Result<Page> {
        Page::new(self.limit, self.offset)
    }
}

/// A deleted object.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deleted {
    /// Its name, which is never reused.
    pub deleted: String,
}
