//! Login with a name and a password.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::sessions::Session;
use svc_model::users::User;

use super::arrival::{Arrival, NewSession};
use super::service::Sessions;
use super::store::devices;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::identity::users::store::{self as users, Login};
use crate::ids::DeviceId;
use crate::names::Username;
use crate::store::db::Tx;

#[boxed_futures]
impl Sessions {
    /// Checks a name and a password and begins a session. An unknown name and a wrong password get the same
    /// error after the same time.
    pub async fn login(&self, username: &str, password: &str, visit: &Visit) -> Result<NewSession> {
        self.login_from(username, password, None, visit).await
    }

    /// Logs in from a browser that presents the token of its last login. Failed logins from elsewhere do not
    /// delay it.
    pub async fn login_from(
        &self,
        username: &str,
        password: &str,
        browser: Option<&str>,
        visit: &Visit,
    ) -> Result<NewSession> {
        // A request that finds the queue full does not count as an attempt.
        let slot = self.passwords.reserve()?;
        let device = self.known_browser(username, browser).await?;
        let subjects = match device {
            Some(device) => Subjects::known_browser(device, self.login_attempts),
            None => Subjects::login(username, visit, self.login_attempts),
        };
        backoff::attempt(&self.db, subjects.clone()).await?;
        let login = match username.parse::<Username>() {
            Ok(name) => self.db.read(name, |tx, name| Box::pin(users::find_login(tx, name.as_str()))).await?,
            // A text that is not a valid username is not looked up.
            Err(_) => None,
        };
        let hash = login.as_ref().and_then(|login| login.password_hash.clone());
        let right = self.passwords.verify(slot, password, hash.as_deref()).await?;
        let (Some(login), Some(hash), true) = (login.clone(), hash, right) else {
            return Err(self.refuse(login.as_ref(), visit, "wrong_credentials", wrong_credentials()).await?);
        };
        if login.disabled_at.is_some() {
            let refusal = Error::new(
                ErrorKind::Forbidden,
                "account_disabled",
                "This account is disabled: ask an operator of this hub.",
            );
            return Err(self.refuse(Some(&login), visit, "disabled", refusal).await?);
        }
        // Upgrading the hash can wait for a less busy moment.
        let better = if self.passwords.is_outdated(&hash) { self.passwords.hash(password).await.ok() } else { None };
        let arrival = Arrival::new(self, device, visit);
        let start = SessionStart { login, hash, better, subjects, arrival: arrival.clone() };
        let (user, session) = self.db.write(start, |tx, start| Box::pin(start.run(tx))).await?;
        Ok(arrival.begun(user, session))
    }

    /// Finds the browser with this token, if the user with this name has logged in there.
    async fn known_browser(&self, username: &str, browser: Option<&str>) -> Result<Option<DeviceId>> {
        let shown = browser.and_then(|text| Token::parse_as(TokenKind::Browser, text));
        let (Some(shown), Ok(name)) = (shown, username.parse::<Username>()) else { return Ok(None) };
        self.db.read((shown.hash(), name), |tx, (hash, name)| Box::pin(devices::find(tx, hash, name.as_str()))).await
    }

    /// Records a failed attempt and returns the error. An unknown name is not stored: it may be a password
    /// that was typed into the wrong field.
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

/// The writes after the password was verified.
struct SessionStart {
    login: Login,
    hash: String,
    better: Option<String>,
    subjects: Subjects,
    arrival: Arrival,
}

impl SessionStart {
    async fn run(&self, tx: &mut Tx) -> Result<(User, Session)> {
        // The account may have changed while the hash was computed.
        if !users::hold_unchanged(tx, &self.login).await? {
            return Err(wrong_credentials());
        }
        let login = self.login.clone();
        if let Some(better) = &self.better {
            users::refresh_hash(tx, login.id, &self.hash, better).await?;
        }
        backoff::record_success(tx, &self.subjects).await?;
        let session = self.arrival.begin(tx, login.id, &login.username).await?;
        Ok((login.into_user(), session))
    }
}

pub(super) fn wrong_credentials() -> Error {
    Error::new(ErrorKind::Unauthenticated, "invalid_credentials", "The username or the password is wrong.")
}
