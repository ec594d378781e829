//! Signals: shutdown, and reload of files.

use std::future::Future;

use svc_core::{Error, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code of a program that was interrupted, by the shell's convention.
const INTERRUPTED: i32 = 130;

/// A future that completes at the first SIGTERM or SIGINT. Signals are caught from this call on; a second one ends
/// the process at once.
pub(crate) fn asked_to_stop() -> Result<impl Future<Output = ()> + Send> {
    // From here on SIGHUP ends nothing, also before there is a listener: a caught signal stays caught.
    drop(hangups()?);
    let (mut terminate, mut interrupt) = (catch(SignalKind::terminate())?, catch(SignalKind::interrupt())?);
    Ok(async move {
        either(&mut terminate, &mut interrupt).await;
        tracing::info!(target: "svc::http", "stopping; a second signal ends the process at once");
        tokio::spawn(async move {
            either(&mut terminate, &mut interrupt).await;
            tracing::warn!(target: "svc::http", "stopped at once by a second signal");
            std::process::exit(INTERRUPTED);
        });
    })
}

/// SIGHUP, with which an operator requests a reload of files.
pub(crate) fn hangups() -> Result<Signal> {
    catch(SignalKind::hangup())
}

fn catch(kind: SignalKind) -> Result<Signal> {
    signal(kind).map_err(|error| {
        Error::unavailable("no_signals", "Signals cannot be caught on this system: the server could not stop cleanly.")
            .with_source(error)
    })
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
