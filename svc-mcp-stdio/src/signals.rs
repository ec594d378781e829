//! When whoever started the program asks it to stop.

use std::future::Future;

use svc_core::{Error, Result};
use tokio::signal::unix::{SignalKind, signal};

/// A future that is ready at the first SIGTERM or SIGINT. Signals are caught from this call on.
pub(crate) fn asked_to_stop() -> Result<impl Future<Output = ()> + Send> {
    let catch = |kind| {
        signal(kind).map_err(|error| {
            Error::unavailable("no_signals", "Signals cannot be caught on this system, so it would not stop well.")
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
