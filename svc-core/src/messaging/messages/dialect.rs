//! The texts of claims that differ: PostgreSQL steps over rows that somebody else is taking, SQLite
//! has one writer and nothing to step over.

use crate::store::db::Engine;

/// Takes the most urgent messages of a recipient: one statement, so that no two workers get the same.
macro_rules! claim {
    ($locking:literal) => {
        concat!(
            "WITH picked AS MATERIALIZED (
                SELECT id
                  FROM messages
                 WHERE recipient_id = $1 AND recipient_id IS NOT NULL AND status = 'pending'
                 ORDER BY priority DESC, id
                 LIMIT $2 ",
            $locking,
            ")
             UPDATE messages
                SET status = $6,
                    claim_token = CAST($3 AS TEXT) || '-' || id,
                    last_claim = CAST($3 AS TEXT) || '-' || id,
                    claimed_by = $1,
                    lease_expires_at = $4,
                    attempts = attempts + 1,
                    offered_at = coalesce(offered_at, $5),
                    claimed_at = $5,
                    updated_at = $5
              WHERE id IN (SELECT id FROM picked)
             RETURNING id, claim_token"
        )
    };
}

/// Claims whose time is over, of one recipient or, for `0`, of all.
macro_rules! overdue {
    ($locking:literal) => {
        concat!(
            "SELECT id, attempts
               FROM messages
              WHERE status = 'processing' AND lease_expires_at <= $1 AND ($2 = 0 OR recipient_id = $2)
              ORDER BY lease_expires_at
              LIMIT $3 ",
            $locking
        )
    };
}

pub(super) const CLAIM_SQLITE: &str = claim!("");
pub(super) const OVERDUE_SQLITE: &str = overdue!("");

pub(super) fn claim(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => CLAIM_SQLITE,
        Engine::Postgres => claim!("FOR UPDATE SKIP LOCKED"),
    }
}

/// The same for what the first look stepped over: it may have been taken by nobody, only touched. This
/// waits for whoever holds a row and passes over what they took.
pub(super) fn claim_waiting(engine: Engine) -> Option<&'static str> {
    match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Some(claim!("FOR UPDATE")),
    }
}

pub(super) fn overdue(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => OVERDUE_SQLITE,
        Engine::Postgres => overdue!("FOR UPDATE SKIP LOCKED"),
    }
}
