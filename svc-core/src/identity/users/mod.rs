//! Humans: their accounts, roles, passwords and invitations.
//!
//! Invariants: only an operator or an admin can create accounts, at once or by an invitation that works once; there
//! is always an admin who can log in; a disabled or deleted account, with its agents, can do nothing from
//! that moment on; names are never reused.

mod accounts;
mod invites;
mod model;
mod password;
mod service;
pub(crate) mod store;

pub(crate) use accounts::{held, keep_an_admin};
pub(crate) use invites::Redemption;
pub use model::{CreatedUser, Invite, NewAccount, NewInvite, NewUser, PasswordReset, Registration, UserUpdate};
pub(crate) use password::ChosenPassword;
pub use service::Users;
pub(crate) use svc_model::users::User;
