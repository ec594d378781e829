//! Logging in.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::sessions::Session;
use svc_model::users::User;

use super::service::Sessions;
use super::{devices, store};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::identity::users::store::{self as users, Login};
use crate::ids::{DeviceId, SessionId};
use crate::names::Username;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A login that began.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// What the browser has to present.
    pub token: Token,
    /// What the browser shows at its next login, so that it does not wait for the guesses of others.
    pub browser: Token,
    /// Whose it is.
    pub user: User,
    /// The session.
    pub session: Session,
}

#[boxed_futures]
impl Sessions {
    /// Checks a name and a password and begins a session. A name that does not exist and a password
    /// that is wrong get the same answer after the same time.
    pub async fn login(&self, username: &str, password: &str, visit: &Visit) -> Result<NewSession> {
        self.login_from(username, password, None, visit).await
    }

    /// The same from a browser that shows what it was given at its last login. What others guess does not
    /// make it wait.
    pub async fn login_from(
        &self,
        username: &str,
        password: &str,
        browser: Option<&str>,
        visit: &Visit,
    ) -> Result<NewSession> {
        // Whoever finds no place in line has not tried.
        let place = self.passwords.place()?;
        let device = self.known_browser(username, browser).await?;
        let subjects = match device {
            Some(device) => Subjects::known_browser(device, self.login_attempts),
            None => Subjects::login(username, visit, self.login_attempts),
        };
        backoff::attempt(&self.db, subjects.clone()).await?;
        let login = match username.parse::<Username>() {
            Ok(name) => self.db.read(name, |tx, name| Box::pin(users::find_login(tx, name.as_str()))).await?,
            // What is no username is nobody's, and is not even looked for.
            Err(_) => None,
        };
        let hash = login.as_ref().and_then(|login| login.password_hash.clone());
        let right = self.passwords.verify(place, password, hash.as_deref()).await?;
        let (Some(login), Some(hash), true) = (login.clone(), hash, right) else {
            return Err(self.refuse(login.as_ref(), visit, "wrong_credentials", wrong_credentials()).await?);
        };
        if login.disabled_at.is_some() {
            let refusal = Error::new(
                ErrorKind::Forbidden,
                "account_disabled",
                "This account is disabled: ask whoever runs this hub.",
            );
            return Err(self.refuse(Some(&login), visit, "disabled", refusal).await?);
        }
        // A better hash can wait for a calmer moment.
        let better = if self.passwords.is_outdated(&hash) { self.passwords.hash(password).await.ok() } else { None };
        let token = Token::mint(TokenKind::Session, self.entropy.as_ref());
        let browser = Token::mint(TokenKind::Browser, self.entropy.as_ref());
        let begin = Begin {
            login,
            hash,
            better,
            token: token.clone(),
            device,
            browser: browser.clone(),
            visit: visit.clone(),
            subjects,
            lasts: self.lasts,
        };
        let (user, session) = self.db.write(begin, |tx, begin| Box::pin(begin.run(tx))).await?;
        Ok(NewSession { token, browser, user, session })
    }

    /// The browser that shows this, if somebody of this name has logged in there.
    async fn known_browser(&self, username: &str, browser: Option<&str>) -> Result<Option<DeviceId>> {
        let shown = browser.and_then(|text| Token::parse_as(TokenKind::Browser, text));
        let (Some(shown), Ok(name)) = (shown, username.parse::<Username>()) else { return Ok(None) };
        self.db.read((shown.hash(), name), |tx, (hash, name)| Box::pin(devices::find(tx, hash, name.as_str()))).await
    }

    /// Records a failed attempt and hands the refusal back. A name that is nobody's is not kept: it
    /// may be a password that was typed in the wrong place.
    async fn refuse(
        &self,
        login: Option<&Login>,
        visit: &Visit,
        reason: &'static str,
        refusal: Error,
    ) -> Result<Error> {
        let mut entry = NewEntry::new(AuditEvent::LoginFailure, visit).detail("reason", reason);
        if let Some(login) = login {
            entry = entry.about(login.id, &login.username);
        }
        self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await?;
        Ok(refusal)
    }
}

/// What is written when a password was right.
struct Begin {
    login: Login,
    hash: String,
    better: Option<String>,
    token: Token,
    device: Option<DeviceId>,
    browser: Token,
    visit: Visit,
    subjects: Subjects,
    lasts: std::time::Duration,
}

impl Begin {
    async fn run(&self, tx: &mut Tx) -> Result<(User, Session)> {
        // The account may have changed while the hash was computed.
        if !users::hold_unchanged(tx, &self.login).await? {
            return Err(wrong_credentials());
        }
        let login = self.login.clone();
        if let Some(better) = &self.better {
            users::refresh_hash(tx, login.id, &self.hash, better).await?;
        }
        backoff::forgive(tx, &self.subjects).await?;
        store::make_room(tx, login.id).await?;
        let expires_at = tx.now().plus(self.lasts);
        let device = devices::remember(tx, login.id, self.device, &self.browser.hash()).await?;
        let id = store::insert(tx, login.id, &self.token.hash(), &self.visit, device, expires_at).await?;
        let entry = |event| NewEntry::new(event, &self.visit).about(login.id, &login.username);
        audit::record(tx, &entry(AuditEvent::LoginSuccess)).await?;
        audit::record(tx, &entry(AuditEvent::SessionCreated).detail("session_id", id.0)).await?;
        let session = self.session(id, tx.now(), expires_at);
        Ok((login.into_user(), session))
    }

    fn session(&self, id: SessionId, created_at: Timestamp, expires_at: Timestamp) -> Session {
        Session {
            id,
            remote_ip: self.visit.remote_ip.map(|address| address.to_string()),
            user_agent: self.visit.kept_user_agent(),
            created_at,
            seen_at: created_at,
            expires_at,
            current: true,
        }
    }
}

pub(super) fn wrong_credentials() -> Error {
    Error::new(ErrorKind::Unauthenticated, "invalid_credentials", "The username or the password is wrong.")
}
