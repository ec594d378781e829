//! Page sizes and offsets of lists. Values out of range are rejected, never clamped.

use crate::error::{Error, Result};
use crate::limits;

/// A page of a list by limit and offset, for lists with a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    limit: u32,
    offset: u64,
}

impl Page {
    /// Checks the requested values; absent values get the documented defaults.
    pub fn new(limit: Option<i64>, offset: Option<i64>) -> Result<Self> {
        Ok(Self {
            limit: checked_limit(limit)?,
            offset: u64::try_from(offset.unwrap_or(0)).map_err(|_| Error::invalid("offset", "must be 0 or more"))?,
        })
    }

    /// The maximum number of rows.
    pub fn limit(self) -> i64 {
        i64::from(self.limit)
    }

    /// The number of rows to skip.
    pub fn offset(self) -> i64 {
        i64::try_from(self.offset).unwrap_or(i64::MAX)
    }
}

impl Default for Page {
    fn default() -> Self {
        Self { limit: limits::PAGE_DEFAULT, offset: 0 }
    }
}

/// Checks the page size of a list that is paged by cursor.
pub fn checked_limit(limit: Option<i64>) -> Result<u32> {
    let Some(limit) = limit else {
        return Ok(limits::PAGE_DEFAULT);
    };
    u32::try_from(limit)
        .ok()
        .filter(|limit| (1..=limits::PAGE_MAX).contains(limit))
        .ok_or_else(|| Error::invalid("limit", format!("must be 1 to {}", limits::PAGE_MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_values_take_the_defaults() {
        assert_eq!(Page::new(None, None).unwrap(), Page::default());
    }

    #[test]
    fn values_out_of_range_are_rejected_by_field() {
        for (limit, offset, field) in [
            (Some(0), None, "limit"),
            (Some(201), None, "limit"),
            (Some(-1), None, "limit"),
            (Some(i64::MAX), None, "limit"),
            (None, Some(-1), "offset"),
        ] {
            let error = Page::new(limit, offset).unwrap_err();
            assert_eq!(error.fields()[0].field, field);
        }
    }
}
