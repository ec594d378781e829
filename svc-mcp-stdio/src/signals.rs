//! Signals that ask the program to stop.

use std::future::Future;

use svc_core::{Error, Result};
use tokio::signal::unix::{SignalKind, signal};

/// A future that completes at the first SIGTERM or SIGINT. Signals are caught from this call on.
pub(crate) fn asked_to_stop() -> Result<impl Future<Output = ()> + Send> {
    let catch = |kind| {
        signal(kind).map_err(|error| {
            Error::unavailable("no_signals", "Signals cannot be caught on this system: it could not stop cleanly.")
                .with_source(error)
        })
    };
    let (mut terminate, mut interrupt) = (catch(SignalKind::terminate())?, catch(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
