//! Logins: with a password, with a key, in a browser, or kept since the last time.
//!
//! Invariants: a password is neither kept nor printed. A key from the environment is not kept. The login at a server is
//! kept in one file of the user ([`Logins`]), and a failure to keep it does not fail the login.

use std::sync::Arc;
use std::time::Duration;

use svc_client::{Client, DeviceLogin};
use svc_core::{Error, ErrorKind, Hub, HubConfig};
use url::Url;

use crate::backend::local::{self, Local, LocalCredential};
use crate::backend::remote::Remote;
use crate::backend::{Backend, Cause, Failure, Result};
pub(crate) use crate::config_dir::KeptLogin;
use crate::config_dir::{KeptSecret, Logins};
use crate::location::Target;

/// The variable with a key.
const KEY: &str = "SVC_KEY";
/// The name of this program at the hub.
const PROGRAM: &str = concat!("svc-tui/", env!("CARGO_PKG_VERSION"));
/// The name of this program on the page on which a person lets it in.
const CLIENT_NAME: &str = "svc-tui";

/// The time in which a hub answers that it has ended a login.
const LOGGING_OUT: Duration = Duration::from_secs(5);
/// The time in which a hub is closed.
const CLOSING: Duration = Duration::from_secs(2);

/// The credentials of a login.
pub(crate) enum Credentials {
    /// A username and a password.
    Password {
        /// The username.
        username: String,
        /// The password.
        password: String,
    },
    /// A key of a person (`svck_…`) or of an agent (`svca_…`).
    Key(String),
    /// A login since the last time.
    Kept(KeptLogin),
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Password { .. } => "Password",
            Self::Key(_) => "Key",
            Self::Kept(_) => "Kept",
        })
    }
}

/// The credentials that need no question: the key in the environment, or the kept login.
pub(crate) async fn known(target: &Target) -> Result<Option<Credentials>> {
    if let Some(key) = std::env::var_os(KEY).filter(|key| !key.is_empty()) {
        let key = key.to_str().map(str::trim).filter(|key| key.bytes().all(|byte| byte.is_ascii_graphic()));
        let key =
            key.ok_or_else(|| refused(format!("The variable {KEY} is not a key: set it to a key, or unset it.")))?;
        return Ok(Some(Credentials::Key(key.to_owned())));
    }
    // A user without a home has no kept logins.
    let Ok(logins) = Logins::of_user() else { return Ok(None) };
    Ok(logins.get(&target.server().await).await?.map(Credentials::Kept))
}

/// Connects to the hub. A login with a password is kept. With a kept login, a remote hub is not asked yet, so that the
/// program starts without it; on a store it is checked.
pub(crate) async fn connect(target: &Target, credentials: Credentials) -> Result<(Arc<dyn Backend>, KeptLogin)> {
    Door { target, logins: Logins::of_user().ok() }.connect(credentials).await
}

/// Keeps a login for the next time.
pub(crate) async fn keep(login: &KeptLogin) -> Result<()> {
    Ok(Logins::of_user()?.put(login.clone()).await?)
}

/// Ends the kept login at a hub, and forgets it. Returns whether there was one. A hub that cannot be reached does not
/// keep it from being forgotten; then the failure is returned.
pub(crate) async fn log_out(target: &Target) -> Result<bool> {
    let logins = Logins::of_user()?;
    let server = target.server().await;
    let Some(login) = logins.get(&server).await? else { return Ok(false) };
    let door = Door { target, logins: Some(logins.clone()) };
    let ended = match door.connect(Credentials::Kept(login.clone())).await {
        Ok((backend, _)) => {
            let ended = end(backend.as_ref(), &login, Some(&logins)).await;
            close(backend.as_ref()).await;
            return ended.map(|()| true);
        }
        Err(failure) => failure,
    };
    forget(&logins, &login).await?;
    unless_ended(ended).map(|()| true)
}

/// Ends the login of a program that is connected, and forgets it, as [`log_out`] does.
pub(crate) async fn end_of_user(backend: &dyn Backend, login: &KeptLogin) -> Result<()> {
    end(backend, login, Logins::of_user().ok().as_ref()).await
}

async fn end(backend: &dyn Backend, login: &KeptLogin, logins: Option<&Logins>) -> Result<()> {
    let asked = tokio::time::timeout(LOGGING_OUT, backend.log_out()).await;
    if let Some(logins) = logins {
        forget(logins, login).await?;
    }
    match asked {
        Ok(answer) => answer.or_else(unless_ended),
        Err(_) => Err(Failure::unreachable("The hub does not answer. The login is forgotten on this machine only.")),
    }
}

/// A login that has ended before is no failure.
fn unless_ended(failure: Failure) -> Result<()> {
    if failure.cause == Cause::LoggedOut { Ok(()) } else { Err(failure) }
}

/// Forgets a login, unless another one is kept instead.
async fn forget(logins: &Logins, login: &KeptLogin) -> Result<()> {
    let kept = logins.get(&login.server).await?;
    // Tokens may have been renewed meanwhile.
    let is_same = |kept: KeptLogin| {
        kept.user == login.user && std::mem::discriminant(&kept.secret) == std::mem::discriminant(&login.secret)
    };
    if kept.is_some_and(is_same) {
        logins.remove(&login.server).await?;
    }
    Ok(())
}

/// Closes a hub in a bounded time.
pub(crate) async fn close(backend: &dyn Backend) {
    if tokio::time::timeout(CLOSING, backend.close()).await.is_err() {
        tracing::warn!(target: "svc::tui", "the hub could not be closed in time");
    }
}

/// Logs in through a browser on any machine: `announce` gets the text for the person. Waits until they have decided.
/// The login acts as one of their agents, and is kept.
pub(crate) async fn log_in_with_device(target: &Target, announce: impl FnOnce(&str) + Send) -> Result<KeptLogin> {
    let Target::Remote(url) = target else {
        return Err(refused("A login in a browser needs the URL of the hub: use --url instead of --data.".to_owned()));
    };
    let client = client(url)?;
    let begun = client.begin_device_login(CLIENT_NAME).await?;
    announce(&invitation(&begun));
    let tokens = client.finish_device_login(begun).await.map_err(undecided)?;
    let user = client.with_key(&tokens.access_token).whoami().await?.handle;
    let mut login =
        KeptLogin { server: target.server().await, user, secret: KeptSecret::device(&tokens), warning: None };
    login.warning = keep(&login).await.err().map(not_kept);
    Ok(login)
}

/// The text for a person who logs in through a browser.
fn invitation(login: &DeviceLogin) -> String {
    let clean = crate::text::one_line;
    let address = clean(login.verification_uri_complete().unwrap_or(login.verification_uri()));
    format!(
        "Open {address}\nand compare the code {}. Log in there and choose one of your agents:\n\
         this program will act as that agent. To act as yourself, log in with your password instead.",
        clean(login.user_code())
    )
}

/// A person who refused, or did not decide in time.
fn undecided(error: svc_client::ClientError) -> Failure {
    match error.code() {
        Some("access_denied") => refused("The login was denied in the browser.".to_owned()),
        Some("expired_token") => refused("Nobody entered the code in time: try again.".to_owned()),
        _ => error.into(),
    }
}

/// The way to a hub, and the file for its login.
struct Door<'t> {
    target: &'t Target,
    logins: Option<Logins>,
}

impl Door<'_> {
    async fn connect(self, credentials: Credentials) -> Result<(Arc<dyn Backend>, KeptLogin)> {
        match self.target {
            Target::Remote(url) => self.remote(url, credentials).await,
            Target::Store(config) => self.store(config, credentials).await,
        }
    }

    async fn remote(self, url: &Url, credentials: Credentials) -> Result<(Arc<dyn Backend>, KeptLogin)> {
        let client = client(url)?;
        let login = match credentials {
            Credentials::Password { username, password } => {
                let (_, session) = client.log_in(&username, &password).await?;
                self.kept(session.user.username, KeptSecret::Session { token: session.token }).await
            }
            Credentials::Key(token) => {
                let user = client.clone().with_key(&token).whoami().await?.handle;
                self.login(user, KeptSecret::Key { token }).await
            }
            Credentials::Kept(login) => login,
        };
        Ok((Arc::new(Remote::new(client, &login, self.logins)), login))
    }

    async fn store(self, config: &HubConfig, credentials: Credentials) -> Result<(Arc<dyn Backend>, KeptLogin)> {
        let hub = local::open(config.clone()).await?;
        let entered = self.enter(&hub, credentials).await;
        if entered.is_err() {
            hub.close().await;
        }
        let (credential, login) = entered?;
        Ok((Arc::new(Local::new(credential)), login))
    }

    async fn enter(&self, hub: &Hub, credentials: Credentials) -> Result<(LocalCredential, KeptLogin)> {
        Ok(match credentials {
            Credentials::Password { username, password } => {
                let session = hub.sessions().login_from(&username, &password, None, &local::visit()).await?;
                let token = session.token.reveal().to_owned();
                let login = self.kept(session.user.username, KeptSecret::Session { token }).await;
                (LocalCredential::of(hub, &login.secret), login)
            }
            Credentials::Key(token) => {
                let secret = KeptSecret::Key { token };
                let credential = LocalCredential::of(hub, &secret);
                let user = credential.caller().await?.identity().map(|identity| identity.handle);
                (credential, self.login(user.unwrap_or_default(), secret).await)
            }
            Credentials::Kept(login) => {
                let credential = LocalCredential::of(hub, &login.secret);
                credential.caller().await?;
                (credential, login)
            }
        })
    }

    /// A login, after it was written to the file.
    async fn kept(&self, user: String, secret: KeptSecret) -> KeptLogin {
        let mut login = self.login(user, secret).await;
        let written = match &self.logins {
            Some(logins) => logins.put(login.clone()).await.map_err(Failure::from),
            None => Err(refused("The variable HOME is not set.".to_owned())),
        };
        login.warning = written.err().map(not_kept);
        login
    }

    async fn login(&self, user: String, secret: KeptSecret) -> KeptLogin {
        KeptLogin { server: self.target.server().await, user, secret, warning: None }
    }
}

fn client(url: &Url) -> Result<Client> {
    Ok(Client::interactive(url.as_str(), PROGRAM)?)
}

#[expect(clippy::needless_pass_by_value, reason = "it is the end of an error")]
fn not_kept(failure: Failure) -> String {
    format!("The login is not kept. {}", failure.message)
}

fn refused(message: String) -> Failure {
    Failure::from(Error::new(ErrorKind::Invalid, "login", message))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use svc_core::Caller;
    use svc_core::agents::{AgentSettings, NewAgent};
    use svc_core::live::LiveBody;
    use svc_core::messages::NewMessage;
    use svc_core::traces::TraceFilter;
    use tempfile::TempDir;

    use super::*;
    use crate::backend::Place;
    use crate::location::HubLocation;

    /// The store of a hub with an agent, and a place for logins.
    struct Home {
        directory: TempDir,
        target: Target,
        password: String,
        key: String,
    }

    impl Home {
        async fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let data = directory.path().join("data");
            let target = target(&data);
            let hub = Hub::open(HubConfig { bcrypt_cost: 4, ..HubConfig::at(&data) }).await.unwrap();
            let password = hub.first_admin().unwrap().password.reveal().to_owned();
            let owner = Some("admin".parse().unwrap());
            let agent = NewAgent { name: "scout".parse().unwrap(), owner, settings: AgentSettings::default() };
            let key = hub.agents().create(&Caller::root(), agent).await.unwrap().key;
            hub.close().await;
            Self { directory, target, password, key }
        }

        fn logins(&self) -> Logins {
            Logins::at(&self.directory.path().join("config"))
        }

        async fn connect(&self, credentials: Credentials) -> Result<(Arc<dyn Backend>, KeptLogin)> {
            Door { target: &self.target, logins: Some(self.logins()) }.connect(credentials).await
        }

        async fn log_in(&self, password: &str) -> Result<(Arc<dyn Backend>, KeptLogin)> {
            self.connect(Credentials::Password { username: "admin".into(), password: password.into() }).await
        }
    }

    fn target(data: &Path) -> Target {
        HubLocation { data: Some(data.into()), ..HubLocation::default() }.target().unwrap()
    }

    #[tokio::test]
    async fn a_login_on_a_store_is_kept_until_it_ends() {
        let home = Home::new().await;
        let wrong = home.log_in("wrong").await.map(drop).unwrap_err();
        assert_eq!((wrong.cause, wrong.code.as_str()), (Cause::LoggedOut, "invalid_credentials"));
        let (hub, login) = home.log_in(&home.password).await.unwrap();
        assert_eq!((login.user.as_str(), &login.warning), ("admin", &None));
        let kept = home.logins().get(&login.server).await.unwrap().unwrap();
        assert_eq!(kept, login);
        let (again, _) = home.connect(Credentials::Kept(kept.clone())).await.unwrap();
        assert_eq!(again.whoami().await.unwrap().handle, "admin");

        let mut feed = hub.follow(None).await.unwrap();
        assert!(matches!(feed.next().await.unwrap().unwrap().body, LiveBody::Hello(_)));
        // Another process on the store.
        again.log_out().await.unwrap();
        assert_eq!(hub.whoami().await.unwrap_err().cause, Cause::LoggedOut);
        assert_eq!(home.connect(Credentials::Kept(kept)).await.map(drop).unwrap_err().cause, Cause::LoggedOut);
    }

    #[tokio::test]
    async fn a_login_that_ends_is_forgotten_and_another_one_stays() {
        let home = Home::new().await;
        let logins = home.logins();
        let (hub, login) = home.log_in(&home.password).await.unwrap();
        let (with_key, key) = home.connect(Credentials::Key(home.key.clone())).await.unwrap();
        end(with_key.as_ref(), &key, Some(&logins)).await.unwrap();
        assert_eq!(logins.get(&login.server).await.unwrap().as_ref(), Some(&login), "it is not that of the key");
        end(hub.as_ref(), &login, Some(&logins)).await.unwrap();
        assert_eq!(logins.get(&login.server).await.unwrap(), None);
        assert_eq!(hub.whoami().await.unwrap_err().cause, Cause::LoggedOut);
        end(hub.as_ref(), &login, Some(&logins)).await.expect("a login that has ended can be ended");
    }

    #[tokio::test]
    async fn a_store_that_is_closed_has_all_traces() {
        let home = Home::new().await;
        let (hub, _) = home.log_in(&home.password).await.unwrap();
        hub.send(NewMessage::in_channel("general", "Good night."), "key-1").await.unwrap();
        close(hub.as_ref()).await;
        assert!(hub.whoami().await.is_err(), "the store is closed");
        let Target::Store(config) = &home.target else { unreachable!() };
        let hub = local::open((**config).clone()).await.unwrap();
        let filter = TraceFilter { action: Some("send_message".into()), ..TraceFilter::default() };
        assert_eq!(hub.traces().list(&Caller::root(), filter).await.unwrap().traces.len(), 1);
        hub.close().await;
    }

    #[tokio::test]
    async fn a_message_on_a_store_is_sent_once_and_seen_live() {
        let home = Home::new().await;
        let (hub, _) = home.log_in(&home.password).await.unwrap();
        let mut feed = hub.follow(None).await.unwrap();
        let hello = feed.next().await.unwrap().unwrap();
        let message = NewMessage::in_channel("general", "Good morning.");
        let sent = hub.send(message.clone(), "key-1").await.unwrap();
        assert_eq!(hub.send(message, "key-1").await.unwrap().id, sent.id);
        let seen = loop {
            if let LiveBody::NewMessage(news) = feed.next().await.unwrap().unwrap().body {
                break news;
            }
        };
        assert_eq!(seen.message_id, sent.id);
        let timeline = hub.timeline(&Place::Channel("general".into()), None, 5).await.unwrap();
        assert_eq!(timeline.messages.last().unwrap().id, sent.id);
        let mut resumed = hub.follow(hello.seq).await.unwrap();
        while !matches!(resumed.next().await.unwrap().unwrap().body, LiveBody::NewMessage(_)) {}
    }

    #[tokio::test]
    async fn a_key_acts_as_its_agent_and_is_not_kept() {
        let home = Home::new().await;
        let (hub, login) = home.connect(Credentials::Key(home.key.clone())).await.unwrap();
        assert_eq!((login.user.as_str(), hub.whoami().await.unwrap().handle.as_str()), ("scout", "scout"));
        assert_eq!(home.logins().get(&login.server).await.unwrap(), None);
        let unknown = home.connect(Credentials::Key("svca_wrong".into())).await.map(drop).unwrap_err();
        assert_eq!(unknown.cause, Cause::LoggedOut);
    }

    #[tokio::test]
    async fn a_login_that_cannot_be_kept_works() {
        let home = Home::new().await;
        tokio::fs::write(home.directory.path().join("config"), "not a directory").await.unwrap();
        let (hub, login) = home.log_in(&home.password).await.unwrap();
        assert!(login.warning.unwrap().starts_with("The login is not kept. "));
        assert_eq!(hub.whoami().await.unwrap().handle, "admin");
    }

    #[tokio::test]
    async fn a_missing_store_is_not_created() {
        let home = tempfile::tempdir().unwrap();
        let missing = target(&home.path().join("data"));
        let failure = connect(&missing, Credentials::Key("svca_x".into())).await.map(drop).unwrap_err();
        assert!(failure.message.contains("does not exist"), "{failure}");
        assert!(!tokio::fs::try_exists(home.path().join("data")).await.unwrap());
    }

    #[tokio::test]
    async fn a_login_in_a_browser_needs_a_url() {
        let refusal = log_in_with_device(&target(Path::new("/data")), |_| ()).await.unwrap_err();
        assert!(refusal.message.contains("--url"), "{refusal}");
    }
}
