//! Account management by an operator or an admin.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::users::{Role, User};

use super::model::{CreatedUser, NewUser, UserUpdate};
use super::service::{Users, existing, shown_name};
use super::store::{self, NewRow};
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Caller, Password};
use crate::identity::{participants, sessions};
use crate::store::db::Tx;

#[boxed_futures]
impl Users {
    /// Creates an account. For [`Caller::root`], and for admins whose session is confirmed.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let created = hub.users().create(&Caller::root(), NewUser::named("ann")?).await?;
    /// if let Some(password) = created.password {
    ///     println!("The password of {} is {}.", created.user.username, password.reveal());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewUser) -> Result<CreatedUser> {
        caller.require_operator(self.clock.now())?;
        let NewUser { username, display_name, role, password } = new;
        let display_name = shown_name(display_name.as_deref(), &username)?;
        let made = password.is_none().then(|| Password::random(self.entropy.as_ref()));
        let Some(password) = password.or_else(|| made.clone()) else {
            return Err(Error::internal("no password was given or generated"));
        };
        let hash = self.passwords.hash(password.reveal()).await?;
        let entry = NewEntry::by(AuditEvent::UserCreated, caller).detail("role", role.as_str());
        let user = self
            .db
            .write((username, display_name, role, hash, entry), |tx, (username, display_name, role, hash, entry)| {
                Box::pin(async move {
                    let row = NewRow { username: username.as_str(), display_name, role: *role, password_hash: hash };
                    let user = store::insert(tx, row).await?.ok_or_else(participants::handle_taken)?;
                    audit::record(tx, &entry.clone().about(user.id, &user.username)).await?;
                    Ok(user)
                })
            })
            .await?;
        Ok(CreatedUser { user, password: made })
    }

    /// Changes the role of an account, or disables or enables it. Disabling ends its sessions at once. For
    /// [`Caller::root`], and for admins whose session is confirmed.
    pub async fn update(&self, caller: &Caller, username: &str, update: UserUpdate) -> Result<User> {
        caller.require_operator(self.clock.now())?;
        self.db
            .write((username.to_owned(), update, caller.clone()), |tx, (username, update, caller)| {
                Box::pin(change(tx, username, *update, caller))
            })
            .await
    }
}

async fn change(tx: &mut Tx, username: &str, update: UserUpdate, caller: &Caller) -> Result<User> {
    let user = held(tx, username).await?;
    let mut entry = NewEntry::by(AuditEvent::UserChanged, caller).about(user.id, &user.username);
    if update.role == Some(Role::User) || update.disabled == Some(true) {
        keep_an_admin(tx, &user).await?;
    }
    if let Some(role) = update.role.filter(|role| *role != user.role) {
        store::set_role(tx, user.id, role).await?;
        entry = entry.detail("role", role.as_str());
    }
    if let Some(disabled) = update.disabled.filter(|disabled| *disabled != user.disabled_at.is_some()) {
        let mut since = None;
        if disabled {
            since = Some(tx.now());
            sessions::end_all(tx, user.id, &user.username, caller.visit()).await?;
        }
        store::set_disabled(tx, user.id, since).await?;
        entry = entry.detail("disabled", disabled);
    }
    if !entry.details.is_empty() {
        audit::record(tx, &entry).await?;
    }
    existing(tx, username).await
}

/// The account, locked for this transaction.
pub(crate) async fn held(tx: &mut Tx, username: &str) -> Result<User> {
    let user = existing(tx, username).await?;
    store::hold(tx, user.id).await?;
    existing(tx, username).await
}

/// Fails if no other admin could log in after this one has left.
pub(crate) async fn keep_an_admin(tx: &mut Tx, leaving: &User) -> Result<()> {
    let counts = leaving.role == Role::Admin && leaving.disabled_at.is_none();
    if counts && store::count_other_admins(tx, leaving.id).await? == 0 {
        return Err(Error::conflict(
            "last_admin",
            "This is the last admin who can log in: make another account an admin first.",
        ));
    }
    Ok(())
}
