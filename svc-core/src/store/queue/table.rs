//! A table whose rows are worked on under leases: the statements that claim, renew, finish, give back and
//! give up, made from a short description of the table.
//!
//! Every such table has the columns `id`, `status`, `attempts`, `claim_token`, `last_claim`, `claimed_at`,
//! `lease_expires_at`, `finished_at`, `failure` and `updated_at`. The description names what differs. The
//! texts are constants, so that engines keep them prepared and tests can look at their plans.
//!
//! What always holds: a claim is one statement, so no two workers get the same row. PostgreSQL steps over
//! rows that another transaction is taking; SQLite has one writer and nothing to step over.

use std::time::Duration;

use crate::column::Column;
use crate::error::Result;
use crate::store::db::{Engine, FromRow, Tx, placeholders};
use crate::timestamp::Timestamp;

/// A statement whose text differs in how rows are locked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Locking {
    /// Also what the test of plans reads.
    pub(crate) sqlite: &'static str,
    /// Steps over rows that others hold.
    pub(crate) skipping: &'static str,
    /// Waits for whoever holds a row, and passes over it when it no longer fits.
    pub(crate) waiting: &'static str,
}

impl Locking {
    /// The text that waits for nobody.
    pub(crate) fn skipping(&self, engine: Engine) -> &'static str {
        match engine {
            Engine::Sqlite => self.sqlite,
            Engine::Postgres => self.skipping,
        }
    }

    /// A second look at what the first stepped over: it may have been taken by nobody, only touched. `None`
    /// where there is nothing to wait for.
    pub(crate) fn waiting(&self, engine: Engine) -> Option<&'static str> {
        match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(self.waiting),
        }
    }
}

/// The statements of one table; made by [`queue_table!`].
#[derive(Debug)]
pub(crate) struct QueueTable {
    /// `$1` is where to take from, `$2` how many at most, `$3` the token, `$4` the end of the lease, `$5` now,
    /// `$6` the status of what is claimed; the description may use more.
    pub(crate) claim: Locking,
    /// `$1` is now, `$2` where to look or the value that means everywhere, `$3` how many at most.
    pub(crate) overdue: Locking,
    pub(crate) ahead: &'static str,
    pub(crate) shorten: &'static str,
    /// Those that end with `WHERE id` take a list of ids.
    pub(crate) give_back: &'static str,
    pub(crate) finish: &'static str,
    pub(crate) give_up: &'static str,
    pub(crate) renew: &'static str,
    pub(crate) hold: &'static str,
    pub(crate) hold_claim: &'static str,
    pub(crate) uncount: &'static str,
    pub(crate) revive: &'static str,
}

/// Describes a table: its name, the words for the two states that differ, which rows are claimed in which
/// order (`pick`), what a claim sets besides (`claimed`), what is cleared when it ends (`freed`), and what the
/// search for ended leases reads (`overdue`) and is narrowed to (`within`).
macro_rules! queue_table {
    (
        table: $table:literal,
        leased: $leased:literal,
        dead: $dead:literal,
        pick: $pick:literal,
        claimed: $claimed:literal,
        freed: $freed:literal,
        overdue: $overdue:literal,
        within: $within:literal $(,)?
    ) => {
        $crate::store::queue::table::QueueTable {
            claim: $crate::store::queue::table::Locking {
                sqlite: queue_table!(@claim $table, $pick, $claimed, ""),
                skipping: queue_table!(@claim $table, $pick, $claimed, " FOR UPDATE SKIP LOCKED"),
                waiting: queue_table!(@claim $table, $pick, $claimed, " FOR UPDATE"),
            },
            overdue: $crate::store::queue::table::Locking {
                sqlite: queue_table!(@overdue $table, $leased, $overdue, $within, ""),
                skipping: queue_table!(@overdue $table, $leased, $overdue, $within, " FOR UPDATE SKIP LOCKED"),
                waiting: queue_table!(@overdue $table, $leased, $overdue, $within, " FOR UPDATE"),
            },
            ahead: concat!(
                "SELECT id
                   FROM ", $table, "
                  WHERE status = '", $leased, "' AND lease_expires_at > $1 AND updated_at > $1
                  ORDER BY lease_expires_at DESC
                  LIMIT 1"
            ),
            // A lease is given for the time from the last change of its row, by a claim or by a renewal.
            shorten: concat!(
                "UPDATE ", $table, "
                    SET lease_expires_at = $1 + lease_expires_at - updated_at,
                        claimed_at = CASE WHEN claimed_at > $1 THEN $1 ELSE claimed_at END,
                        updated_at = $1
                  WHERE status = '", $leased, "' AND lease_expires_at IS NOT NULL AND updated_at > $1"
            ),
            give_back: concat!(
                "UPDATE ", $table, "
                    SET status = 'pending', ", $freed, ", lease_expires_at = NULL, claimed_at = NULL, updated_at = $1
                  WHERE id"
            ),
            finish: concat!(
                "UPDATE ", $table, "
                    SET status = 'done', ", $freed, ", lease_expires_at = NULL, finished_at = $1, failure = NULL,
                        updated_at = $1
                  WHERE id"
            ),
            give_up: concat!(
                "UPDATE ", $table, "
                    SET status = '", $dead, "', ", $freed, ", lease_expires_at = NULL, finished_at = $1, failure = $2,
                        updated_at = $1
                  WHERE id"
            ),
            renew: concat!("UPDATE ", $table, " SET lease_expires_at = $2, updated_at = $3 WHERE id = $1"),
            hold: concat!("UPDATE ", $table, " SET attempts = attempts WHERE id = $1"),
            hold_claim: concat!(
                "UPDATE ", $table, "
                    SET attempts = attempts
                  WHERE id = $1 AND claim_token = $2 AND lease_expires_at > $3"
            ),
            uncount: concat!("UPDATE ", $table, " SET attempts = attempts - 1 WHERE id = $1 AND attempts > 0"),
            revive: concat!(
                "UPDATE ", $table, "
                    SET status = 'pending', attempts = 0, last_claim = NULL, claimed_at = NULL, finished_at = NULL,
                        failure = NULL, updated_at = $2
                  WHERE id = $1"
            ),
        }
    };
    (@claim $table:literal, $pick:literal, $claimed:literal, $locking:literal) => {
        concat!(
            "WITH picked AS MATERIALIZED (", $pick, $locking, ")
             UPDATE ", $table, "
                SET status = $6,
                    claim_token = CAST($3 AS TEXT) || '-' || id,
                    last_claim = CAST($3 AS TEXT) || '-' || id,
                    lease_expires_at = $4,
                    attempts = attempts + 1,
                    ", $claimed, ",
                    claimed_at = $5,
                    updated_at = $5
              WHERE id IN (SELECT id FROM picked)
             RETURNING id, claim_token"
        )
    };
    (@overdue $table:literal, $leased:literal, $columns:literal, $within:literal, $locking:literal) => {
        concat!(
            "SELECT ", $columns, "
               FROM ", $table, "
              WHERE status = '", $leased, "' AND lease_expires_at <= $1 AND ", $within, "
              ORDER BY lease_expires_at
              LIMIT $3", $locking
        )
    };
}

pub(crate) use queue_table;

/// The claim on a row, if there is one, and the last one that there was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold<'r> {
    pub(crate) claim_token: Option<&'r str>,
    pub(crate) lease_expires_at: Option<Timestamp>,
    pub(crate) last_claim: Option<&'r str>,
}

impl Hold<'_> {
    /// Whether somebody's lease lasts.
    pub(crate) fn is_alive(&self, now: Timestamp) -> bool {
        self.lease_expires_at.is_some_and(|end| end > now)
    }

    /// Whether the lease lasts and is that of this token.
    pub(crate) fn is_of(&self, now: Timestamp, token: Option<&str>) -> bool {
        self.is_alive(now) && token.is_some() && self.claim_token == token
    }

    /// Whether this token was the last to be given out, so that its holder may be asking again.
    pub(crate) fn was_last_of(&self, token: &str) -> bool {
        self.last_claim == Some(token)
    }
}

impl QueueTable {
    /// Ends the leases that are over; reads what the description says of each, for the caller to put back or
    /// to give up. They are held until the transaction ends.
    pub(crate) async fn overdue<R: FromRow + Send>(
        &self,
        tx: &mut Tx,
        within: impl Column,
        limit: u32,
    ) -> Result<Vec<R>> {
        let now = tx.now();
        tx.query(self.overdue.skipping(tx.engine())).bind(now).bind(within).bind(limit).fetch_all().await
    }

    /// Whether a lease begins in the future, because the clock was set back since.
    pub(crate) async fn is_any_ahead(&self, tx: &mut Tx) -> Result<bool> {
        let now = tx.now();
        let ahead: Option<(i64,)> = tx.query(self.ahead).bind(now).fetch_optional().await?;
        Ok(ahead.is_some())
    }

    /// Has such leases begin now, as long as they were given for.
    pub(crate) async fn shorten(&self, tx: &mut Tx) -> Result<()> {
        let now = tx.now();
        tx.query(self.shorten).bind(now).execute().await?;
        Ok(())
    }

    /// Puts rows back among those that nobody works on.
    pub(crate) async fn give_back<I: Column + Copy>(&self, tx: &mut Tx, ids: &[I]) -> Result<()> {
        self.change(tx, self.give_back, None, ids).await
    }

    /// Ends rows as done.
    pub(crate) async fn finish<I: Column + Copy>(&self, tx: &mut Tx, ids: &[I]) -> Result<()> {
        self.change(tx, self.finish, None, ids).await
    }

    /// Ends rows as dead, with the reason.
    pub(crate) async fn give_up<I: Column + Copy>(&self, tx: &mut Tx, ids: &[I], reason: &str) -> Result<()> {
        self.change(tx, self.give_up, Some(reason), ids).await
    }

    async fn change<I: Column + Copy>(
        &self,
        tx: &mut Tx,
        text: &'static str,
        reason: Option<&str>,
        ids: &[I],
    ) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let now = tx.now();
        let first = if reason.is_some() { 3 } else { 2 };
        let query = tx.query(format!("{text} IN ({})", placeholders(first, ids.len()))).bind(now);
        let query = match reason {
            Some(reason) => query.bind(reason),
            None => query,
        };
        ids.iter().fold(query, |query, id| query.bind(*id)).execute().await?;
        Ok(())
    }

    /// Has a lease last from now on for as long as this.
    pub(crate) async fn renew(&self, tx: &mut Tx, id: impl Column, lease: Duration) -> Result<()> {
        let now = tx.now();
        tx.query(self.renew).bind(id).bind(now.plus(lease)).bind(now).execute().await?;
        Ok(())
    }

    /// Takes a row for this transaction, so that what is decided stays true until it ends.
    pub(crate) async fn hold(&self, tx: &mut Tx, id: impl Column) -> Result<()> {
        tx.query(self.hold).bind(id).execute().await?;
        Ok(())
    }

    /// Takes a row for this transaction if the lease of this token lasts; tells whether it does.
    pub(crate) async fn hold_claim(&self, tx: &mut Tx, id: impl Column, token: &str) -> Result<bool> {
        let now = tx.now();
        Ok(tx.query(self.hold_claim).bind(id).bind(token).bind(now).execute().await? == 1)
    }

    /// A claim that is given back was no attempt.
    pub(crate) async fn uncount(&self, tx: &mut Tx, id: impl Column) -> Result<()> {
        tx.query(self.uncount).bind(id).execute().await?;
        Ok(())
    }

    /// Puts an ended row back as if it had never been tried.
    pub(crate) async fn revive(&self, tx: &mut Tx, id: impl Column) -> Result<()> {
        let now = tx.now();
        tx.query(self.revive).bind(id).bind(now).execute().await?;
        Ok(())
    }
}
