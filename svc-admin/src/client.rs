//! The client: calls methods by their types.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::VERSION;
use crate::error::{INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::lines::{Line, Lines};
use crate::methods::rpc::{DataDirectory, Discover};
use crate::methods::{Method, NoParams};
use crate::socket;
use crate::wire::{Fault, MAX_REPLY_LINE, Reply};

/// A connection to a running hub.
pub struct Client {
    path: PathBuf,
    lines: Lines<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    next_id: u64,
}

/// The reason of a failed call: one sentence each, which says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// There is no file at the path.
    #[error(
        "No socket at {}: is the server running? Name its data directory with --data, or its socket with \
         --socket or SVC_ADMIN_SOCKET.", .0.display()
    )]
    NoSocket(PathBuf),
    /// A socket without a listener.
    #[error("No server is listening on {}: start it again.", .0.display())]
    NoServer(PathBuf),
    /// The file system denies access.
    #[error("Permission denied for {}: run the command as the server's own user or as root.", .0.display())]
    NotPermitted(PathBuf),
    /// The socket belongs to a user who is not trusted.
    #[error(
        "The socket {} is served by user {uid}, who is neither you, nor root, nor the owner of the data directory, so \
         nothing was sent: name the server's data directory with --data, or its own socket with --socket.",
        .path.display()
    )]
    Stranger {
        /// The socket.
        path: PathBuf,
        /// User id of the server.
        uid: u32,
    },
    /// The socket belongs to another hub than the data directory.
    #[error(
        "The socket {} and the data directory {} are of two hubs, because the server on that socket {}: name one of \
         them, with --socket or with --data, and leave the other one and its variable (SVC_ADMIN_SOCKET, SVC_DATA) \
         out.", .path.display(), .wanted.display(), place_of(.serves.as_deref())
    )]
    AnotherHub {
        /// The socket.
        path: PathBuf,
        /// Data directory of the hub at the socket, if its server says so.
        serves: Option<PathBuf>,
        /// Data directory of the intended hub.
        wanted: PathBuf,
    },
    /// The path is not valid for a socket.
    #[error("{0}")]
    Path(svc_core::Error),
    /// The connection broke.
    #[error("The connection to {} broke ({error}): see the server's log, then try again.", .path.display())]
    Broken {
        /// The socket.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The server returned an error.
    #[error("{}", .0.message)]
    Refused(Fault),
    /// The response cannot be parsed.
    #[error("The response to {method} is invalid ({reason}): check that {path} is the socket of a hub.", path = .path.display())]
    Unreadable {
        /// The called method.
        method: &'static str,
        /// The reason.
        reason: String,
        /// The socket.
        path: PathBuf,
    },
    /// The server lacks the method although it has the same version: it runs from an older build.
    #[error(
        "The server on {} does not know {method}, so it is older than this svc-admin ({VERSION}): restart it with the \
         server that came with this command.", .path.display()
    )]
    Older {
        /// The called method.
        method: &'static str,
        /// The socket.
        path: PathBuf,
    },
    /// The call failed, and the versions of client and server differ.
    #[error(
        "This command is svc-admin {VERSION} and the server is {server}, which may be why {method} failed ({reason}): \
         use the svc-admin that came with the server."
    )]
    Version {
        /// The called method.
        method: &'static str,
        /// The error of the server.
        reason: String,
        /// The server's version.
        server: String,
    },
}

impl ClientError {
    /// Whether the server of a data directory may be found at another socket.
    fn leaves_other_sockets(&self) -> bool {
        matches!(self, Self::NoSocket(_) | Self::NoServer(_) | Self::AnotherHub { .. })
    }
}

impl Client {
    /// Connects to the server at the path, which must belong to this user or root.
    pub async fn connect(path: &Path) -> Result<Self, ClientError> {
        Self::connect_to(path, None).await
    }

    /// Connects to the server of the hub with this data directory, and to no other: at the sockets of the directory,
    /// else at the one that `SVC_ADMIN_SOCKET` names, if it belongs to that hub.
    pub async fn of_data_directory(data: &Path) -> Result<Self, ClientError> {
        let mut failed = None;
        for path in socket::candidates(data) {
            match Self::of_hub(&path, data).await {
                // A socket in the directory of another hub tells more than one that is missing.
                Err(error @ ClientError::AnotherHub { .. }) => failed = Some(error),
                Err(error) if error.leaves_other_sockets() => drop(failed.get_or_insert(error)),
                outcome => return outcome,
            }
        }
        if let Some(path) = socket::named() {
            match Self::of_hub(&path, data).await {
                Err(error) if error.leaves_other_sockets() => {}
                outcome => return outcome,
            }
        }
        Err(failed.unwrap_or_else(|| ClientError::NoSocket(data.to_owned())))
    }

    /// Connects to the server at the path, which must be the one of the hub with this data directory.
    pub(crate) async fn of_hub(path: &Path, data: &Path) -> Result<Self, ClientError> {
        let mut client = Self::connect_to(path, socket::owner(data)).await?;
        client.require(data).await?;
        Ok(client)
    }

    /// Checks that the server's hub is the one with this data directory.
    async fn require(&mut self, data: &Path) -> Result<(), ClientError> {
        let serves = self.ask::<Discover>(&NoParams {}).await?.data;
        let wanted = DataDirectory::at(data);
        if let (Some(serves), Some(wanted)) = (&serves, &wanted)
            && serves.is(wanted)
        {
            return Ok(());
        }
        let wanted = wanted.map_or_else(|| data.to_owned(), |wanted| wanted.path);
        Err(ClientError::AnotherHub { path: self.path.clone(), serves: serves.map(|serves| serves.path), wanted })
    }

    /// Connects to the server at the path; root may also connect to a server of the owner of the hub's data.
    pub(crate) async fn connect_to(path: &Path, data_owner: Option<u32>) -> Result<Self, ClientError> {
        socket::check_length(path).map_err(ClientError::Path)?;
        socket::check_private(path).map_err(ClientError::Path)?;
        let stream = UnixStream::connect(path).await.map_err(|error| cannot_connect(path, error))?;
        let broken = |error| ClientError::Broken { path: path.to_owned(), error };
        let server = stream.peer_cred().map_err(broken)?.uid();
        if !may_be_trusted(server, socket::own_user(), data_owner) {
            return Err(ClientError::Stranger { path: path.to_owned(), uid: server });
        }
        let (reader, writer) = stream.into_split();
        Ok(Self { path: path.to_owned(), lines: Lines::new(reader, MAX_REPLY_LINE), writer, next_id: 1 })
    }

    /// Calls a method: `client.call::<methods::status::Show>(&NoParams {})`.
    pub async fn call<M: Method>(&mut self, params: &M::Params) -> Result<M::Answer, ClientError> {
        match self.ask::<M>(params).await {
            Err(error) if M::NAME != Discover::NAME && hints_at_another_version(&error) => {
                Err(self.blame_version(M::NAME, error).await)
            }
            outcome => outcome,
        }
    }

    async fn ask<M: Method>(&mut self, params: &M::Params) -> Result<M::Answer, ClientError> {
        let id = self.next_id;
        self.next_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": M::NAME, "params": params });
        let reply = self.exchange(M::NAME, &request).await?;
        match (reply.error, reply.result) {
            (Some(fault), _) => Err(ClientError::Refused(fault)),
            (None, _) if reply.id != id => Err(self.unreadable(M::NAME, "its id is of another request")),
            (None, Some(result)) => {
                serde_json::from_value(result).map_err(|error| self.unreadable(M::NAME, error.to_string()))
            }
            (None, None) => Err(self.unreadable(M::NAME, "it has neither a result nor an error")),
        }
    }

    async fn exchange(&mut self, method: &'static str, request: &Value) -> Result<Reply, ClientError> {
        let broken = |error| ClientError::Broken { path: self.path.clone(), error };
        let sent = self.writer.write_all(format!("{request}\n").as_bytes()).await;
        // A server that rejects the connection says why before it closes, so its response has precedence.
        match self.lines.next().await {
            Ok(Some(Line::Text(line))) => {
                serde_json::from_slice(&line).map_err(|error| self.unreadable(method, error.to_string()))
            }
            Ok(Some(Line::TooLong)) => Err(self.unreadable(method, "it is too long")),
            Ok(None) => Err(broken(sent.err().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))),
            Err(error) => Err(broken(error)),
        }
    }

    /// Queries the server's version, and reports a version mismatch if there is one.
    async fn blame_version(&mut self, method: &'static str, error: ClientError) -> ClientError {
        match self.ask::<Discover>(&NoParams {}).await {
            Ok(discovery) if discovery.version != VERSION => {
                ClientError::Version { method, reason: error.to_string(), server: discovery.version }
            }
            Ok(_) if is_unknown_method(&error) => ClientError::Older { method, path: self.path.clone() },
            _ => error,
        }
    }

    fn unreadable(&self, method: &'static str, reason: impl Into<String>) -> ClientError {
        ClientError::Unreadable { method, reason: reason.into(), path: self.path.clone() }
    }
}

/// Where a server keeps its data, as the end of a sentence.
fn place_of(directory: Option<&Path>) -> String {
    match directory {
        Some(directory) => format!("keeps its data in {}", directory.display()),
        None => "does not say where it keeps its data".to_owned(),
    }
}

/// The server's user must be this user or root. Root may also talk to a server of the owner of the hub's data, and to
/// no other: requests may contain passwords, and any user can create a socket.
fn may_be_trusted(server: u32, own: u32, data_owner: Option<u32>) -> bool {
    server == 0 || server == own || own == 0 && data_owner == Some(server)
}

fn hints_at_another_version(error: &ClientError) -> bool {
    match error {
        ClientError::Refused(fault) => [METHOD_NOT_FOUND, INVALID_PARAMS].contains(&fault.code),
        ClientError::Unreadable { .. } => true,
        _ => false,
    }
}

fn is_unknown_method(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused(fault) if fault.code == METHOD_NOT_FOUND)
}

fn cannot_connect(path: &Path, error: io::Error) -> ClientError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound => ClientError::NoSocket(path),
        io::ErrorKind::ConnectionRefused => ClientError::NoServer(path),
        io::ErrorKind::PermissionDenied => ClientError::NotPermitted(path),
        _ => ClientError::Broken { path, error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untrusted_server_receives_nothing() {
        assert!(may_be_trusted(1000, 1000, None) && may_be_trusted(0, 1000, None));
        assert!(!may_be_trusted(1001, 1000, None) && !may_be_trusted(1001, 1000, Some(1001)));
        assert!(may_be_trusted(1000, 0, Some(1000)));
        assert!(!may_be_trusted(1000, 0, None) && !may_be_trusted(1000, 0, Some(1001)));
    }
}
