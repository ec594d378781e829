//! What a human account is.

use std::time::Duration;

use svc_model::users::{Role, User};

use crate::identity::auth::{Password, Token};
use crate::ids::InviteId;
use crate::names::Username;
use crate::timestamp::Timestamp;

/// An account that is about to be made.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Its handle.
    pub username: Username,
    /// Its name for people to read; the handle when there is none.
    pub display_name: Option<String>,
    /// What it may do beyond its own.
    pub role: Role,
    /// Its password; one is made when there is none.
    pub password: Option<Password>,
}

/// An account that was made.
#[derive(Debug, Clone)]
pub struct CreatedUser {
    /// The account.
    pub user: User,
    /// The password that was made for it, to be shown once.
    pub password: Option<Password>,
}

/// An invitation that is about to be made.
#[derive(Debug, Clone)]
pub struct NewInvite {
    /// The role of the account that it opens.
    pub role: Role,
    /// How long it can be redeemed; `None` is the usual time.
    pub lasts: Option<Duration>,
}

/// What somebody presents to open an account.
#[derive(Clone)]
pub struct Registration {
    /// The invitation as it was shown.
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
    /// Its name for people to read; the handle when there is none.
    pub display_name: Option<String>,
    /// Its password.
    pub password: Password,
}

/// What whoever runs the server can change about an account. What is `None` stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserUpdate {
    /// Another role.
    pub role: Option<Role>,
    /// Disabled, or enabled again.
    pub disabled: Option<bool>,
}

/// An invitation, to be shown once.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Its id.
    pub id: InviteId,
    /// What has to be presented.
    pub token: Token,
    /// The role of the account that it opens.
    pub role: Role,
    /// Until when it can be redeemed.
    pub expires_at: Timestamp,
}
