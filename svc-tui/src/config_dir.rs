//! Files of the user: kept logins, and the place of drafts.
//!
//! Invariants: directories are for the user alone (0700), and so is the file with logins (0600), which is replaced as
//! a whole. A file with logins that others can read is not used. Programs take turns: a change holds a lock from
//! reading to writing.

use std::fmt;
use std::fs::{File, TryLockError};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_client::DeviceTokens;
use svc_core::attachments::ContentHash;
use svc_core::{Error, ErrorKind, Result};
use tokio::fs::{DirBuilder, OpenOptions};
use tokio::io::AsyncWriteExt;

const LOGINS: &str = "logins.toml";
const LOCK: &str = "logins.lock";
/// The pause between two attempts to get the lock, and their number. The holder may wait for a hub.
const LOCK_PAUSE: Duration = Duration::from_millis(50);
const LOCK_TRIES: u32 = 400;
/// Permission bits of group and others.
const OTHERS: u32 = 0o077;

/// The login at a server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptLogin {
    /// The server, as [`Target::server`](crate::location::Target::server) names it.
    pub(crate) server: String,
    /// The handle that it acts as.
    pub(crate) user: String,
    /// The credential.
    #[serde(flatten)]
    pub(crate) secret: KeptSecret,
    /// Why it could not be kept, for the person.
    #[serde(skip)]
    pub(crate) warning: Option<String>,
}

impl KeptLogin {
    /// Whether it is a key, which stays valid after the end of the program.
    pub(crate) fn is_key(&self) -> bool {
        matches!(self.secret, KeptSecret::Key { .. })
    }
}

/// The credential of a login.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum KeptSecret {
    /// The token of a login session.
    Session {
        /// The token.
        token: String,
    },
    /// A key.
    Key {
        /// The key.
        token: String,
    },
    /// The tokens of a login in a browser.
    Device {
        /// The id of this program at the hub.
        client_id: String,
        /// The access token.
        access_token: String,
        /// The refresh token.
        refresh_token: String,
    },
}

impl KeptSecret {
    /// The credential of a login in a browser.
    pub(crate) fn device(tokens: &DeviceTokens) -> Self {
        let DeviceTokens { client_id, access_token, refresh_token, .. } = tokens.clone();
        Self::Device { client_id, access_token, refresh_token }
    }
}

impl fmt::Debug for KeptLogin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("KeptLogin")
            .field("server", &self.server)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    #[serde(default)]
    login: Vec<KeptLogin>,
}

/// The kept logins of the user.
#[derive(Debug, Clone)]
pub(crate) struct Logins {
    directory: PathBuf,
}

/// The kept logins while no other program changes them.
pub(crate) struct LockedLogins {
    directory: PathBuf,
    /// Never read: the lock lives as long as the open file.
    _lock: File,
}

impl Logins {
    /// The logins in the configuration directory of the user.
    pub(crate) fn of_user() -> Result<Self> {
        Ok(Self { directory: base("XDG_CONFIG_HOME", ".config")?.join("svc") })
    }

    /// The logins in this directory.
    #[cfg(test)]
    pub(crate) fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// The login at a server.
    pub(crate) async fn get(&self, server: &str) -> Result<Option<KeptLogin>> {
        Ok(read(&self.directory).await?.login.into_iter().find(|login| login.server == server))
    }

    /// Keeps a login, instead of an earlier one at the same server.
    pub(crate) async fn put(&self, login: KeptLogin) -> Result<()> {
        self.lock().await?.put(login).await
    }

    /// Forgets the login at a server.
    pub(crate) async fn remove(&self, server: &str) -> Result<()> {
        if self.get(server).await?.is_none() {
            return Ok(());
        }
        self.lock().await?.remove(server).await
    }

    /// Waits until no other program changes the logins.
    pub(crate) async fn lock(&self) -> Result<LockedLogins> {
        make_private_directory(&self.directory).await?;
        let path = self.directory.join(LOCK);
        let file =
            private_file().create(true).truncate(false).open(&path).await.map_err(|error| broken(&path, error))?;
        let file = file.into_std().await;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(LockedLogins { directory: self.directory.clone(), _lock: file }),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(LOCK_PAUSE).await,
                Err(TryLockError::Error(error)) => return Err(broken(&path, error)),
            }
        }
        let message = format!("Another program holds {}: end it, and try again.", path.display());
        Err(Error::new(ErrorKind::Conflict, "logins_in_use", message))
    }
}

impl LockedLogins {
    /// The login at a server.
    pub(crate) async fn get(&self, server: &str) -> Result<Option<KeptLogin>> {
        Ok(read(&self.directory).await?.login.into_iter().find(|login| login.server == server))
    }

    /// Keeps a login, instead of an earlier one at the same server.
    pub(crate) async fn put(&self, login: KeptLogin) -> Result<()> {
        let mut content = read(&self.directory).await?;
        content.login.retain(|other| other.server != login.server);
        content.login.push(login);
        self.write(&content).await
    }

    /// Forgets the login at a server.
    pub(crate) async fn remove(&self, server: &str) -> Result<()> {
        let mut content = read(&self.directory).await?;
        content.login.retain(|other| other.server != server);
        self.write(&content).await
    }

    async fn write(&self, content: &Content) -> Result<()> {
        let (path, next) = (self.directory.join(LOGINS), self.directory.join("logins.toml.new"));
        let text = toml::to_string(content)
            .map_err(|error| Error::internal(format!("logins cannot be written as TOML: {error}")))?;
        let replace = async {
            // One of a program that ended while it wrote.
            drop(tokio::fs::remove_file(&next).await);
            let mut file = private_file().create_new(true).open(&next).await?;
            file.write_all(text.as_bytes()).await?;
            file.sync_all().await?;
            tokio::fs::rename(&next, &path).await
        };
        replace.await.map_err(|error| broken(&path, error))
    }
}

/// The file with the drafts and the outbox of a user at a server. Its directory exists.
pub(crate) async fn state_file(server: &str, user: &str) -> Result<PathBuf> {
    let directory = base("XDG_STATE_HOME", ".local/state")?.join("svc/tui");
    make_private_directory(&directory).await?;
    Ok(directory.join(state_name(server, user)))
}

fn state_name(server: &str, user: &str) -> String {
    let hash = ContentHash::of(format!("{server}\n{user}").as_bytes());
    format!("{}.json", &hash.as_str()[..32])
}

/// A base directory of the user: the variable, or a directory at home. A relative path does not count.
fn base(variable: &str, at_home: &str) -> Result<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    named(variable).or_else(|| named("HOME").map(|home| home.join(at_home))).ok_or_else(|| {
        let message =
            format!("The variables {variable} and HOME are not set, so nothing can be kept: set one of them.");
        Error::new(ErrorKind::Invalid, "home", message)
    })
}

async fn read(directory: &Path) -> Result<Content> {
    let path = directory.join(LOGINS);
    let found = match tokio::fs::metadata(&path).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Content::default()),
        found => found.map_err(|error| broken(&path, error))?,
    };
    let shown = path.display();
    if found.permissions().mode() & OTHERS != 0 {
        let message = format!(
            "The file {shown} with your logins is open to other users: run chmod 600 {shown}, and log in again."
        );
        return Err(Error::new(ErrorKind::Forbidden, "logins_open", message));
    }
    let text = tokio::fs::read_to_string(&path).await.map_err(|error| broken(&path, error))?;
    // The error of the parser is not told, because it quotes the text.
    toml::from_str(&text).map_err(|_| {
        let message = format!("The file {shown} with your logins is damaged: remove it, and log in again.");
        Error::new(ErrorKind::Invalid, "logins_damaged", message)
    })
}

async fn make_private_directory(directory: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory).await.map_err(|error| broken(directory, error))
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

fn broken(path: &Path, error: std::io::Error) -> Error {
    let message = format!("{} cannot be used ({error}): check its permissions.", path.display());
    Error::new(ErrorKind::Invalid, "logins_unusable", message).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(server: &str, secret: KeptSecret) -> KeptLogin {
        KeptLogin { server: server.into(), user: "ann".into(), secret, warning: None }
    }

    fn session(token: &str) -> KeptSecret {
        KeptSecret::Session { token: token.into() }
    }

    async fn mode(path: &Path) -> u32 {
        tokio::fs::metadata(path).await.unwrap().permissions().mode() & 0o777
    }

    #[tokio::test]
    async fn a_login_is_kept_for_each_server() {
        let home = tempfile::tempdir().unwrap();
        let logins = Logins::at(&home.path().join("config/svc"));
        assert_eq!(logins.get("a").await.unwrap(), None);
        logins.remove("a").await.unwrap();
        let device = KeptSecret::device(&DeviceTokens::new("c", "a", "r"));
        for kept in [
            login("a", session("one")),
            login("b", device.clone()),
            login("c", KeptSecret::Key { token: "k".into() }),
            login("a", session("two")),
        ] {
            logins.put(kept).await.unwrap();
        }
        assert_eq!(logins.get("a").await.unwrap(), Some(login("a", session("two"))));
        assert_eq!(logins.get("b").await.unwrap(), Some(login("b", device)));
        logins.remove("a").await.unwrap();
        assert_eq!(logins.get("a").await.unwrap(), None);
        assert!(logins.get("c").await.unwrap().is_some());
    }

    #[tokio::test]
    async fn files_are_for_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("svc");
        let logins = Logins::at(&directory);
        logins.put(login("a", session("secret"))).await.unwrap();
        let file = directory.join(LOGINS);
        assert_eq!(
            (mode(&directory).await, mode(&file).await, mode(&directory.join(LOCK)).await),
            (0o700, 0o600, 0o600)
        );
        tokio::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).await.unwrap();
        for refusal in [logins.get("a").await.map(drop), logins.put(login("b", session("t"))).await] {
            assert!(refusal.unwrap_err().message().contains("chmod 600"));
        }
    }

    #[tokio::test]
    async fn a_damaged_file_is_refused_without_its_content() {
        let home = tempfile::tempdir().unwrap();
        let logins = Logins::at(home.path());
        logins.put(login("a", session("secret"))).await.unwrap();
        tokio::fs::write(home.path().join(LOGINS), "[[login]]\ntoken = secret").await.unwrap();
        let refusal = logins.get("a").await.unwrap_err();
        assert!(refusal.message().contains("remove it") && !format!("{refusal:?}").contains("secret"), "{refusal:?}");
    }

    #[tokio::test]
    async fn changes_at_the_same_time_are_all_kept() {
        let home = tempfile::tempdir().unwrap();
        let logins = Logins::at(home.path());
        let names: Vec<_> = (0..8).map(|number| number.to_string()).collect();
        let changes = names.iter().map(|name| logins.put(login(name, session(name))));
        for outcome in futures_util::future::join_all(changes).await {
            outcome.unwrap();
        }
        for name in &names {
            assert!(logins.get(name).await.unwrap().is_some(), "{name}");
        }
    }

    #[test]
    fn secrets_are_not_printed_and_state_files_differ() {
        assert!(!format!("{:?}", login("a", session("secret"))).contains("secret"));
        assert_ne!(state_name("a", "bc"), state_name("ab", "c"));
        assert_ne!(state_name("a", "b"), state_name("a", "c"));
        assert!(
            state_name("https://hub.example/../..", "a/b")
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
        );
    }
}
