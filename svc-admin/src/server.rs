//! The server side: a socket that only the server's own user and root may use.
//!
//! Invariants: a live socket is never taken over; a request in progress is answered before the server stops; the
//! socket file is removed afterwards.

use std::fs::{Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use svc_core::{Error, Hub, Result};
use tokio::io::AsyncWriteExt;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::dispatch;
use crate::error;
use crate::lines::Lines;
use crate::methods::Server;
use crate::socket;
use crate::wire::MAX_REQUEST_LINE;

/// Maximum number of concurrent connections; more of them wait to be accepted.
const CONNECTIONS: usize = 64;

/// Timeout of a connection without requests, or whose client does not read.
const PATIENCE: Duration = Duration::from_mins(5);

/// A socket that is being served.
#[derive(Debug)]
pub struct AdminSocket {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl AdminSocket {
    /// The path of the socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until it is no longer served and its file is removed. Cancel the token first.
    pub async fn closed(self) {
        // Fails only by a panic, which has been reported by then.
        drop(self.task.await);
    }
}

/// A socket that is bound and not served yet: clients that connect wait. Its file is removed when it is dropped.
#[derive(Debug)]
pub struct AdminListener {
    path: PathBuf,
    listener: Option<UnixListener>,
    /// User id of this process.
    owner: u32,
    /// Identity of the socket file.
    file: Metadata,
}

impl AdminListener {
    /// Binds the path. A server does so before it creates or prints anything that cannot be undone.
    pub async fn bind(path: PathBuf) -> Result<Self> {
        socket::check_length(&path)?;
        socket::prepare_directory(&path)?;
        remove_stale_socket(&path).await?;
        let (listener, file) = bind(&path).await.map_err(|error| cannot_bind(&path, error))?;
        Ok(Self { path, listener: Some(listener), owner: socket::own_user(), file })
    }

    /// Serves a hub until the token is cancelled.
    pub fn serve(mut self, hub: Hub, stop: CancellationToken) -> AdminSocket {
        let started_at = hub.clock().now();
        let (restores, backups) = (Arc::default(), Arc::default());
        let server = Arc::new(Server { hub, started_at, restores, backups, stop: stop.clone() });
        let path = self.path.clone();
        let task = tokio::spawn(async move {
            if let Some(listener) = self.listener.take() {
                accept(&listener, self.owner, &server, &stop).await;
            }
            drop(self);
        });
        AdminSocket { path, task }
    }
}

impl Drop for AdminListener {
    /// Removes the socket file, unless another server has replaced it.
    fn drop(&mut self) {
        drop(self.listener.take());
        let found = std::fs::symlink_metadata(&self.path);
        if !found.is_ok_and(|found| (found.dev(), found.ino()) == (self.file.dev(), self.file.ino())) {
            return;
        }
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::warn!(%error, path = %self.path.display(), "the admin socket could not be removed");
        }
    }
}

/// Serves a hub on a socket until the token is cancelled.
///
/// ```no_run
/// # async fn example(hub: svc_core::Hub) -> svc_core::Result<()> {
/// use tokio_util::sync::CancellationToken;
///
/// let stop = CancellationToken::new();
/// let path = svc_admin::socket_path(&hub.config().data);
/// let socket = svc_admin::serve(hub, path, stop.clone()).await?;
/// stop.cancel();
/// socket.closed().await;
/// # Ok(())
/// # }
/// ```
pub async fn serve(hub: Hub, path: PathBuf, stop: CancellationToken) -> Result<AdminSocket> {
    Ok(AdminListener::bind(path).await?.serve(hub, stop))
}

/// Removes a socket without a listener; fails on any other file.
async fn remove_stale_socket(path: &Path) -> Result<()> {
    let shown = path.display();
    let Ok(file) = tokio::fs::symlink_metadata(path).await else {
        return Ok(());
    };
    if !file.file_type().is_socket() {
        let sentence = format!(
            "{shown} is there and is not a socket: move it away, or name another path with {}.",
            socket::SOCKET_VARIABLE
        );
        return Err(Error::conflict("admin_socket_path", sentence));
    }
    match UnixStream::connect(path).await {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            tokio::fs::remove_file(path).await.map_err(|error| cannot_bind(path, error))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(_) => {
            let sentence = format!(
                "Another server is listening on {shown}: stop it, or name another path with {}.",
                socket::SOCKET_VARIABLE
            );
            Err(Error::conflict("admin_socket_in_use", sentence))
        }
        Err(error) => Err(cannot_bind(path, error)),
    }
}

/// Binds the socket and reads the identity of its file.
async fn bind(path: &Path) -> io::Result<(UnixListener, Metadata)> {
    let listener = UnixListener::bind(path)?;
    // A client that connects before this line is rejected by its user id.
    tokio::fs::set_permissions(path, Permissions::from_mode(0o600)).await?;
    Ok((listener, tokio::fs::symlink_metadata(path).await?))
}

fn cannot_bind(path: &Path, error: io::Error) -> Error {
    let sentence = format!(
        "The admin socket {} cannot be created ({error}): see that this user may write to its directory, \
         or name another path with {}.",
        path.display(),
        socket::SOCKET_VARIABLE,
    );
    Error::unavailable("admin_socket", sentence).with_source(error)
}

/// Accepts connections until stopped, then waits for requests in progress.
async fn accept(listener: &UnixListener, owner: u32, server: &Arc<Server>, stop: &CancellationToken) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = stop.cancelled() => break,
            next = next => next,
        };
        match accepted {
            Ok((stream, _)) => {
                let (server, stop) = (server.clone(), stop.clone());
                connections.spawn(async move {
                    if let Err(error) = serve_client(stream, owner, &server, &stop).await {
                        tracing::debug!(%error, "an admin connection broke");
                    }
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "an admin connection could not be accepted");
                // Probably out of file descriptors; retrying at once would not help.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
    while connections.join_next().await.is_some() {}
}

/// Handles the requests of one connection, one after another.
async fn serve_client(stream: UnixStream, owner: u32, server: &Server, stop: &CancellationToken) -> io::Result<()> {
    let peer = stream.peer_cred()?.uid();
    let (reader, mut writer) = stream.into_split();
    if !may_administer(peer, owner) {
        tracing::warn!(peer, "another user tried to use the admin socket");
        let refusal = dispatch::unasked(error::foreign_user(peer));
        return send(&mut writer, refusal).await;
    }
    let mut lines = Lines::new(reader, MAX_REQUEST_LINE);
    loop {
        let line = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            line = tokio::time::timeout(PATIENCE, lines.next()) => line??,
        };
        let Some(line) = line else {
            return Ok(());
        };
        if let Some(answer) = dispatch::answer(server, &line).await {
            send(&mut writer, answer).await?;
        }
    }
}

/// The server's own user, and root.
fn may_administer(peer: u32, owner: u32) -> bool {
    peer == owner || peer == 0
}

async fn send(writer: &mut (impl AsyncWriteExt + Unpin), mut line: String) -> io::Result<()> {
    line.push('\n');
    tokio::time::timeout(PATIENCE, writer.write_all(line.as_bytes())).await?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_user_and_root_may_administer() {
        assert!(may_administer(1000, 1000));
        assert!(may_administer(0, 1000));
        assert!(!may_administer(1001, 1000));
        assert!(!may_administer(1000, 0));
    }
}
