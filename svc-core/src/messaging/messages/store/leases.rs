//! Direct messages as a queue: each recipient claims its most urgent messages first, then the
//! oldest.

use crate::store::queue::table::{QueueTable, queue_table};

/// Messages under leases. A claim is made by a recipient, `$1`. Ended leases are selected for one
/// recipient or, for `0`, for all.
pub(in crate::messaging::messages) const TABLE: QueueTable = queue_table! {
    table: "messages",
    leased: "processing",
    dead: "failed",
    pick: "SELECT id
             FROM messages
            WHERE recipient_id = $1 AND recipient_id IS NOT NULL AND status = 'pending'
            ORDER BY priority DESC, id
            LIMIT $2",
    claimed: "claimed_by = $1, offered_at = coalesce(offered_at, $5)",
    freed: "claim_token = NULL, claimed_by = NULL",
    overdue: "id, attempts",
    within: "($2 = 0 OR recipient_id = $2)",
};

pub(super) const LISTED: &[(&str, &str)] =
    &[("claims.take", TABLE.claim.sqlite), ("claims.overdue", TABLE.overdue.sqlite), ("claims.ahead", TABLE.ahead)];
