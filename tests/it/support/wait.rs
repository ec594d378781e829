//! Waiting for something to become true, with a limit after which the test fails.

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

/// Fails the test when the future takes too long.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let Ok(value) = tokio::time::timeout(PATIENCE, future).await else {
        panic!("waited in vain for: {what}");
    };
    value
}
