//! Waiting for something to become true, with a limit after which the test fails.

use std::fmt::Debug;
use std::future::Future;
use std::time::{Duration, Instant};

/// More than anything here takes, on a machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again and again until the answer is there; panics with `what` when it never comes.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    let mut pace = tokio::time::interval(Duration::from_millis(5));
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain for: {what}");
        pace.tick().await;
    }
}

/// Asks again and again until all is done. It may take long, as on a busy machine, but some progress is made meanwhile;
/// panics with `what` and the last progress when there is none any more.
pub(crate) async fn until_done<P: PartialEq + Debug>(what: &str, mut ask: impl AsyncFnMut() -> (P, bool)) {
    let mut pace = tokio::time::interval(Duration::from_millis(250));
    let (mut before, mut is_done) = ask().await;
    let mut changed = Instant::now();
    while !is_done {
        pace.tick().await;
        let progress;
        (progress, is_done) = ask().await;
        if progress != before {
            (before, changed) = (progress, Instant::now());
        }
        assert!(changed.elapsed() < PATIENCE, "waited in vain for: {what}; the last progress was {before:?}");
    }
}

/// Fails the test when the future takes too long.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let Ok(value) = tokio::time::timeout(PATIENCE, future).await else {
        panic!("waited in vain for: {what}");
    };
    value
}
