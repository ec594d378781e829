//! The file quota of an owner.
//!
//! Invariants:
//! - A content that the owner already has costs nothing.
//! - An upload that would exceed the limit is rejected before anything is written, and again
//!   afterwards: of two concurrent uploads on PostgreSQL, the second sees the first only then.

use std::sync::atomic::Ordering;

use super::service::Attachments;
use super::upload::NewContent;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::UserId;
use crate::messaging::quotas::store;
use crate::store::db::Tx;

/// The error code of a rejected upload.
const CODE: &str = "file_quota_exceeded";

/// The file quota of one owner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    pub(super) owner: UserId,
    /// The limit in bytes.
    pub(super) limit: u64,
}

impl Attachments {
    /// Bytes that an owner may store; `None` for no limit.
    pub(crate) fn quota(&self) -> Option<u64> {
        self.file_quota
    }

    /// The number of uploads that this process has rejected because of the quota.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts an error, if it is a quota error.
    pub(super) fn count_rejection(&self, error: &Error) {
        if is_quota_error(error) {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Fails if a content that is about to be stored would exceed the quota.
pub(super) async fn check_before(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let Some(Quota { owner, limit }) = new.quota else { return Ok(()) };
    let used = store::file_bytes(tx, owner).await?;
    if used.saturating_add(new.size.unsigned_abs()) <= limit || already_owned(tx, new).await? {
        return Ok(());
    }
    Err(rejection(new, used, limit))
}

/// Whether the owner already has the content, which then costs nothing.
pub(super) async fn already_owned(tx: &mut Tx, new: &NewContent) -> Result<bool> {
    match new.quota {
        Some(quota) => store::has_file(tx, quota.owner, &new.hash).await,
        None => Ok(true),
    }
}

/// Fails if a content that is new for the owner has exceeded the quota.
pub(super) async fn check_after(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let Some(Quota { owner, limit }) = new.quota else { return Ok(()) };
    let used = store::file_bytes(tx, owner).await?;
    if used <= limit {
        return Ok(());
    }
    Err(rejection(new, used.saturating_sub(new.size.unsigned_abs()), limit))
}

/// Whether an upload was rejected because of a quota.
pub(super) fn is_quota_error(error: &Error) -> bool {
    error.code() == CODE
}

fn rejection(new: &NewContent, used: u64, limit: u64) -> Error {
    let sentence = format!(
        "Your files and those of your agents use {used} of {limit} bytes, and this one needs {} more. Files that no \
         message carries are removed after a day. Ask the operator of the server for a higher limit.",
        new.size
    );
    Error::new(ErrorKind::Invalid, CODE, sentence).with_detail("used_bytes", used).with_detail("limit_bytes", limit)
}
