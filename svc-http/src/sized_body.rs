//! Complete bodies: a body that fails, or that ends too soon, ends with an error, and
//! [`connection`](crate::connection) breaks with it, so that the client knows that the body is incomplete.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};

/// The chunks of a body of `size` bytes, with an error after them when they end too soon.
pub(crate) fn sized_body(
    pieces: impl Stream<Item = io::Result<Bytes>>,
    size: u64,
) -> impl Stream<Item = io::Result<Bytes>> {
    let left = Arc::new(AtomicU64::new(size));
    let counted = left.clone();
    let pieces = pieces.inspect_ok(move |piece| {
        let sent = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        counted.store(counted.load(Ordering::Relaxed).saturating_sub(sent), Ordering::Relaxed);
    });
    let end = stream::once(async move {
        (left.load(Ordering::Relaxed) > 0).then(|| Err(io::Error::other("the body ended too soon")))
    });
    pieces.chain(end.filter_map(std::future::ready)).inspect_err(|error| {
        tracing::error!(target: "svc::http", error = %error, "a response was aborted");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn sent(pieces: Vec<io::Result<Bytes>>, size: u64) -> (usize, bool) {
        let all: Vec<_> = sized_body(stream::iter(pieces), size).collect().await;
        (all.iter().flatten().map(Bytes::len).sum(), all.iter().any(Result::is_err))
    }

    #[tokio::test]
    async fn a_body_that_fails_or_ends_too_soon_ends_with_an_error() {
        let piece = || Ok(Bytes::from_static(b"four"));
        assert_eq!(sent(vec![piece(), piece()], 8).await, (8, false));
        assert_eq!(sent(vec![], 0).await, (0, false));
        assert_eq!(sent(vec![piece()], 8).await, (4, true));
        assert_eq!(sent(vec![piece(), Err(io::Error::other("gone"))], 8).await, (4, true));
    }
}
