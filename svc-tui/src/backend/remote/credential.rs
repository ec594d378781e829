//! The credential of a remote hub, and its renewal.
//!
//! Invariants: a refresh token is used once. Programs that share a kept login take turns: before one uses the refresh
//! token, it looks whether another has kept new tokens, and it keeps its own before it goes on.

use std::sync::{PoisonError, RwLock};

use svc_client::{Client, ClientError, DeviceTokens};
use svc_core::ErrorKind;
use tokio::sync::Mutex;

use crate::backend::{Cause, Failure, Result};
use crate::config_dir::{KeptLogin, KeptSecret, LockedLogins, Logins};

/// A client with its credential.
pub(crate) struct RemoteCredential {
    current: RwLock<Current>,
    kind: Kind,
}

/// The credential of the next request.
#[derive(Clone)]
struct Current {
    client: Client,
    /// The token of the client.
    token: String,
}

enum Kind {
    Session,
    Key,
    Device(Device),
}

/// A login in a browser, whose tokens are renewed.
struct Device {
    tokens: Mutex<DeviceTokens>,
    server: String,
    user: String,
    /// The place where new tokens are kept; none for a user without a configuration directory.
    logins: Option<Logins>,
}

impl RemoteCredential {
    /// The credential of a login.
    pub(crate) fn of(client: Client, login: &KeptLogin, logins: Option<Logins>) -> Self {
        let (client, token, kind) = match &login.secret {
            KeptSecret::Session { token } => (client.with_session(token), token, Kind::Session),
            KeptSecret::Key { token } => (client.with_key(token), token, Kind::Key),
            KeptSecret::Device { client_id, access_token, refresh_token } => {
                let tokens = Mutex::new(DeviceTokens::new(client_id, access_token, refresh_token));
                let (server, user) = (login.server.clone(), login.user.clone());
                let device = Device { tokens, server, user, logins };
                (client.with_key(access_token), access_token, Kind::Device(device))
            }
        };
        Self { current: RwLock::new(Current { client, token: token.clone() }), kind }
    }

    /// Makes a request, and makes it again with new tokens when the old ones have expired.
    pub(super) async fn ask<T, F>(&self, call: impl Fn(Client) -> F + Send + Sync) -> Result<T>
    where
        F: Future<Output = std::result::Result<T, ClientError>> + Send,
        T: Send,
    {
        let current = self.current();
        let (refused, device) = match (call(current.client.clone()).await, &self.kind) {
            (Err(ClientError::Refused(problem)), Kind::Device(device)) if problem.status == 401 => (current, device),
            (outcome, _) => return Ok(outcome?),
        };
        let token = device.renew(&refused).await?.access_token;
        let current = Current { client: refused.client.with_key(&token), token };
        self.current.write().unwrap_or_else(PoisonError::into_inner).clone_from(&current);
        Ok(call(current.client).await?)
    }

    /// Ends the login at the hub. A key stays valid.
    pub(super) async fn end(&self) -> Result<()> {
        let client = self.current().client;
        match &self.kind {
            Kind::Session => Ok(client.log_out().await?),
            Kind::Key => Ok(()),
            Kind::Device(device) => Ok(client.revoke(&*device.tokens.lock().await).await?),
        }
    }

    fn current(&self) -> Current {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Device {
    /// Tokens that are newer than the refused one.
    async fn renew(&self, refused: &Current) -> Result<DeviceTokens> {
        let mut tokens = self.tokens.lock().await;
        if tokens.access_token != refused.token {
            return Ok(tokens.clone());
        }
        let locked = self.lock().await?;
        if let Some(kept) = self.kept(locked.as_ref()).await
            && kept.access_token != refused.token
        {
            tokens.clone_from(&kept);
            return Ok(kept);
        }
        let renewed = refused.client.refresh(&tokens).await.map_err(ended)?;
        tokens.clone_from(&renewed);
        if let Some(locked) = locked {
            let secret = KeptSecret::device(&renewed);
            let login = KeptLogin { server: self.server.clone(), user: self.user.clone(), secret, warning: None };
            if let Err(error) = locked.put(login).await {
                tracing::warn!(target: "svc::tui", error = error.log_line(), "the new tokens could not be kept");
            }
        }
        Ok(renewed)
    }

    /// The turn of this program; none where nothing can be kept, so that no other program has the tokens.
    async fn lock(&self) -> Result<Option<LockedLogins>> {
        let Some(logins) = &self.logins else { return Ok(None) };
        match logins.lock().await {
            Ok(locked) => Ok(Some(locked)),
            Err(error) if error.kind() == ErrorKind::Conflict => Err(Failure::unreachable(error.message())),
            Err(_) => Ok(None),
        }
    }

    /// The tokens in the file, which another program may have renewed.
    async fn kept(&self, locked: Option<&LockedLogins>) -> Option<DeviceTokens> {
        let kept = locked?.get(&self.server).await.ok()??;
        match kept.secret {
            KeptSecret::Device { client_id, access_token, refresh_token } if kept.user == self.user => {
                Some(DeviceTokens::new(&client_id, &access_token, &refresh_token))
            }
            _ => None,
        }
    }
}

/// A refresh token that the hub does not accept means the end of the login.
fn ended(error: ClientError) -> Failure {
    let is_end = matches!(error.code(), Some("invalid_grant" | "invalid_client"));
    let failure = Failure::from(error);
    if !is_end {
        return failure;
    }
    Failure { cause: Cause::LoggedOut, message: "The login has ended: log in again.".to_owned(), ..failure }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// A hub that knows one access token, and issues it for one refresh token, once.
    #[derive(Default)]
    struct StrictHub {
        refreshed: AtomicUsize,
    }

    impl StrictHub {
        async fn start(self: &Arc<Self>) -> String {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = format!("http://{}", listener.local_addr().unwrap());
            let hub = self.clone();
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let hub = hub.clone();
                    tokio::spawn(async move { hub.serve(stream).await });
                }
            });
            address
        }

        async fn serve(&self, mut stream: TcpStream) {
            let mut request = String::new();
            let mut part = [0; 4096];
            while !is_whole(&request) {
                let count = stream.read(&mut part).await.unwrap();
                request.push_str(std::str::from_utf8(&part[..count]).unwrap());
            }
            let (status, body) = self.answer(&request);
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        }

        fn answer(&self, request: &str) -> (u16, String) {
            if request.contains("Bearer new") || request.contains("bearer new") {
                let you = json!({
                    "handle": "scout", "kind": "agent", "owner": "ann", "permissions": [], "allowed_channels": [],
                    "mcp_profile": "full",
                });
                return (200, you.to_string());
            }
            if !request.starts_with("POST /oauth/token") {
                return (401, json!({ "code": "token_expired", "detail": "It has expired." }).to_string());
            }
            let is_first = self.refreshed.fetch_add(1, Ordering::SeqCst) == 0;
            if is_first && request.contains("refresh_token=first") {
                return (200, json!({ "access_token": "new", "refresh_token": "second" }).to_string());
            }
            (400, json!({ "error": "invalid_grant", "error_description": "It was used." }).to_string())
        }
    }

    fn is_whole(request: &str) -> bool {
        let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        body.len() >= length.unwrap_or(0)
    }

    fn login(server: &str) -> KeptLogin {
        let secret = KeptSecret::device(&DeviceTokens::new("program", "old", "first"));
        KeptLogin { server: server.into(), user: "scout".into(), secret, warning: None }
    }

    async fn handle(credential: &RemoteCredential) -> Result<String> {
        Ok(credential.ask(|client| async move { client.whoami().await }).await?.handle)
    }

    #[tokio::test]
    async fn programs_that_share_a_login_renew_it_once() {
        let hub = Arc::new(StrictHub::default());
        let address = hub.start().await;
        let home = tempfile::tempdir().unwrap();
        let logins = Logins::at(home.path());
        logins.put(login(&address)).await.unwrap();
        let client = || Client::interactive(&address, "test").unwrap();
        let program = || RemoteCredential::of(client(), &login(&address), Some(logins.clone()));
        let (one, other) = (program(), program());
        let asked = futures_util::future::join_all([handle(&one), handle(&one), handle(&other), handle(&other)]).await;
        for handle in asked {
            assert_eq!(handle.unwrap(), "scout");
        }
        assert_eq!(hub.refreshed.load(Ordering::SeqCst), 1);
        let renewed = KeptSecret::device(&DeviceTokens::new("program", "new", "second"));
        assert!(logins.get(&address).await.unwrap().unwrap().secret == renewed);
    }

    #[tokio::test]
    async fn a_used_refresh_token_is_the_end_of_the_login() {
        let hub = Arc::new(StrictHub::default());
        hub.refreshed.store(1, Ordering::SeqCst);
        let address = hub.start().await;
        let client = Client::interactive(&address, "test").unwrap();
        let credential = RemoteCredential::of(client, &login(&address), None);
        assert_eq!(handle(&credential).await.unwrap_err().cause, Cause::LoggedOut);
    }
}
