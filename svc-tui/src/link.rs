//! The live feed: it is followed, and taken up again where it broke off.

use std::sync::Arc;
use std::time::Duration;

use svc_core::live::LiveBody;
use tokio::sync::mpsc;

use crate::backend::{Backend, Cause, Failure, Feed, News};

/// The first and the longest pause before the hub is tried again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// Something that the live feed reports.
#[derive(Debug)]
pub(crate) enum Signal {
    /// Events arrive from now on.
    Connected,
    /// An event.
    News(Box<News>),
    /// The connection broke; it is tried again.
    Lost(String),
    /// The login has ended.
    Ended,
}

/// Follows the live feed until the login ends or nobody listens.
pub(crate) async fn follow(hub: Arc<dyn Backend>, signals: mpsc::Sender<Signal>) {
    let mut after = None;
    let mut pause = PAUSE.0;
    loop {
        let failure = match hub.follow(after).await {
            Ok(mut feed) => {
                if signals.send(Signal::Connected).await.is_err() {
                    return;
                }
                let (end, received) = read(feed.as_mut(), &signals, &mut after).await;
                if received {
                    pause = PAUSE.0;
                }
                match end {
                    End::Nobody => return,
                    End::LoggedOut => Failure { cause: Cause::LoggedOut, ..Failure::unreachable("") },
                    End::Broken(failure) => failure,
                }
            }
            Err(failure) => failure,
        };
        let signal = match failure.cause {
            Cause::LoggedOut => Signal::Ended,
            _ => Signal::Lost(failure.message),
        };
        let ended = matches!(signal, Signal::Ended);
        if signals.send(signal).await.is_err() || ended {
            return;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}

/// Why a feed has ended.
enum End {
    Nobody,
    LoggedOut,
    Broken(Failure),
}

/// Passes events on. Says also whether there was one beyond the first.
async fn read(
    feed: &mut dyn Feed,
    signals: &mpsc::Sender<Signal>,
    after: &mut Option<svc_core::ids::EventSeq>,
) -> (End, bool) {
    let mut received = false;
    loop {
        match feed.next().await {
            Ok(Some(news)) => {
                match &news.body {
                    LiveBody::Hello(hello) => *after = Some(hello.seq),
                    _ => received = true,
                }
                *after = news.seq.or(*after);
                if signals.send(Signal::News(Box::new(news))).await.is_err() {
                    return (End::Nobody, received);
                }
            }
            Ok(None) => return (End::LoggedOut, received),
            Err(failure) => return (End::Broken(failure), received),
        }
    }
}
