//! Direct messages as a queue: each recipient takes the most urgent, then the oldest of their own.

use crate::store::queue::table::{QueueTable, queue_table};

/// Messages under leases. A claim is one of a recipient, `$1`; leases that ended are looked for among those of
/// one recipient or, for `0`, of all.
pub(super) const TABLE: QueueTable = queue_table! {
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
