//! The SQL of samples.

use super::DiskSample;
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A sample as a row.
    struct SampleRow {
        taken_at: Timestamp,
        free_bytes: Option<i64>,
        total_bytes: Option<i64>,
        store_bytes: i64,
        file_bytes: i64,
    }
}

/// All samples that are kept, oldest first.
pub(super) async fn all(tx: &mut Tx) -> Result<Vec<DiskSample>> {
    let since = tx.now().minus(limits::DISK_SAMPLES_KEPT);
    let rows: Vec<SampleRow> = tx
        .query(
            "SELECT taken_at, free_bytes, total_bytes, store_bytes, file_bytes
               FROM disk_samples
              WHERE taken_at >= $1
              ORDER BY taken_at",
        )
        .bind(since)
        .fetch_all()
        .await?;
    let sample = |row: SampleRow| DiskSample {
        taken_at: row.taken_at,
        free_bytes: row.free_bytes.map(i64::unsigned_abs),
        total_bytes: row.total_bytes.map(i64::unsigned_abs),
        store_bytes: row.store_bytes.unsigned_abs(),
        file_bytes: row.file_bytes.unsigned_abs(),
    };
    Ok(rows.into_iter().map(sample).collect())
}

/// The current hour, if it has no sample yet.
pub(super) async fn due(tx: &mut Tx) -> Result<Option<Timestamp>> {
    let hour = beginning_of_hour(tx.now());
    let found: i64 = tx.query("SELECT count(*) FROM disk_samples WHERE taken_at = $1").bind(hour).fetch_value().await?;
    Ok((found == 0).then_some(hour))
}

/// Keeps a sample, and removes old ones.
pub(super) async fn keep(tx: &mut Tx, sample: &DiskSample) -> Result<()> {
    let oldest = tx.now().minus(limits::DISK_SAMPLES_KEPT);
    tx.query(
        "INSERT INTO disk_samples (taken_at, free_bytes, total_bytes, store_bytes, file_bytes)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (taken_at) DO NOTHING",
    )
    .bind(sample.taken_at)
    .bind(sample.free_bytes.map(signed))
    .bind(sample.total_bytes.map(signed))
    .bind(signed(sample.store_bytes))
    .bind(signed(sample.file_bytes))
    .execute()
    .await?;
    tx.query("DELETE FROM disk_samples WHERE taken_at < $1").bind(oldest).execute().await?;
    Ok(())
}

fn beginning_of_hour(at: Timestamp) -> Timestamp {
    let hour = i64::try_from(limits::DISK_SAMPLE_EVERY.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(at.as_micros().div_euclid(hour) * hour)
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
