//! Watches the registry file of machine principals while the server runs, and handles SIGHUP, which requests a reload
//! and never ends the server, whether there is a file or not.

use svc_core::principals::RegistryFile;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::signals;

/// A file that is being watched.
pub(crate) struct Following {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

/// Reloads the file when it changes, and on SIGHUP. Without a file, SIGHUP is only logged.
pub(crate) fn follow(file: Option<RegistryFile>) -> Following {
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let task = tokio::spawn(async move {
        let reload = Notify::new();
        let Some(file) = file else {
            return tokio::select! {
                () = stopped.cancelled() => {}
                () = on_hangup(|| tracing::info!(target: "svc::http", "SIGHUP: there is no file to read again")) => {}
            };
        };
        let read_again = || {
            tracing::info!(target: "svc::http", "SIGHUP: the registry of machine principals is read again");
            reload.notify_one();
        };
        tokio::select! {
            () = file.follow(&reload, stopped) => {}
            () = on_hangup(read_again) => {}
        }
    });
    Following { stop, task }
}

async fn on_hangup(act: impl Fn()) {
    match signals::hangups() {
        Ok(mut hangups) => {
            while hangups.recv().await.is_some() {
                act();
            }
        }
        Err(error) => tracing::warn!(target: "svc::http", error = error.log_line(), "SIGHUP is not heard"),
    }
    std::future::pending::<()>().await;
}

impl Following {
    /// Stops watching, and waits until a reload in progress is done.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        // A panic has been reported by then.
        drop(self.task.await);
    }
}
