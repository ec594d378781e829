//! Password changes by the owner, who knows the old password, by an operator, or with a link that an admin made.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::users::User;

use super::accounts::{held, keep_an_admin};
use super::model::PasswordReset;
use super::service::{Users, existing};
use super::store::{self, Login};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::auth::{Caller, Password, Passwords, Token, TokenKind, Visit};
use crate::identity::{api_keys, oauth, sessions};
use crate::ids::SessionId;
use crate::limits;
use crate::store::db::{Db, Tx};

#[boxed_futures]
impl Users {
    /// Changes the caller's password. All other sessions of the account end, and its browsers are forgotten;
    /// with `end_keys`, all managed keys and all OAuth grants end as well.
    pub async fn change_password(&self, caller: &Caller, current: &str, new: Password, end_keys: bool) -> Result<()> {
        let (user, session) = caller.require_session()?;
        // Guessing with a stolen cookie is delayed like guessing at the login, but counted separately.
        let slot = self.passwords.reserve()?;
        let subjects = Subjects::change(user.id, self.login_attempts);
        backoff::attempt(&self.db, subjects.clone()).await?;
        let username = user.username.to_string();
        let login = self.db.read(username, |tx, username| Box::pin(store::find_login(tx, username))).await?;
        let login = login.ok_or_else(|| Error::not_found("user"))?;
        if !self.passwords.verify(slot, current, login.password_hash.as_deref()).await? {
            let entry = NewEntry::by(AuditEvent::LoginFailure, caller).detail("reason", "wrong_current_password");
            self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await?;
            return Err(Error::invalid("current_password", "is not the current password"));
        }
        let hash = self.passwords.hash(new.reveal()).await?;
        let change = Change { login, hash, session, subjects, end_keys, caller: caller.clone() };
        self.db.write(change, |tx, change| Box::pin(change.run(tx))).await
    }

    /// Sets a password as an operator, or generates one, which is returned. All sessions end.
    pub async fn set_password(
        &self,
        caller: &Caller,
        username: &str,
        new: Option<Password>,
    ) -> Result<Option<Password>> {
        caller.require_root()?;
        let made = new.is_none().then(|| Password::random(self.entropy.as_ref()));
        let Some(password) = new.or_else(|| made.clone()) else {
            return Err(Error::internal("no password was given or generated"));
        };
        let hash = self.passwords.hash(password.reveal()).await?;
        self.db
            .write((username.to_owned(), hash, caller.clone()), |tx, (username, hash, caller)| {
                Box::pin(async move {
                    let user = existing(tx, username).await?;
                    store::hold(tx, user.id).await?;
                    store::set_password(tx, user.id, hash).await?;
                    sessions::end_all(tx, user.id, &user.username, caller.visit()).await?;
                    let entry = NewEntry::by(AuditEvent::PasswordChanged, caller);
                    audit::record(tx, &entry.about(user.id, &user.username)).await
                })
            })
            .await?;
        Ok(made)
    }

    /// Makes a link with which the owner of an account chooses a new password. The old password and all sessions end
    /// at once; keys and agents stay. Only the last link of an account is valid. For [`Caller::root`], and for admins
    /// whose session is confirmed.
    pub async fn reset_password(&self, caller: &Caller, username: &str) -> Result<PasswordReset> {
        caller.require_operator(self.clock.now())?;
        let token = Token::mint(TokenKind::Reset, self.entropy.as_ref());
        let input = (username.to_owned(), token.hash(), caller.clone());
        let (user, expires_at) = self
            .db
            .write(input, |tx, (username, hash, caller)| {
                Box::pin(async move {
                    let user = held(tx, username).await?;
                    if caller.owner() == Some(user.id) {
                        return Err(Error::conflict(
                            "own_account",
                            "This is your own account: change your password in the settings.",
                        ));
                    }
                    if user.disabled_at.is_some() {
                        return Err(Error::conflict("account_disabled", "This account is disabled: enable it first."));
                    }
                    // Until the link is used, this account cannot log in.
                    keep_an_admin(tx, &user).await?;
                    let expires_at = tx.now().plus(limits::RESET_TTL);
                    store::withhold_password(tx, user.id).await?;
                    store::put_reset(tx, user.id, hash, expires_at).await?;
                    sessions::end_all(tx, user.id, &user.username, caller.visit()).await?;
                    let entry = NewEntry::by(AuditEvent::PasswordReset, caller).about(user.id, &user.username);
                    audit::record(tx, &entry).await?;
                    Ok((user, expires_at))
                })
            })
            .await?;
        Ok(PasswordReset { user, token, expires_at })
    }

    /// Fails with `reset_required` unless this link can still be used. A caller without a link costs no hash.
    pub async fn check_reset(&self, reset: &str) -> Result<()> {
        open_reset(&self.db, reset).await.map(drop)
    }
}

async fn open_reset(db: &Db, reset: &str) -> Result<Vec<u8>> {
    let hash = Token::parse_as(TokenKind::Reset, reset).ok_or_else(reset_required)?.hash();
    let found = db.read(hash.clone(), |tx, hash| Box::pin(store::open_reset(tx, hash))).await?;
    found.map(|_| hash).ok_or_else(reset_required)
}

fn reset_required() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "reset_required",
        "This link was used, has expired, or was replaced by a newer one: ask an admin of this hub for another.",
    )
}

/// A new password that was chosen with a link, to be stored in a transaction.
pub(crate) struct ChosenPassword {
    reset: Vec<u8>,
    password_hash: String,
    visit: Visit,
}

impl ChosenPassword {
    /// Checks the link and hashes the password. A caller without a link costs no hash.
    pub(crate) async fn prepare(
        db: &Db,
        passwords: &Passwords,
        reset: &str,
        new: &Password,
        visit: Visit,
    ) -> Result<Self> {
        let reset = open_reset(db, reset).await?;
        Ok(Self { reset, password_hash: passwords.hash(new.reveal()).await?, visit })
    }

    /// Stores the password. Of concurrent calls one succeeds.
    pub(crate) async fn run(&self, tx: &mut Tx) -> Result<User> {
        let user = store::open_reset(tx, &self.reset).await?.ok_or_else(reset_required)?;
        store::hold(tx, user.id).await?;
        if !store::take_reset(tx, &self.reset).await? {
            return Err(reset_required());
        }
        // The account may have been disabled before it was locked.
        let user = existing(tx, &user.username).await?;
        if user.disabled_at.is_some() {
            return Err(reset_required());
        }
        store::set_password(tx, user.id, &self.password_hash).await?;
        sessions::end_all(tx, user.id, &user.username, &self.visit).await?;
        let mut entry = NewEntry::new(AuditEvent::PasswordChanged, &self.visit).about(user.id, &user.username);
        entry.actor = Some(user.username.clone());
        audit::record(tx, &entry.detail("by", "reset_link")).await?;
        Ok(user)
    }
}

/// The writes after the old password was verified.
struct Change {
    login: Login,
    hash: String,
    session: SessionId,
    subjects: Subjects,
    end_keys: bool,
    caller: Caller,
}

impl Change {
    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Login { id, username, .. } = &self.login;
        // Both may have ended while the hashes were computed. Changing the password confirms the session.
        if !store::hold_unchanged(tx, &self.login).await? || !sessions::confirm(tx, *id, self.session).await? {
            return Err(Error::conflict("password_changed", "The password was just changed elsewhere. Log in again."));
        }
        store::set_password(tx, *id, &self.hash).await?;
        backoff::record_success(tx, &self.subjects).await?;
        sessions::end_others(tx, *id, username, self.session, self.caller.visit()).await?;
        if self.end_keys {
            api_keys::end_managed_of(tx, &self.caller, *id).await?;
            oauth::ending::end_each_of_user(tx, &self.caller, *id).await?;
        }
        audit::record(tx, &NewEntry::by(AuditEvent::PasswordChanged, &self.caller)).await
    }
}
