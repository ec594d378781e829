//! Time limits of request bodies.
//!
//! Invariants: a body must arrive within a time that depends on its size, and with a minimum average rate, however
//! steadily its bytes arrive. Only time in which the server waits for the client counts, so that a slow store is not
//! held against a fast client.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use poem::Body;
use svc_core::limits;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::config::Patience;
use crate::error::Problem;

const MIB: u32 = 1024 * 1024;

/// Required speed of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    within: Duration,
    grace: Duration,
    rate: u64,
}

impl Pace {
    /// For a body of at most `size` bytes.
    pub(super) fn of(patience: Patience, size: usize) -> Self {
        let further = u32::try_from(size.saturating_sub(limits::JSON_BODY_MAX)).unwrap_or(u32::MAX).div_ceil(MIB);
        let within = patience.body + limits::BODY_TIME_PER_MIB * further;
        Self { within, grace: patience.body_grace, rate: patience.body_rate }
    }

    /// Allowed waiting time once `received` bytes have arrived.
    fn allowed(&self, received: u64) -> Duration {
        match received.checked_div(self.rate) {
            Some(seconds) => self.within.min(self.grace.saturating_add(Duration::from_secs(seconds))),
            None => self.within,
        }
    }

    /// The error response for a client that was too slow.
    pub(super) fn problem(&self) -> Problem {
        match self.rate {
            0 => Problem::body_too_slow(self.within),
            rate => Problem::body_below_rate(self.within, rate),
        }
    }
}

/// Whether a body was aborted because it took too long.
#[derive(Debug, Clone, Default)]
pub(super) struct TooSlow(Arc<AtomicBool>);

impl TooSlow {
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Wraps a body so that it fails when it takes too long.
pub(super) fn paced(body: Body, pace: Pace, too_slow: TooSlow) -> Body {
    let body: BoxBody<Bytes, io::Error> = body.into();
    let paced = Paced { body, pace, too_slow, received: 0, waited: Duration::ZERO, since: None, timer: None };
    Body::from(BoxBody::new(paced))
}

struct Paced {
    body: BoxBody<Bytes, io::Error>,
    pace: Pace,
    too_slow: TooSlow,
    received: u64,
    /// Time spent waiting for the client, without the current wait.
    waited: Duration,
    /// Start of the current wait.
    since: Option<Instant>,
    /// Ends the current wait. Most bodies arrive at once and need no timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    /// Ready when the waiting time is used up.
    fn poll_patience(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        let end = since + self.pace.allowed(self.received).saturating_sub(self.waited);
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(end)));
        if timer.deadline() != end {
            timer.as_mut().reset(end);
        }
        timer.as_mut().poll(context)
    }
}

impl http_body::Body for Paced {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.too_slow.get() {
            return Poll::Ready(None);
        }
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            if let Some(since) = self.since.take() {
                self.waited += since.elapsed();
            }
            if let Some(Ok(Some(data))) = frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref)) {
                self.received = self.received.saturating_add(u64::try_from(data.len()).unwrap_or(u64::MAX));
            }
            return Poll::Ready(frame);
        }
        match self.poll_patience(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                self.too_slow.0.store(true, Ordering::Relaxed);
                Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, "the body takes too long"))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second at which a body is aborted that arrives in these pieces, one per second; `None` when all of it
    /// arrives.
    fn given_up(pieces: &[u64], size: usize) -> Option<u64> {
        let pace = Pace::of(Patience::default(), size);
        let (mut seconds, mut received) = (0, 0);
        for piece in pieces {
            seconds += 1;
            if Duration::from_secs(seconds) > pace.allowed(received) {
                return Some(seconds);
            }
            received += piece;
        }
        None
    }

    #[test]
    fn a_slow_body_is_aborted() {
        assert_eq!(given_up(&[1; 600], 1000), Some(11));
        // A fast start does not compensate for a slow end.
        assert_eq!(given_up(&[[1_000_000].as_slice(), &[1; 600]].concat(), 1_048_576), Some(61));
    }

    #[test]
    fn a_slow_but_steady_body_arrives() {
        assert_eq!(given_up(&[32 * 1024; 1600], 50 * 1024 * 1024), None, "an upload over a slow link");
        assert_eq!(given_up(&[20_000; 52], 1_048_576), None);
        assert_eq!(given_up(&[1500; 11], 16_384), None);
    }

    #[test]
    fn without_a_minimum_rate_only_the_time_counts() {
        let pace = Pace::of(Patience { body_rate: 0, ..Patience::default() }, 1000);
        assert_eq!(pace.allowed(0), limits::BODY_TIME);
        assert!(!pace.problem().to_string().contains("per second"));
    }
}
