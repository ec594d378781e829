//! Confirmation of a session by entering the password again.
//!
//! Invariants: an older session cannot create keys until its human has entered the password again; a wrong
//! password is counted like a failed login, but separately.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;

use super::login::wrong_credentials;
use super::service::Sessions;
use super::store;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::identity::auth::backoff::{self, Subjects};
use crate::identity::users::store::{self as users, Login};
use crate::ids::SessionId;
use crate::store::db::Tx;

#[boxed_futures]
impl Sessions {
    /// Checks the caller's password; their session may create keys for a while.
    pub async fn confirm(&self, caller: &Caller, password: &str) -> Result<()> {
        let (user, session) = caller.require_session()?;
        let slot = self.passwords.reserve()?;
        let subjects = Subjects::change(user.id, self.login_attempts);
        backoff::attempt(&self.db, subjects.clone()).await?;
        let username = user.username.to_string();
        let login = self.db.read(username, |tx, username| Box::pin(users::find_login(tx, username))).await?;
        let login = login.ok_or_else(|| Error::not_found("user"))?;
        if !self.passwords.verify(slot, password, login.password_hash.as_deref()).await? {
            let entry = NewEntry::by(AuditEvent::LoginFailure, caller).detail("reason", "wrong_current_password");
            self.db.write(entry, |tx, entry| Box::pin(audit::record(tx, entry))).await?;
            return Err(wrong_credentials());
        }
        let confirm = Confirm { login, session, subjects };
        self.db.write(confirm, |tx, confirm| Box::pin(confirm.run(tx))).await
    }
}

/// The writes after the password was verified.
struct Confirm {
    login: Login,
    session: SessionId,
    subjects: Subjects,
}

impl Confirm {
    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Both may have changed while the hash was computed.
        if !users::hold_unchanged(tx, &self.login).await? || !store::confirm(tx, self.login.id, self.session).await? {
            return Err(wrong_credentials());
        }
        backoff::record_success(tx, &self.subjects).await
    }
}
