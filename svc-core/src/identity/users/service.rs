//! The account service, and helpers of its parts.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::users::{User, UserFilter, UserPage};

use super::store;
use crate::clock::{Clock, Entropy};
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller, Passwords};
use crate::identity::participants;
use crate::ids::ParticipantId;
use crate::limits;
use crate::names::{Username, display_name};
use crate::page::Page;
use crate::store::db::{Db, Tx};

/// The accounts of a hub; see [`Hub::users`](crate::Hub::users).
#[derive(Clone)]
pub struct Users {
    pub(crate) db: Db,
    pub(super) passwords: Passwords,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) login_attempts: u32,
}

#[boxed_futures]
impl Users {
    pub(crate) fn new(
        db: Db,
        passwords: Passwords,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        login_attempts: u32,
    ) -> Self {
        Self { db, passwords, clock, entropy, login_attempts }
    }

    /// Lists accounts by name. For admins.
    pub async fn list(&self, caller: &Caller, page: Page) -> Result<UserPage> {
        self.search(caller, UserFilter { q: None, page }).await
    }

    /// Lists the accounts whose handle or display name contains a text, by name. For admins.
    pub async fn search(&self, caller: &Caller, filter: UserFilter) -> Result<UserPage> {
        caller.require_admin()?;
        let is_bad = |words: &String| words.chars().count() > limits::DIRECTORY_QUERY_MAX || words.contains('\0');
        if filter.q.as_ref().is_some_and(is_bad) {
            let rule = format!("must be at most {} characters, without NUL", limits::DIRECTORY_QUERY_MAX);
            return Err(Error::invalid("q", rule));
        }
        let pattern = filter.q.as_deref().map(participants::pattern).unwrap_or_default();
        self.db
            .read((pattern, filter.page), |tx, (pattern, page)| {
                Box::pin(async move {
                    let users = store::list(tx, pattern, *page).await?;
                    let total = store::count(tx, pattern).await?;
                    Ok(UserPage { users, total })
                })
            })
            .await
    }

    /// Returns an account. For admins.
    pub async fn get(&self, caller: &Caller, username: &str) -> Result<User> {
        caller.require_admin()?;
        let username = username.to_owned();
        self.db.read(username, |tx, username| Box::pin(existing(tx, username))).await
    }

    /// Returns the caller's account.
    pub async fn me(&self, caller: &Caller) -> Result<User> {
        let Actor::User(user) = caller.actor() else {
            return Err(Error::not_found("user"));
        };
        let id = user.id;
        self.db.read(id, |tx, id| Box::pin(store::get(tx, *id))).await?.ok_or_else(|| Error::not_found("user"))
    }

    /// Changes the display name of the caller's account.
    pub async fn rename(&self, caller: &Caller, new_name: &str) -> Result<User> {
        let (user, _) = caller.require_session()?;
        let new_name = display_name("display_name", new_name)?;
        self.db
            .write((user.id, new_name), |tx, (id, new_name)| {
                Box::pin(async move {
                    participants::set_display_name(tx, ParticipantId(id.0), new_name).await?;
                    store::get(tx, *id).await?.ok_or_else(|| Error::not_found("user"))
                })
            })
            .await
    }
}

/// Finds the account with this name.
pub(super) async fn existing(tx: &mut Tx, username: &str) -> Result<User> {
    // A text that is not a valid name matches no account.
    if username.parse::<Username>().is_err() {
        return Err(Error::not_found("user"));
    }
    store::find(tx, username).await?.ok_or_else(|| Error::not_found("user"))
}

/// The display name: the requested one, or the handle.
pub(super) fn shown_name(asked: Option<&str>, username: &Username) -> Result<String> {
    match asked {
        Some(text) => display_name("display_name", text),
        None => Ok(username.as_str().to_owned()),
    }
}
