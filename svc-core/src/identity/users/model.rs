//! Requests and results of account management.

use std::time::Duration;

use svc_model::users::{Role, User};

use crate::error::Result;
use crate::identity::auth::{Password, Token};
use crate::ids::InviteId;
use crate::names::Username;
use crate::timestamp::Timestamp;

/// The request to create an account.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Its handle.
    pub username: Username,
    /// Its display name; the handle when absent.
    pub display_name: Option<String>,
    /// Its role.
    pub role: Role,
    /// Its password; generated when absent.
    pub password: Option<Password>,
}

impl NewUser {
    /// An account without special rights that gets a generated password.
    pub fn named(username: &str) -> Result<Self> {
        Ok(Self { username: username.parse()?, display_name: None, role: Role::User, password: None })
    }
}

/// A created account.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CreatedUser {
    /// The account.
    pub user: User,
    /// The generated password, to be shown once.
    pub password: Option<Password>,
}

/// The request to create an invitation.
#[derive(Debug, Clone)]
pub struct NewInvite {
    /// The role of the account.
    pub role: Role,
    /// Its validity; `None` is the default.
    pub lasts: Option<Duration>,
    /// A note for the list of invitations, such as a name or an address.
    pub note: Option<String>,
}

/// The request to register with an invitation.
#[derive(Clone)]
pub struct Registration {
    /// The token of the invitation.
    pub invite: String,
    /// The account.
    pub account: NewAccount,
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Registration").field("account", &self.account).finish_non_exhaustive()
    }
}

/// The part of an account that its owner chooses.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Its handle.
    pub username: Username,
    /// Its display name; the handle when absent.
    pub display_name: Option<String>,
    /// Its password.
    pub password: Password,
}

/// Changes of an account by an operator. A field that is `None` stays unchanged.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserUpdate {
    /// The new role.
    pub role: Option<Role>,
    /// Disables or enables the account.
    pub disabled: Option<bool>,
}

/// An invitation, to be shown once.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Its id.
    pub id: InviteId,
    /// Its token.
    pub token: Token,
    /// The role of the account.
    pub role: Role,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A link to choose a new password, to be shown once.
#[derive(Debug, Clone)]
pub struct PasswordReset {
    /// The account.
    pub user: User,
    /// The token of the link.
    pub token: Token,
    /// When it expires.
    pub expires_at: Timestamp,
}
