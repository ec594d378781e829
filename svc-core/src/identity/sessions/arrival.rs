//! The beginning of a session, in the transaction that allows it.

use std::time::Duration;

use svc_model::audit::AuditEvent;
use svc_model::sessions::Session;
use svc_model::users::User;

use super::service::Sessions;
use super::store::{self, devices};
use crate::error::Result;
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Token, TokenKind, Visit};
use crate::ids::{DeviceId, UserId};
use crate::store::db::Tx;

/// A new session.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The session token for the browser.
    pub token: Token,
    /// The browser token for the next login, which exempts the browser from delays caused by others.
    pub browser: Token,
    /// The account.
    pub user: User,
    /// The session.
    pub session: Session,
}

/// A session that is about to begin.
#[derive(Clone)]
pub(super) struct Arrival {
    token: Token,
    browser: Token,
    /// The known browser in which it begins.
    device: Option<DeviceId>,
    visit: Visit,
    lasts: Duration,
}

impl Arrival {
    pub(super) fn new(sessions: &Sessions, device: Option<DeviceId>, visit: &Visit) -> Self {
        Self {
            token: Token::mint(TokenKind::Session, sessions.entropy.as_ref()),
            browser: Token::mint(TokenKind::Browser, sessions.entropy.as_ref()),
            device,
            visit: visit.clone(),
            lasts: sessions.lasts,
        }
    }

    /// Begins the session of this account.
    pub(super) async fn begin(&self, tx: &mut Tx, user: UserId, username: &str) -> Result<Session> {
        store::make_room(tx, user).await?;
        let now = tx.now();
        let expires_at = now.plus(self.lasts);
        let device = devices::remember(tx, user, self.device, &self.browser.hash()).await?;
        let id = store::insert(tx, user, &self.token.hash(), &self.visit, device, expires_at).await?;
        let entry = |event| NewEntry::new(event, &self.visit).about(user, username);
        audit::record(tx, &entry(AuditEvent::LoginSuccess)).await?;
        audit::record(tx, &entry(AuditEvent::SessionCreated).detail("session_id", id.0)).await?;
        Ok(Session {
            id,
            remote_ip: self.visit.remote_ip.map(|address| address.to_string()),
            user_agent: self.visit.kept_user_agent(),
            created_at: now,
            seen_at: now,
            expires_at,
            current: true,
        })
    }

    /// The session that has begun, with its tokens.
    pub(super) fn begun(self, user: User, session: Session) -> NewSession {
        NewSession { token: self.token, browser: self.browser, user, session }
    }
}
