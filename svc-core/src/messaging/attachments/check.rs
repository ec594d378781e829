//! Verifying all contents against their hashes, for operators.

use svc_macros::boxed_futures;
use svc_model::attachments::{CheckedFiles, ContentHash};

use super::service::Attachments;
use super::store::contents;
use super::verify::{Condition, VerifyMode};
use crate::error::{ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::limits;

#[boxed_futures]
impl Attachments {
    /// Reads every content and verifies its hash. Newly damaged and newly repaired contents are
    /// recorded. Requires the admin socket.
    pub async fn check(&self, caller: &Caller) -> Result<CheckedFiles> {
        caller.require_root()?;
        let mut checked = CheckedFiles::default();
        let mut after = String::new();
        loop {
            let page = self
                .db
                .read(after.clone(), |tx, after| Box::pin(contents::by_hash(tx, after, i64::from(limits::PAGE_MAX))));
            let page = page.await?;
            let Some(last) = page.last() else { return Ok(checked) };
            after.clone_from(&last.hash);
            for content in &page {
                let hash: ContentHash = content.hash.parse()?;
                match self.condition(&hash, content.size.unsigned_abs(), VerifyMode::Always).await {
                    Ok(Condition::Sound) => {}
                    Ok(Condition::Damaged) => {
                        checked.damaged += 1;
                        if checked.hashes.len() < limits::DAMAGED_FILES_NAMED {
                            checked.hashes.push(hash);
                        }
                    }
                    // The content was removed meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
                checked.compared += 1;
            }
        }
    }
}
