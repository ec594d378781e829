//! Requests of the system to end: `SIGTERM`, `SIGHUP`, `SIGINT`.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Requests to end.
pub(crate) struct Stop {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl Stop {
    /// Listens from now on.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Forgets an interrupt that was meant for another program in the terminal.
    pub(crate) fn forget_interrupt(&mut self) -> io::Result<()> {
        self.interrupt = signal(SignalKind::interrupt())?;
        Ok(())
    }

    /// Returns when the program is asked to end.
    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
