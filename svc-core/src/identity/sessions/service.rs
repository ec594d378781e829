//! Listing and ending of sessions.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::sessions::{Session, SessionList};

use super::store::{self, devices};
use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Passwords, Visit};
use crate::identity::users;
use crate::ids::{SessionId, UserId};
use crate::store::db::{Db, Tx};

/// The sessions of a hub; see [`Hub::sessions`](crate::Hub::sessions).
#[derive(Clone)]
pub struct Sessions {
    pub(super) db: Db,
    pub(super) passwords: Passwords,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) lasts: Duration,
    pub(super) login_attempts: u32,
}

#[boxed_futures]
impl Sessions {
    pub(crate) fn new(
        db: Db,
        passwords: Passwords,
        entropy: Arc<dyn Entropy>,
        lasts: Duration,
        login_attempts: u32,
    ) -> Self {
        Self { db, passwords, entropy, lasts, login_attempts }
    }

    /// Lists the caller's own sessions.
    pub async fn list(&self, caller: &Caller) -> Result<SessionList> {
        let (user, current) = caller.require_session()?;
        self.of(user.id, Some(current)).await
    }

    /// Lists the sessions of any account. For operators.
    pub async fn list_of(&self, caller: &Caller, username: &str) -> Result<SessionList> {
        caller.require_root()?;
        let user = self.account(username).await?;
        self.of(user.id, None).await
    }

    async fn of(&self, user: UserId, current: Option<SessionId>) -> Result<SessionList> {
        let rows = self.db.read(user, |tx, user| Box::pin(store::of_user(tx, *user))).await?;
        let sessions: Vec<Session> = rows
            .into_iter()
            .map(|row| Session {
                id: row.id,
                remote_ip: row.remote_ip,
                user_agent: row.user_agent,
                created_at: row.created_at,
                seen_at: row.seen_at,
                expires_at: row.expires_at,
                current: Some(row.id) == current,
            })
            .collect();
        let total = i64::try_from(sessions.len()).unwrap_or(i64::MAX);
        Ok(SessionList { sessions, total })
    }

    /// Ends the current session.
    pub async fn logout(&self, caller: &Caller) -> Result<()> {
        let (_, session) = caller.require_session()?;
        match self.end_one(caller, session, Browser::StaysKnown).await {
            // Another request has ended it already.
            Err(error) if error.code() == "not_found" => Ok(()),
            other => other,
        }
    }

    /// Ends one of the caller's sessions and forgets its browser.
    pub async fn end(&self, caller: &Caller, session: SessionId) -> Result<()> {
        self.end_one(caller, session, Browser::Forgotten).await
    }

    async fn end_one(&self, caller: &Caller, session: SessionId, browser: Browser) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let input = (user.id, session, browser, NewEntry::by(AuditEvent::SessionDestroyed, caller));
        self.db
            .write(input, |tx, (user, session, browser, entry)| {
                Box::pin(async move {
                    if *browser == Browser::Forgotten {
                        devices::forget_of(tx, *user, *session).await?;
                    }
                    if !store::delete(tx, *user, *session).await? {
                        return Err(Error::not_found("session"));
                    }
                    audit::record(tx, &entry.clone().detail("session_id", session.0)).await
                })
            })
            .await
    }

    /// Ends all of the caller's sessions, including the current one.
    pub async fn end_all(&self, caller: &Caller) -> Result<()> {
        let (user, _) = caller.require_session()?;
        let input = (user.id, user.username.to_string(), caller.visit().clone());
        self.db
            .write(input, |tx, (user, username, visit)| {
                Box::pin(async move { end_all(tx, *user, username, visit).await.map(drop) })
            })
            .await
    }

    /// Ends all sessions of any account and returns their number. For operators.
    pub async fn end_all_of(&self, caller: &Caller, username: &str) -> Result<usize> {
        caller.require_root()?;
        let user = self.account(username).await?;
        let input = (user.id, user.username, caller.visit().clone());
        self.db.write(input, |tx, (user, username, visit)| Box::pin(end_all(tx, *user, username, visit))).await
    }

    async fn account(&self, username: &str) -> Result<users::User> {
        self.db
            .read(username.to_owned(), |tx, username| Box::pin(users::store::find(tx, username)))
            .await?
            .ok_or_else(|| Error::not_found("user"))
    }
}

/// Whether the browser of an ended session is kept or forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Browser {
    StaysKnown,
    Forgotten,
}

/// Ends all sessions of an account in this transaction, and forgets its browsers.
pub(crate) async fn end_all(tx: &mut Tx, user: UserId, username: &str, visit: &Visit) -> Result<usize> {
    devices::forget_all(tx, user).await?;
    end(tx, user, username, None, visit).await
}

/// Ends all sessions of an account but one, and forgets its browsers.
pub(crate) async fn end_others(
    tx: &mut Tx,
    user: UserId,
    username: &str,
    spared: SessionId,
    visit: &Visit,
) -> Result<usize> {
    devices::forget_all(tx, user).await?;
    end(tx, user, username, Some(spared), visit).await
}

async fn end(tx: &mut Tx, user: UserId, username: &str, spared: Option<SessionId>, visit: &Visit) -> Result<usize> {
    let ended = store::delete_all(tx, user, spared).await?;
    for session in &ended {
        let entry = NewEntry::new(AuditEvent::SessionDestroyed, visit).about(user, username);
        audit::record(tx, &entry.detail("session_id", session.0)).await?;
    }
    Ok(ended.len())
}
