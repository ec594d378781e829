//! Password changes by the owner, who knows the old password, or by an operator.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;

use super::service::{Users, existing};
use super::store::{self, Login};
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::auth::{Caller, Password};
use crate::identity::{api_keys, oauth, sessions};
use crate::ids::SessionId;
use crate::store::db::Tx;

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
                    let entry = NewEntry::new(AuditEvent::PasswordChanged, caller.visit());
                    audit::record(tx, &entry.about(user.id, &user.username)).await
                })
            })
            .await?;
        Ok(made)
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
