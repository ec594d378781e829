//! Long-lived responses: their count, and their end when the server stops.
//!
//! Invariants: draining waits for every response, so an endless stream must pass through [`until_shutdown`], which
//! ends it as the first step of a shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;

/// The long-lived responses of a server. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Streams {
    ending: CancellationToken,
    open: Arc<AtomicU64>,
}

impl Streams {
    /// Cancelled when the server begins to stop.
    pub fn ending(&self) -> &CancellationToken {
        &self.ending
    }

    /// The number of open responses.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }
}

/// Wraps a stream: it is counted while it is open, and ended when the server begins to stop.
pub fn until_shutdown<S: Stream>(stream: S, streams: &Streams) -> impl Stream<Item = S::Item> + use<S> {
    let counted = Counted::new(streams.open.clone());
    let ending = streams.ending.clone().cancelled_owned();
    stream.take_until(ending).map(move |item| {
        // The closure owns the counter, so that it falls when the stream is dropped.
        let _open = &counted;
        item
    })
}

struct Counted(Arc<AtomicU64>);

impl Counted {
    fn new(open: Arc<AtomicU64>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self(open)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn a_stream_without_end_ends_with_the_server() {
        let streams = Streams::default();
        let mut endless = Box::pin(until_shutdown(stream::pending::<()>(), &streams));
        assert_eq!(streams.open(), 1);
        streams.ending().cancel();
        assert_eq!(endless.next().await, None);
        drop(endless);
        assert_eq!(streams.open(), 0);
    }
}
