//! `svc-admin status`.

use super::Verdict;
use super::output::{Output, Tone};
use super::table::{self, Cell};
use crate::VERSION;
use crate::client::{Client, ClientError};
use crate::methods::NoParams;
use crate::methods::status::{Show, Status, Worker};

pub(super) async fn show(client: &mut Client, output: &Output) -> Result<(String, Verdict), ClientError> {
    let status = client.call::<Show>(&NoParams {}).await?;
    let verdict = if status.readiness.store.ok { Verdict::Fine } else { Verdict::Wrong };
    Ok((output.render(&status, draw), verdict))
}

fn draw(output: &Output, status: &Status) -> String {
    let mut drawn = table::pairs(output, &summary(status));
    if !status.readiness.workers.is_empty() {
        let rows: Vec<_> = status.readiness.workers.iter().map(worker).collect();
        drawn.push('\n');
        drawn.push_str(&table::draw(output, &["WORKER", "STATE", "LAST RUN", "ERROR"], &rows));
    }
    drawn
}

fn summary(status: &Status) -> Vec<(&'static str, Cell)> {
    let version = if status.version == VERSION {
        Cell::new(&status.version)
    } else {
        Cell::toned(format!("{} (this command is {VERSION})", status.version), Tone::Warning)
    };
    let readiness = &status.readiness;
    let mut pairs = vec![
        ("status", Cell::toned(&readiness.status, tone(&readiness.status))),
        ("version", version),
        ("uptime", Cell::new(format!("{} (since {})", duration(status.uptime_seconds), status.started_at))),
        ("store", Cell::new(format!("{}, {}", status.engine, bytes(status.store_bytes)))),
        ("newest event", Cell::new(status.event_head.map_or_else(|| "none".to_owned(), |seq| seq.to_string()))),
    ];
    if let Some(error) = &readiness.store.error {
        pairs.push(("store error", Cell::toned(error, Tone::Bad)));
    }
    pairs
}

fn worker(worker: &Worker) -> Vec<Cell> {
    vec![
        Cell::new(&worker.name),
        Cell::toned(&worker.state, tone(&worker.state)),
        Cell::new(worker.last_run_at.map_or_else(|| "never".to_owned(), |moment| moment.to_string())),
        Cell::new(worker.last_error.as_deref().unwrap_or_default()),
    ]
}

fn tone(state: &str) -> Tone {
    match state {
        "ready" | "idle" | "running" | "elsewhere" => Tone::Good,
        "degraded" => Tone::Warning,
        _ => Tone::Bad,
    }
}

/// The two largest units, `3d 4h`.
fn duration(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {}s", seconds % 60),
        (0, _, _) => format!("{hours}h {}m", minutes % 60),
        _ => format!("{days}d {}h", hours % 24),
    }
}

/// Bytes in the largest binary unit, with one decimal.
fn bytes(bytes: u64) -> String {
    let mut unit = "KiB";
    let mut tenths = u128::from(bytes) * 10 / 1024;
    for larger in ["MiB", "GiB", "TiB"] {
        if tenths < 10_240 {
            break;
        }
        tenths /= 1024;
        unit = larger;
    }
    if bytes < 1024 { format!("{bytes} bytes") } else { format!("{}.{} {unit}", tenths / 10, tenths % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_show_their_two_largest_units() {
        let shown: Vec<_> = [0, 59, 61, 3_661, 90_061].into_iter().map(duration).collect();
        assert_eq!(shown, ["0s", "59s", "1m 1s", "1h 1m", "1d 1h"]);
    }

    #[test]
    fn sizes_show_their_largest_unit() {
        let shown: Vec<_> = [0, 1023, 1024, 1536, 1024 * 1024, 5 << 30].into_iter().map(bytes).collect();
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "1.0 MiB", "5.0 GiB"]);
    }
}
