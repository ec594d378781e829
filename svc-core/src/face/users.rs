//! Users: the accounts of humans, their roles and invitations. The handle is `hub.users()`.

pub use crate::identity::users::{
    CreatedUser, Invite, NewAccount, NewInvite, NewUser, PasswordReset, Registration, UserUpdate, Users,
};

#[doc(inline)]
pub use svc_model::names::Username;
#[doc(inline)]
pub use svc_model::users::{AccountInvite, InvitePage, InviteState, Role, User, UserFilter, UserPage};
