//! How many bytes an owner may have uploaded: the rule and its refusal.
//!
//! What always holds: a content that the owner has already costs nothing more; what would go beyond the limit
//! is refused before anything is written, and again after it was, because of two uploads at once on
//! PostgreSQL the second sees the first only then.

use std::sync::atomic::Ordering;

use super::service::Attachments;
use super::upload::NewContent;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::UserId;
use crate::messaging::quotas::store;
use crate::store::db::Tx;

/// The code of the refusal.
const CODE: &str = "file_quota_exceeded";

/// What an owner may have uploaded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    pub(super) owner: UserId,
    /// In bytes.
    pub(super) limit: u64,
}

impl Attachments {
    /// Bytes that an owner may have uploaded; none is no limit.
    pub(crate) fn quota(&self) -> Option<u64> {
        self.file_quota
    }

    /// How many uploads this process has refused because of it.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts a refusal, if it is one of these.
    pub(super) fn note_refusal(&self, error: &Error) {
        if is_refusal(error) {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Whether there is room for a content that is about to be stored.
pub(super) async fn check_before(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let Some(Quota { owner, limit }) = new.quota else { return Ok(()) };
    let used = store::file_bytes(tx, owner).await?;
    if used.saturating_add(new.size.unsigned_abs()) <= limit || is_had(tx, new).await? {
        return Ok(());
    }
    Err(refusal(new, used, limit))
}

/// Whether the owner has the content already, which then costs nothing more.
pub(super) async fn is_had(tx: &mut Tx, new: &NewContent) -> Result<bool> {
    match new.quota {
        Some(quota) => store::has_file(tx, quota.owner, &new.hash).await,
        None => Ok(true),
    }
}

/// Whether there was room for a content that the owner did not have before this transaction.
pub(super) async fn check_after(tx: &mut Tx, new: &NewContent) -> Result<()> {
    let Some(Quota { owner, limit }) = new.quota else { return Ok(()) };
    let used = store::file_bytes(tx, owner).await?;
    if used <= limit {
        return Ok(());
    }
    Err(refusal(new, used.saturating_sub(new.size.unsigned_abs()), limit))
}

/// Whether an upload was refused because of a quota.
pub(super) fn is_refusal(error: &Error) -> bool {
    error.code() == CODE
}

fn refusal(new: &NewContent, used: u64, limit: u64) -> Error {
    let sentence = format!(
        "Your files and those of your agents take {used} of {limit} bytes, and this one has {} more. Files that no \
         message carries go after a day; ask whoever runs the server for more.",
        new.size
    );
    Error::new(ErrorKind::Invalid, CODE, sentence).with_detail("used_bytes", used).with_detail("limit_bytes", limit)
}
