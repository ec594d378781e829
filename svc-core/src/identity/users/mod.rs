//! Humans: their accounts, roles, passwords and invitations.
//!
//! What always holds: accounts begin only with whoever runs the server, by a command or by an
//! invitation that works once; there is always an admin who can log in; a disabled or deleted
//! account can do nothing from that moment on, nor can its agents; names are never given again.

mod accounts;
mod invites;
mod model;
mod password;
mod service;
pub(crate) mod store;

pub(crate) use accounts::{held, keep_an_admin};
pub use model::{CreatedUser, Invite, NewAccount, NewInvite, NewUser, Registration, UserUpdate};
pub use service::Users;
pub(crate) use svc_model::users::User;
