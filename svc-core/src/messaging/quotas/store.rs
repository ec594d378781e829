//! The SQL of quotas.

use svc_model::attachments::ContentHash;

use crate::error::Result;
use crate::ids::UserId;
use crate::store::db::Tx;

const BYTES_OF: &str = "SELECT f.bytes FROM owner_files f WHERE f.owner_id = $1";

const HAS: &str = "SELECT c.size FROM owner_contents c WHERE c.owner_id = $1 AND c.hash = $2";

/// Bytes of the files that an owner and their agents uploaded.
pub(crate) async fn file_bytes(tx: &mut Tx, owner: UserId) -> Result<u64> {
    let found: Option<(i64,)> = tx.query(BYTES_OF).bind(owner).fetch_optional().await?;
    Ok(found.map_or(0, |(bytes,)| bytes.unsigned_abs()))
}

/// Whether an owner or one of their agents uploaded this content.
pub(crate) async fn has_file(tx: &mut Tx, owner: UserId, hash: &ContentHash) -> Result<bool> {
    let found: Option<(i64,)> = tx.query(HAS).bind(owner).bind(hash.as_str()).fetch_optional().await?;
    Ok(found.is_some())
}

/// Total bytes of all files; a content counts once for each owner.
pub(super) async fn all_file_bytes(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM owner_files").fetch_value().await
}

/// SQL statements over tables that grow faster than the number of humans, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("quotas.has", HAS)];
